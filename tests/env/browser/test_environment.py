"""The environment as its users see it: reset, act, observe."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.env.web import HOST, Actor, Web, slowly
from workalike.core.actions import (
    Back,
    Click,
    Forward,
    Memorize,
    Move,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    Search,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.contracts import Environment, Glancing, ScreenAccess, Spot, Wants
from workalike.core.errors import ActionFailed, BadInput, Infrastructure
from workalike.core.observation import Beyond
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.pictures.codec import decode
from workalike.pictures.similar import changed_box

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_environment_is_what_the_contract_says(actor: Actor) -> None:
    assert isinstance(actor.environment, Environment)


async def test_reset_shows_the_start_page(actor: Actor) -> None:
    percept = await actor.open("<title>Hello</title><button>One</button>")
    seen = percept.observation
    assert (seen.url, seen.title, seen.size) == (f"http://{HOST}/page", "Hello", Size(1440, 900))
    assert percept.picture is not None
    assert seen.picture is not None
    assert Image.open(io.BytesIO(percept.picture)).size == (1440, 900)
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


async def test_places_on_a_full_page_picture_are_places_on_the_page(actor: Actor) -> None:
    await actor.open(
        """<button onclick="document.title='top'">Top</button><div style="height:3000px"></div>
        <button onclick="document.title='bottom'">Bottom</button><script>onload = () => scrollTo(0, 9999)</script>"""
    )
    wants = Wants(full_page=True, elements=True)
    seen = (await actor.look(wants)).observation
    (bottom,) = seen.elements or ()
    assert bottom.box is not None
    assert seen.size is not None
    assert bottom.box.y * seen.size.height > 2900
    taken = await actor.do(Click(Point(30 / seen.size.width, 18 / seen.size.height)))
    assert taken.hit is not None
    assert taken.hit.name == "Top"
    assert (await actor.look(wants)).observation.title == "top"
    await actor.do(Click(bottom.box.centre))
    assert await actor.title() == "bottom"


async def test_the_pointer_is_drawn_when_asked(actor: Actor) -> None:
    await actor.open("<p>empty</p>")
    await actor.do(Move(Point(0.7, 0.6)))
    plain, pointed = await actor.look(Wants()), await actor.look(Wants(pointer=True))
    assert plain.picture is not None
    assert pointed.picture is not None
    box = changed_box(decode(plain.picture), decode(pointed.picture))
    assert box is not None
    assert (box.x, box.y) == pytest.approx((0.7, 0.6), abs=0.003)
    assert pointed.observation.pointer == Point(0.7, 0.6)


async def test_an_idle_page_gives_the_same_picture_twice(actor: Actor) -> None:
    await actor.open("<input autofocus aria-label=Field value=text>")
    await actor.click("Field")
    first = (await actor.look()).picture
    await actor.do(Wait(0.6))
    assert (await actor.look()).picture == first


async def test_addresses_as_people_write_them(actor: Actor) -> None:
    await actor.open("<title>here</title>")
    for url in (f"{HOST}/page", f"https://{HOST}/page?q=1", f"  http://{HOST}/page#x ", f"HTTPS://www.{HOST}/page"):
        await actor.do(Visit("about:blank"))
        assert (await actor.do(Visit(url))).error is None
        assert await actor.title() == "here"


async def test_what_was_refused_is_told_once_with_its_number(actor: Actor) -> None:
    images = "".join(f"<img src='http://tracker.example/{number}.gif'>" for number in range(5))
    percept = await actor.open(f"{images}<img src='https://other.example/x.gif'>")
    told = sorted(notice.text.split(":")[0] for notice in percept.notices if notice.kind == "refused")
    assert told == ["other.example", "tracker.example"]
    assert any("(5 times)" in notice.text for notice in percept.notices)


async def test_a_page_that_cannot_be_had_says_so(actor: Actor) -> None:
    await actor.open("<a href=https://nowhere.example/>Go</a>")
    await actor.click("Go")
    percept = await actor.look()
    assert (percept.observation.url, percept.observation.title) == ("https://nowhere.example/", "Unreachable")
    assert "cannot be reached" in ((await actor.do(ReadPage())).result or "")


async def test_a_start_page_that_cannot_be_had_is_told(actor: Actor) -> None:
    percept = await actor.open(task=Task("t", "x", start_url="https://nowhere.example/"))
    assert [notice.kind for notice in percept.notices] == ["start", "refused"]


async def test_a_form_that_is_not_sent_says_why(actor: Actor) -> None:
    await actor.open("<form><input required aria-label=Email type=email><button>Send</button></form>")
    await actor.click("Send")
    (notice,) = (await actor.look()).notices
    assert (notice.kind, notice.text) == ("invalid", "the form was not sent: Email: Please fill out this field.")


async def test_search_asks_the_engine_that_was_set(stage: Stage, web: Web) -> None:
    settings = BrowserSettings(search=f"http://{HOST}/find?q={{query}}")
    environment = stage.environment(Policy(hosts={HOST: web.place}), settings=settings)
    actor = Actor(environment, web)
    await actor.open(find="<title>found</title>")
    await actor.do(Search("two words & more"))
    assert (await actor.look()).observation.url == f"http://{HOST}/find?q=two+words+%26+more"
    await environment.close()
    with pytest.raises(BadInput, match="query"):
        BrowserSettings(search="http://x/")


async def test_a_place_and_time_of_ones_own(stage: Stage, web: Web) -> None:
    settings = BrowserSettings(
        locale="de-DE", timezone="Asia/Tokyo", geolocation=(48.1, 11.5), dark=True, user_agent="Me/1", scale=1.5
    )
    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), settings=settings), web)
    await actor.open(
        """<script>navigator.geolocation.getCurrentPosition((p) => document.title = [
          navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, p.coords.latitude,
          matchMedia('(prefers-color-scheme: dark)').matches, navigator.userAgent, devicePixelRatio
        ].join(' '))</script>"""
    )
    assert await actor.title() == "de-DE Asia/Tokyo 48.1 true Me/1 1.5"
    await actor.environment.close()


async def test_nothing_of_an_attempt_is_left_for_the_next(actor: Actor) -> None:
    page = """<script>document.title = [localStorage.x, document.cookie, sessionStorage.x].join('|');
      localStorage.x = sessionStorage.x = 1; document.cookie = 'a=b'</script>"""
    for _ in range(2):
        percept = await actor.open(page)
        assert percept.observation.title == "||"
        assert percept.observation.time is not None
        assert percept.observation.time < 5


async def test_acting_on_a_closed_environment_is_infrastructure(actor: Actor) -> None:
    await actor.open()
    await actor.environment.close()
    with pytest.raises(Infrastructure, match="reset it first"):
        await actor.do(Wait(0))


async def test_what_there_is_to_scroll_to_is_told(actor: Actor) -> None:
    tall = "<style>body {{ margin: 0 }}</style><div style='height:2250px;width:{}px'></div>"
    assert (await actor.open(tall.format(100))).observation.beyond == Beyond(below=1.5)
    assert (await actor.open(tall.format(2880))).observation.beyond == Beyond(below=1.5, right=1.0)
    await actor.do(Scroll(dy=450, unit="pixels", at=Point(0.5, 0.5)))
    assert (await actor.look()).observation.beyond == Beyond(above=0.5, below=1.0, right=1.0)
    assert (await actor.open("<p>all of it")).observation.beyond == Beyond()
    whole = await actor.environment.observe(Wants(full_page=True))
    assert whole.observation.beyond is None


@pytest.mark.parametrize(
    ("body", "beyond"),
    [
        ("<body style='margin:0;height:100vh;overflow:hidden'><div style='height:3000px'></div>", Beyond()),
        (
            "<body style='margin:0'><main style='height:100vh;overflow:auto'><div style='height:1800px'></div></main>",
            Beyond(below=1.0),
        ),
    ],
)
async def test_a_page_that_stands_still_and_a_box_that_stands_for_it(actor: Actor, body: str, beyond: Beyond) -> None:
    assert (await actor.open(body)).observation.beyond == beyond


async def test_a_glance_tells_pages_and_places_apart_and_changes_nothing(actor: Actor) -> None:
    await actor.open("<title>one</title><p>Milk <button>Delete</button>", other="<title>two</title>")
    assert isinstance(actor.environment, Glancing)
    at = await actor.place("Delete")
    first = await actor.environment.glance((at, Point(0.9, 0.9)))
    assert first == await actor.environment.glance((at, Point(0.9, 0.9)))
    assert first.spots[0] == Spot("button", "Delete", first.spots[0].node if first.spots[0] else "", ("Milk Delete",))
    await actor.do(Visit(f"http://{HOST}/other"))
    second = await actor.environment.glance()
    assert (first.window == second.window, first.page == second.page) == (True, False)


async def test_a_session_reads_what_the_page_itself_knows(actor: Actor) -> None:
    await actor.open("<title>game</title><script>var score = 3; const level = {name: 'two'}</script>")
    screen = actor.environment
    assert isinstance(screen, ScreenAccess)
    assert screen.display is None
    assert await screen.evaluate("({score, level, later: [null, true]})") == {
        "score": 3,
        "level": {"name": "two"},
        "later": [None, True],
    }
    assert await screen.evaluate("new Promise((done) => setTimeout(() => done(document.title), 20))") == "game"
    assert await screen.evaluate("undefined") is None
    with pytest.raises(ActionFailed, match="the script threw ReferenceError: points is not defined"):
        await screen.evaluate("points")
    with pytest.raises(ActionFailed, match="the script threw"):
        await screen.evaluate("this is no script")
    with pytest.raises(ActionFailed, match="a dialog stands open"):
        await screen.evaluate("alert('stop')")
    await actor.do(Press(("enter",)))
    assert await screen.evaluate("score") == 3
