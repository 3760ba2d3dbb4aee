"""Tabs are followed, kept and bounded; a page that crashes is opened again once, and the agent is told."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from playwright.async_api import Error as PlaywrightError

from tests.env.web import HOST, Actor
from workalike.core.actions import Click, CloseTab, SwitchTab, Visit
from workalike.core.errors import WorkalikeError
from workalike.core.screen import Point
from workalike.env.browser.tab import BrowserTab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def front(actor: Actor) -> BrowserTab:
    return await actor.environment.attempt.tabs.front()


async def crash(actor: Actor) -> None:
    tab = await front(actor)
    with suppress(PlaywrightError, WorkalikeError):
        async with asyncio.timeout(5):
            await tab.send("Page.crash")
    await tab.wait(lambda: tab.crashed, 5)


@pytest.mark.parametrize(
    "how",
    [
        "<a href=/new target=_blank>Go</a>",
        "<a href=/new target=_blank rel=noopener>Go</a>",
        "<button onclick=\"window.open('/new')\">Go</button>",
        "<button onclick=\"window.open('/new', 'w', 'width=300,height=200')\">Go</button>",
        "<form action=/new target=_blank><button>Go</button></form>",
        "<button onclick=\"const w = window.open(); w.document.title = 'new'\">Go</button>",
    ],
)
async def test_a_tab_opened_in_any_way_is_followed(actor: Actor, how: str) -> None:
    await actor.open(f"<title>old</title>{how}", new="<title>new</title>")
    await actor.click("Go")
    seen = (await actor.look()).observation
    assert [(tab.title, tab.active) for tab in seen.tabs] == [("old", False), ("new", True)]
    assert seen.title == "new"


async def test_control_click_opens_a_tab(actor: Actor) -> None:
    await actor.open("<title>old</title><a href=/new>Go</a>", new="<title>new</title>")
    await actor.do(Click(await actor.place("Go"), modifiers=("ctrl",)))
    assert [tab.title for tab in (await actor.look()).observation.tabs] == ["old", "new"]


async def test_closing_tabs_brings_another_to_the_front(actor: Actor) -> None:
    await actor.open("<title>old</title><a href=/new target=_blank>Go</a>", new="<title>new</title>")
    await actor.click("Go")
    await actor.do(CloseTab())
    assert await actor.title() == "old"
    await actor.click("Go")
    await actor.do(CloseTab(0))
    assert [tab.title for tab in (await actor.look()).observation.tabs] == ["new"]
    await actor.do(CloseTab())
    assert [tab.url for tab in (await actor.look()).observation.tabs] == ["about:blank"]


async def test_a_window_that_closes_itself_gives_way(actor: Actor) -> None:
    await actor.open(
        "<title>old</title><a href=/new target=_blank rel=opener>Go</a>",
        new="<title>new</title><button onclick='window.close()'>Done</button>",
    )
    await actor.click("Go")
    await actor.click("Done")
    assert await actor.title() == "old"


async def test_a_hundred_pop_ups_are_bounded(actor: Actor) -> None:
    await actor.open(
        "<title>old</title><button onclick=\"for (let n = 0; n < 100; n++) window.open('/new?' + n)\">Go</button>",
        new="<title>new</title>",
    )
    await actor.click("Go")
    percept = await actor.look()
    most = actor.environment.settings.most_tabs
    assert 2 <= len(percept.observation.tabs) <= most
    assert any(notice.kind == "popups" for notice in percept.notices)
    assert (await actor.do(SwitchTab(0))).error is None
    assert await actor.title() == "old"


async def test_a_crash_is_told_and_the_page_opened_again(actor: Actor) -> None:
    await actor.open("<title>fragile</title><button onclick=\"document.title='works'\">Go</button>")
    await crash(actor)
    percept = await actor.look()
    assert [notice.kind for notice in percept.notices] == ["crash"]
    assert percept.observation.title == "fragile"
    await actor.click("Go")
    assert await actor.title() == "works"


async def test_a_page_that_crashes_again_is_left_closed(actor: Actor) -> None:
    await actor.open("<title>fragile</title>")
    for _ in range(2):
        await crash(actor)
        percept = await actor.look()
    assert "left closed" in percept.notices[-1].text
    assert percept.observation.url == "about:blank"
    assert (await actor.do(Visit(f"http://{HOST}/page"))).error is None
    assert await actor.title() == "fragile"


async def test_an_action_on_a_crashed_page_is_told_not_raised(actor: Actor) -> None:
    await actor.open("<title>fragile</title>")
    tab = await front(actor)
    crashing = asyncio.ensure_future(crash(actor))
    taken = await actor.do(Click(Point(0.5, 0.5)))
    await crashing
    assert tab.crashed
    assert taken.error is None or "crashed" in taken.error
    assert await actor.title() == "fragile"


@pytest.mark.parametrize(
    "body",
    [
        "<script>location = URL.createObjectURL(new Blob(['<title>blob</title>'], {type: 'text/html'}))</script>",
        "<iframe src=\"data:text/html,<script>parent.postMessage('ran', '*')</script>\"></iframe>"
        "<script>onmessage = () => document.title = 'ran'</script>",
        "<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob(['<script>parent.document.title=`ran`<'"
        " + '/script>'], {type: 'text/html'}))</script>",
    ],
    ids=["blob", "data frame", "blob frame"],
)
async def test_documents_no_server_served_are_not_shown(actor: Actor, body: str) -> None:
    percept = await actor.open(f"<title>page</title>{body}")
    assert percept.observation.url in (f"http://{HOST}/page", "about:blank")
    assert any(notice.kind == "refused" and "was not shown" in notice.text for notice in percept.notices)
    assert await actor.title() in ("page", "")


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "chrome://version", "javascript:document.title=1", "data:text/html,x", "blob:http://x/y",
     "view-source:http://web.localhost/page", "about:version", "ftp://web.localhost/"],
)  # fmt: skip
async def test_only_web_pages_are_visited(actor: Actor, url: str) -> None:
    await actor.open("<title>page</title>")
    assert "only http: and https:" in ((await actor.do(Visit(url))).error or "")
    assert await actor.title() == "page"


async def test_a_javascript_link_works_as_on_any_page(actor: Actor) -> None:
    await actor.open("<a href=\"javascript:document.title='ran';void 0\">Go</a>")
    await actor.click("Go")
    assert await actor.title() == "ran"


@pytest.mark.sweep
async def test_a_page_that_hangs_is_told_and_opened_again(actor: Actor) -> None:
    await actor.open("<title>fine</title><button onclick='while (true);'>Hang</button>")
    taken = await actor.click("Hang")
    assert taken.error == "the page does not answer"
    percept = await actor.look()
    assert [notice.kind for notice in percept.notices] == ["crash"]
    assert percept.observation.title == "fine"
