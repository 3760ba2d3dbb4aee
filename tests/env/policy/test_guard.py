"""On live sites irreversible steps are stopped and the agent is told; on a benchmark's own hosts they are not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.env.web import HOST, Actor, Web
from workalike.core.actions import Press, Visit, Wait, Write
from workalike.core.errors import BadInput
from workalike.core.trajectory import ActionResult
from workalike.env.browser.stage import Stage
from workalike.env.policy.guard import Guard
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def live(stage: Stage, web: Web) -> AsyncIterator[Actor]:
    """An attempt on the public web; the small web stands for a live site."""
    environment = stage.environment(Policy(hosts={HOST: web.place}, public=True, live=(HOST,)))
    web.posts.clear()
    web.requests.clear()
    yield Actor(environment, web)
    await environment.close()


def stopped(taken: ActionResult) -> bool:
    return "live sites" in (taken.error or "")


LOGIN = """<title>login</title><form action=/inside method=post><input name=user aria-label=User>
  <input type=password name=pass aria-label=Secret><button>Sign in</button></form>"""


SENDS = "fetch('/inside', {method: 'post', body: 'x'})"
CARD = "<form action=/inside method=post><input {} aria-label=Secret><input type=submit value='Sign in'></form>"
FORMS = {
    "form": LOGIN,
    "scripted": LOGIN.replace("<button>", "<button type=button onclick='this.form.submit()'>"),
    "scripted later": LOGIN.replace(
        "<button>", "<button type=button onclick='setTimeout(() => this.form.submit(), 0)'>"
    ),
    "handled": LOGIN.replace("<form", f'<form onsubmit="event.preventDefault(); {SENDS}"'),
    "no form": LOGIN.replace("form", "div").replace("<button>", f'<button onclick="{SENDS}">'),
    "card by name": CARD.format("name=cardnumber"),
    "card by autocomplete": CARD.format("autocomplete=cc-number"),
}


@pytest.mark.parametrize("body", FORMS.values(), ids=FORMS)
async def test_forms_with_passwords_or_payment_are_not_submitted(live: Actor, body: str) -> None:
    await live.open(body, inside="<title>in</title>")
    await live.click("Secret")
    await live.do(Write("4111"))
    taken = await live.click("Sign in")
    assert stopped(taken)
    assert any(notice.kind == "stopped" for notice in (await live.look()).notices)
    assert live.web.posts == []


async def test_enter_does_not_submit_either(live: Actor) -> None:
    await live.open(LOGIN, inside="<title>in</title>")
    await live.click("Secret")
    await live.do(Write("secret"))
    assert stopped(await live.do(Press(("enter",))))
    assert await live.title() == "login"


async def test_an_ordinary_form_is_submitted(live: Actor) -> None:
    await live.open(
        """<form action=/found><input name=q aria-label=Find><button>Search</button></form>
        <form action=/inside method=post style="display:none"><input type=password></form>""",
        found="<title>found</title>",
    )
    await live.click("Find")
    await live.do(Write("shoes\n"))
    assert await live.title() == "found"


@pytest.mark.parametrize(
    "way",
    [
        "<a href=/checkout/confirm>Go</a>",
        "<form action=/place-order method=post><button>Go</button></form>",
        "<button onclick=\"fetch('/api/orders/submit', {method: 'POST'})\">Go</button>",
        "<button onclick=\"location='/account/delete-account'\">Go</button>",
        "<a href=/checkout/confirm target=_blank>Go</a>",
        "<button onclick=\"window.open('/place-order')\">Go</button>",
        "<form action=/place-order method=post target=_blank><button>Go</button></form>",
        "<form action=/fine method=post><button formaction=/place-order formtarget=_blank>Go</button></form>",
        "<form action=/place-order method=post target=_blank id=f></form><button onclick='f.submit()'>Go</button>",
        "<form action=/place-order target=_blank id=f></form><button onclick='f.requestSubmit()'>Go</button>",
        """<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML =
          '<form action=/place-order method=post target=_blank><button>Go</button></form>'</script>""",
        """<button onclick="const a = document.createElement('a'); a.href = '/place-order'; a.target = '_blank';
          a.click()">Go</button>""",
        """<script>onload = () => { document.open(); document.write(
          '<form action=/place-order method=post target=_blank><button>Go</button></form>'); document.close() }
          </script>""",
    ],
)
async def test_addresses_of_irreversible_steps_are_not_reached(live: Actor, way: str) -> None:
    await live.open(way)
    live.web.requests.clear()
    assert stopped(await live.click("Go"))
    assert live.web.requests == []


async def test_a_query_of_ones_own_list_in_a_new_tab(stage: Stage, web: Web) -> None:
    environment = stage.environment(
        Policy(hosts={HOST: web.place}, public=True, live=(HOST,), irreversible=(r"[?&]do=remove",))
    )
    actor = Actor(environment, web)
    asks = "<form action=/list target=_blank><input type=radio name=do value={} checked><button>Go</button></form>"
    for what, stops in (("remove", True), ("show", False)):
        await actor.open(asks.format(what), list="<title>list</title>")
        assert stopped(await actor.click("Go")) == stops
        assert (await actor.title() == "list") != stops
    await environment.close()


async def test_a_worker_of_the_site_is_no_way_around(live: Actor) -> None:
    worker = "onfetch = (event) => event.respondWith(fetch(event.request)); onactivate = () => clients.claim()"
    page = """<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)
      .then(() => { document.title = 'ready' }, () => { document.title = 'refused' })</script>
      <button onclick="fetch('/api/orders/submit', {method: 'POST'})">Go</button>"""
    live.web.pages["/worker.js"] = lambda handler: handler.reply(worker, "text/javascript")
    await live.open(page)
    await live.do(Wait(0.5))
    await live.do(Visit(f"http://{HOST}/page"))
    live.web.requests.clear()
    assert stopped(await live.click("Go"))
    assert not [request for request in live.web.requests if "orders" in request]


async def test_visiting_such_an_address_is_stopped_too(live: Actor) -> None:
    await live.open("<title>page</title>")
    taken = await live.do(Visit(f"http://{HOST}/checkout/complete"))
    assert taken.error is not None
    assert not any("complete" in request for request in live.web.requests)


async def test_the_benchmarks_own_hosts_are_not_guarded(actor: Actor) -> None:
    actor.web.posts.clear()
    await actor.open(LOGIN, inside="<title>in</title>")
    await actor.click("Secret")
    await actor.do(Write("secret\n"))
    assert await actor.title() == "in"
    assert actor.web.posts == ["user=&pass=secret"]


@pytest.mark.parametrize(
    ("method", "url", "is_document", "stops"),
    [
        ("GET", "https://shop.example/checkout/confirm", True, True),
        ("GET", "https://shop.example/checkout", True, False),
        ("GET", "https://shop.example/api/orders/submit", False, False),
        ("POST", "https://shop.example/api/orders/submit", False, True),
        ("POST", "https://shop.example/api/search", False, False),
        ("GET", "https://shop.example/confirm-order?x=1", True, True),
        ("GET", "https://shop.example/help/how-to-cancel", True, False),
        ("GET", "https://list.example/unsubscribe?id=1", True, True),
    ],
)
async def test_which_requests_are_stopped(method: str, url: str, is_document: bool, stops: bool) -> None:
    assert (Guard(Policy(public=True)).problem(method, url, is_document) is not None) == stops


async def test_a_list_of_ones_own_and_a_bad_one() -> None:
    own = Guard(Policy(public=True, irreversible=(r"/launch",)))
    assert own.problem("GET", "https://x.example/launch", True)
    assert own.problem("GET", "https://x.example/checkout/confirm", True) is None
    with pytest.raises(BadInput, match="no regular expression"):
        Guard(Policy(public=True, irreversible=("(",)))


async def test_a_host_of_ones_own_is_no_live_site_beside_the_public_web(stage: Stage, web: Web) -> None:
    environment = stage.environment(Policy(hosts={HOST: web.place}, public=True))
    web.posts.clear()
    web.pages["/place-order"] = web.pages["/inside"] = "<title>done</title>"
    actor = Actor(environment, web)
    for page in (LOGIN, "<form action=/place-order method=post><button>Sign in</button></form>"):
        await actor.open(page)
        taken = await actor.click("Sign in")
        assert taken.error is None
    assert len(web.posts) == 2
    await environment.close()


async def test_what_a_page_of_ones_own_sends_to_a_live_site_is_guarded(stage: Stage, web: Web) -> None:
    """The page is ours, the shop that its form goes to is not."""
    hosts = {HOST: web.place, "shop.localhost": web.place}
    environment = stage.environment(Policy(hosts=hosts, public=True, live=("shop.localhost",)))
    web.posts.clear()
    web.pages["/place-order"] = web.pages["/inside"] = "<title>done</title>"
    actor = Actor(environment, web)
    for page in (LOGIN, "<form action=/place-order method=post><button>Sign in</button></form>"):
        await actor.open(page.replace("action=", "action=http://shop.localhost"))
        assert stopped(await actor.click("Sign in"))
    assert web.posts == []
    await environment.close()
