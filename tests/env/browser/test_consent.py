"""Before an irreversible step on a live site the user is asked: a yes lets exactly that step happen, once; a no, or
nobody there, stops it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.env.web import HOST, Actor, Web
from workalike.core.actions import Click, Visit, Wait, Write
from workalike.core.contracts import Wants
from workalike.core.errors import Refused
from workalike.env.browser.stage import Stage
from workalike.env.policy.guard import Unconfirmed
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


class User:
    """Somebody who says the same to everything; None is nobody."""

    def __init__(self, says: bool | None) -> None:
        self.says, self.questions = says, list[str]()

    def confirm(self, question: str) -> bool:
        self.questions.append(question)
        if self.says is None:
            raise Refused("nobody is there")
        return self.says


class Asked(Actor):
    user = User(True)


@pytest_asyncio.fixture(loop_scope="session")
async def live(stage: Stage, web: Web) -> AsyncIterator[Asked]:
    """An attempt on a live site, with a user who says yes."""
    user = User(True)
    environment = stage.environment(Policy(hosts={HOST: web.place}, public=True, live=(HOST,)), confirm=user.confirm)
    web.pages |= dict.fromkeys(("/place-order", "/inside", "/checkout/confirm"), "<title>done</title>")
    web.posts.clear()
    web.requests.clear()
    actor = Asked(environment, web)
    actor.user = user
    yield actor
    await environment.close()


LOGIN = """<title>login</title><form action=/inside method=post><input name=user aria-label=User>
  <input type=password name=pass aria-label=Secret><button>Sign in</button></form>"""
ONCE = """<form action=/place-order method=post onsubmit="this.querySelector('button').disabled = true">
  <input type=hidden name=n value=1><button>Go</button></form>"""
WAYS = {
    "form": "<form action=/place-order method=post><input type=hidden name=n value=1><button>Go</button></form>",
    "form that sends once": ONCE,
    "form with a card": "<form action=/inside method=post><input name=cvc value=4><button>Pay: Go</button></form>",
    "script": """<button onclick="fetch('/place-order', {method: 'POST', body: 'n=1'})
      .then((reply) => reply.text()).then(() => { document.title = 'done'; })">Go</button>""",
    "link": "<a href=/checkout/confirm>Go</a>",
    "form in a new tab": "<form action=/place-order method=post target=_blank><button>Go</button></form>",
    "new tab": "<a href=/checkout/confirm target=_blank>Go</a>",
}


async def go(live: Asked, way: str) -> str | None:
    await live.open(f"<title>shop</title>{WAYS[way]}")
    live.web.requests.clear()
    return (await live.click("Pay: Go" if "card" in way else "Go")).error


@pytest.mark.parametrize("way", WAYS)
async def test_a_yes_lets_it_happen_once(live: Asked, way: str) -> None:
    assert await go(live, way) is None
    assert await live.title() == "done"
    assert len(live.user.questions) == 1, live.user.questions
    assert "click on" in live.user.questions[0]
    assert f"http://{HOST}/page" in live.user.questions[0]
    reached = [each for each in live.web.requests if not each.endswith("favicon.ico")]
    assert len(reached) == 1, "it happened, and it happened once"


@pytest.mark.parametrize("way", WAYS)
async def test_a_no_stops_it_and_is_told(live: Asked, way: str) -> None:
    live.user.says = False
    error = await go(live, way)
    assert error is not None
    assert "live sites" in error
    assert live.web.requests == []
    assert len(live.user.questions) == 1
    told = [notice.text for notice in (await live.look()).notices if notice.kind == "asked"]
    assert len(told) == 1
    assert told[0].endswith("and said no")


async def test_question_and_answer_are_kept_and_nothing_is_said_to_be_stopped(live: Asked) -> None:
    await go(live, "form with a card")
    notices = (await live.look(Wants(picture=False))).notices
    assert [notice.kind for notice in notices] == ["asked"]
    assert notices[0].text.endswith("and said yes")


async def test_leave_is_for_one_step_only(live: Asked) -> None:
    await go(live, "script")
    live.user.says = False
    await live.look()
    assert (await live.click("Go")).error is not None
    assert len(live.user.questions) == 2
    assert len(live.web.posts) == 1


async def test_what_was_typed_is_not_typed_twice(live: Asked) -> None:
    await live.open(LOGIN)
    await live.click("Secret")
    taken = await live.do(Write("pass\n"))
    assert taken.error is None
    assert taken.action == Write("•" * 5)
    assert await live.title() == "done"
    assert live.web.posts == ["user=&pass=pass"]


async def test_a_form_in_a_frame(live: Asked) -> None:
    frame = "<form action=/inside method=post><input name=cvc value=1 aria-label=Code><button>Pay now</button></form>"
    await live.open("<iframe src=/frame></iframe>", frame=frame)
    taken = await live.click("Pay now")
    assert taken.error is None
    assert live.web.posts == ["cvc=1"]


@pytest.mark.parametrize("says", [True, False])
async def test_visiting_such_an_address(live: Asked, says: bool) -> None:
    live.user.says = says
    await live.open("<title>page</title>")
    taken = await live.do(Visit(f"http://{HOST}/checkout/confirm"))
    assert (taken.error is None) is says
    assert any("confirm" in request for request in live.web.requests) is says
    assert (await live.title() == "done") is says


async def test_what_a_page_does_by_itself_is_asked_about_too(live: Asked) -> None:
    """A page that sends its order by itself, later: whenever that is, it waits for the user."""
    later = "<title>page</title><script>setTimeout(() => { location = '/checkout/confirm' }, 700)</script>"
    live.user.says = False
    await live.open(later)
    for _ in range(10):
        await live.do(Wait(0.3))
        await live.look(Wants(picture=False))
        if live.user.questions:
            break
    assert len(live.user.questions) == 1
    assert not any("confirm" in request for request in live.web.requests)


async def test_nobody_there_ends_it_and_secrets_stay_secret(live: Asked) -> None:
    live.user.says = None
    await live.open(LOGIN)
    await live.click("Secret")
    with pytest.raises(Unconfirmed, match="nobody is there") as caught:
        await live.do(Write("pass\n"))
    assert caught.value.taken.action == Write("•" * 5)
    assert live.web.posts == []
    assert await live.title() == "login", "the page can still be looked at"


async def test_nobody_there_for_a_request(live: Asked) -> None:
    live.user.says = None
    await live.open(WAYS["form"])
    live.web.requests.clear()
    with pytest.raises(Unconfirmed) as caught:
        await live.click("Go")
    taken = caught.value.taken
    assert isinstance(taken.action, Click)
    assert taken.hit is not None
    assert taken.hit.name == "Go"
    assert live.web.requests == []
    await live.look()
