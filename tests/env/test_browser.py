"""The environment as its users see it: reset, act, observe."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.env.web import HOST, Actor, slowly
from understudy.core.actions import Back, Click, Forward, Memorize, Opaque, ReadPage, SwitchTab, Terminate, Visit, Write
from understudy.core.contracts import Environment, Wants
from understudy.core.screen import Point, Size

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_environment_is_what_the_contract_says(actor: Actor) -> None:
    assert isinstance(actor.environment, Environment)


async def test_reset_shows_the_start_page(actor: Actor) -> None:
    sight = await actor.open("<title>Hello</title><button>One</button>")
    seen = sight.observation
    assert (seen.url, seen.title, seen.size) == (f"http://{HOST}/page", "Hello", Size(1440, 900))
    assert sight.picture is not None
    assert seen.picture is not None
    assert Image.open(io.BytesIO(sight.picture)).size == (1440, 900)
    assert seen.picture.size == Size(1440, 900)
    assert [(one.role, one.name, one.mark) for one in seen.elements or ()] == [("button", "One", 1)]


async def test_a_click_records_what_it_hit(actor: Actor) -> None:
    await actor.open("<button onclick='document.title=\"done\"'>Press me</button>")
    taken = await actor.click("Press me")
    assert taken.error is None
    assert taken.hit is not None
    assert (taken.hit.role, taken.hit.name) == ("button", "Press me")
    assert await actor.title() == "done"


async def test_a_click_waits_for_what_it_fetches(actor: Actor) -> None:
    await actor.open(
        "<button onclick=\"fetch('/late').then(r => r.text()).then(t => this.textContent = t)\">Get</button>",
        late=slowly("got it", 0.4),
    )
    await actor.click("Get")
    assert (await actor.find("got it")).role == "button"


async def test_a_link_is_followed_and_history_goes_both_ways(actor: Actor) -> None:
    await actor.open("<title>first</title><a href=/second>Go</a>", second="<title>second</title>")
    await actor.click("Go")
    assert await actor.title() == "second"
    assert (await actor.do(Back())).error is None
    assert await actor.title() == "first"
    await actor.do(Forward())
    assert await actor.title() == "second"
    await actor.do(Back())
    assert "no page to go back to" in ((await actor.do(Back())).error or "")


async def test_a_new_tab_is_followed_and_the_old_one_kept(actor: Actor) -> None:
    await actor.open("<title>first</title><a href=/second target=_blank>Go</a>", second="<title>second</title>")
    await actor.click("Go")
    tabs = (await actor.look()).observation.tabs
    assert [(tab.title, tab.active) for tab in tabs] == [("first", False), ("second", True)]
    await actor.do(SwitchTab(0))
    assert await actor.title() == "first"
    assert "numbered from 0 to 1" in ((await actor.do(SwitchTab(5))).error or "")


async def test_what_an_agent_gets_wrong_is_told_not_raised(actor: Actor) -> None:
    await actor.open("<title>still here</title>")
    assert "off the screen" in ((await actor.do(Click(Point(1.5, 0.5)))).error or "")
    assert "no action" in ((await actor.do(Opaque("???"))).error or "")
    assert "file:" in ((await actor.do(Visit("file:///etc/passwd"))).error or "")
    assert await actor.title() == "still here"


async def test_words_for_the_conversation_leave_the_page_alone(actor: Actor) -> None:
    await actor.open()
    for action in (Memorize("a fact"), Terminate("success", "42")):
        taken = await actor.do(action)
        assert (taken.action, taken.error) == (action, None)


async def test_passwords_do_not_leave_the_page(actor: Actor) -> None:
    await actor.open("<input type=password placeholder=Secret oninput='document.title=this.value'>")
    await actor.click("Secret")
    taken = await actor.do(Write("hunter2"))
    assert taken.action == Write("•" * 7)
    assert await actor.title() == "hunter2"
    field = await actor.find("Secret")
    assert (field.value, "filled" in field.states) == (None, True)


async def test_reading_a_page_gives_its_text(actor: Actor) -> None:
    await actor.open("<h1>Opening hours</h1><p>Nine to five</p><script>var hidden = 1</script>")
    assert (await actor.do(ReadPage("when?"))).result == "Opening hours\n\nNine to five"


async def test_a_full_page_picture_says_where_the_viewport_lies(actor: Actor) -> None:
    await actor.open("<div style='height:3000px'>tall</div><script>scrollTo(0, 1000)</script>")
    seen = (await actor.look(Wants(full_page=True))).observation
    assert seen.kind == "page"
    assert seen.size is not None
    assert seen.view is not None
    assert seen.size.height >= 3000
    assert seen.view.y * seen.size.height == pytest.approx(1000, abs=1)
