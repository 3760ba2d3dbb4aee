"""Several actions of one decision on real pages: what the earlier ones bring up stops the later ones, and nothing else
does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.bench.test_attempt import Book, Player, Room
from tests.env.web import HOST, Actor, Answer, Web
from workalike.bench.attempt import SKIPPED, attempt
from workalike.bench.stale import NOT_DONE
from workalike.core.actions import (
    Action,
    Click,
    Drag,
    Hotkey,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Terminate,
    Visit,
    Write,
)
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.dialects import som
from workalike.env.browser.environment import BrowserEnvironment
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.browser.tab import BrowserTab
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")
NOTE = "const note = (what) => { document.title += ' ' + what };"
BOX = "position:absolute;left:100px;width:200px;height:40px;top"


@pytest.fixture(scope="session")
def web() -> Iterator[Web]:
    with Web() as web:
        yield web


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def stage() -> AsyncIterator[Stage]:
    async with Stage(BrowserSettings(load=3.0, settle=2.0)) as stage:
        yield stage


class Batch:
    """Does one decision on a page, in marks by name or in places, and looks at what came of it."""

    def __init__(self, stage: Stage, web: Web) -> None:
        self.environment = stage.environment(Policy(hosts={HOST: web.place, f"*.{HOST}": web.place}))
        self.actor = Actor(self.environment, web)
        self.title = ""

    async def on(
        self, body: str, *actions: Action | str, marks: bool = True, meanwhile: str = "", **pages: Answer
    ) -> list[ActionResult]:
        """What became of the actions; `meanwhile` is what the page does while they are decided on."""
        self.actor.web.pages |= {"/page": f"<!doctype html><meta charset=utf-8><script>{NOTE}</script>{body}"}
        self.actor.web.pages |= {f"/{name}": answer for name, answer in pages.items()}
        agent, book = _ByName(actions, marks, self.environment if meanwhile else None, meanwhile), Book()
        task = Task("t", "try", start_url=f"http://{HOST}/page")
        await attempt(agent, self.environment, task, book)
        self.title = await self.actor.title()
        return list(book.steps[0].actions)


class _ByName(Player):
    """Decides once, finding elements by their names; a text with an equals sign is typed into one."""

    def __init__(
        self, actions: tuple[Action | str, ...], marks: bool, environment: BrowserEnvironment | None, meanwhile: str
    ) -> None:
        super().__init__(Decision((Terminate(),)))
        self.wants, self._actions, self._first = Wants(elements=marks), actions, True
        self._environment, self._meanwhile = environment, meanwhile

    async def decide(self, percept: Percept) -> Decision:
        if not self._first:
            return await super().decide(percept)
        self._first = False
        if self._environment is not None:
            tabs = self._environment.attempt.tabs
            await (await tabs.front()).page.evaluate(self._meanwhile)
            while "'/other'" in self._meanwhile and not _stands(await tabs.front(), "/other"):
                await asyncio.sleep(0.01)
        elements = {one.name: one for one in reversed(percept.observation.elements or ())}
        made: list[Action] = []
        for action in self._actions:
            if isinstance(action, str):
                name, typed, text = action.partition("=")
                call = {"do": "click", "mark": elements[name].mark}
                call |= {"do": "type", "text": text} if typed else {}
                made += som.parse(str(call), percept.observation.elements or ())
            else:
                made.append(action)
        return Decision(tuple(made))


def _stands(tab: BrowserTab, path: str) -> bool:
    """Whether a page has come up in full."""
    return tab.url.endswith(path) and not tab.loading


@pytest_asyncio.fixture(loop_scope="session")
async def batch(stage: Stage, web: Web) -> AsyncIterator[Batch]:
    made = Batch(stage, web)
    yield made
    await made.environment.close()


def errors(taken: list[ActionResult]) -> list[str | None]:
    return [each.error for each in taken]


def at(x: float, y: float) -> Point:
    return Point(x / 1440, y / 900)


HOTELS = f"""<button style="{BOX}:10px" onclick="this.remove()">Dismiss</button>
<input aria-label=City style="{BOX}:60px" oninput="hints.hidden = false">
<div id=hints hidden><button style="{BOX}:110px;z-index:1" onclick="note('suggestion')">London, Ontario</button></div>
<button style="{BOX}:110px" onclick="note('rossi')">Hotel Rossi</button>
<button style="{BOX}:200px" onclick="note('search')">Search</button>"""


async def test_a_mark_that_something_came_to_lie_on_stops_the_batch_and_is_told(batch: Batch) -> None:
    taken = await batch.on(HOTELS, "Dismiss", "City=London", "Hotel Rossi", "Search")
    *done, stale, rest = errors(taken)
    assert done == [None] * len(done)
    assert stale is not None
    assert stale.startswith(NOT_DONE)
    assert 'button "Hotel Rossi"' in stale
    assert 'button "London, Ontario" now lies in its place' in stale
    assert rest == SKIPPED
    assert batch.title == ""


async def test_what_is_still_there_is_acted_on_though_a_list_has_opened_elsewhere(batch: Batch) -> None:
    taken = await batch.on(HOTELS, "Dismiss", "City=London", "Search")
    assert errors(taken) == [None] * len(taken)
    assert batch.title.split() == ["search"]


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("target=_blank href=/other", "another tab"),
        ("href=/other", "another page"),
        ("href=# onclick=\"history.pushState(0, '', '/cart'); return false\"", "another page"),
        ("href=# onclick=\"setTimeout(() => alert('Well?')); return false\"", "a dialog"),
    ],
)
async def test_places_of_a_page_that_is_no_longer_in_front_are_left_alone(
    batch: Batch, link: str, why: str, marks: bool
) -> None:
    page = f"""<a style="{BOX}:10px" {link}>Details</a><button style="{BOX}:60px" onclick="note('old')">Go</button>"""
    other = (
        f"""<title>new</title><script>{NOTE}</script><button style="{BOX}:60px" onclick="note('hit')">Pay</button>"""
    )
    taken = await batch.on(page, Click(at(110, 20)), Click(at(200, 80)), Click(at(200, 80)), marks=marks, other=other)
    first, stale, rest = errors(taken)
    assert first is None
    assert stale is not None
    assert stale.startswith(NOT_DONE)
    assert why in stale
    assert rest == SKIPPED
    assert "hit" not in batch.title
    assert "old" not in batch.title


async def test_a_visit_of_ones_own_stops_places_but_not_keys(batch: Batch) -> None:
    other = f"<title>new</title><script>{NOTE}</script><body onkeydown='note(event.key)' onclick='note(0)'>"
    gone = Visit(f"http://{HOST}/other")
    taken = await batch.on("", gone, Press(("x",)), Click(at(9, 9)), marks=False, other=other)
    assert [error is None for error in errors(taken)] == [True, True, False]
    assert batch.title.split() == ["new", "x"]


async def test_plain_places_on_the_same_page_go_on_whatever_opens_there(batch: Batch) -> None:
    """A model that writes places may well mean what its first click brings up."""
    menu = f"""<button style="{BOX}:10px" onclick="menu.hidden = false">Menu</button>
    <div id=menu hidden><button style="{BOX}:60px" onclick="note('item')">Item</button></div>"""
    taken = await batch.on(menu, Click(at(200, 30)), Click(at(200, 80)), marks=False)
    assert errors(taken) == [None, None]
    assert batch.title.split() == ["item"]


async def test_click_write_and_enter_in_a_field_go_on(batch: Batch) -> None:
    form = f"""<form onsubmit="note(City.value); return false"><input id=City aria-label=City style="{BOX}:10px"
    onfocus="this.placeholder = 'Where to?'"></form>"""
    taken = await batch.on(form, "City", "City=Lisbon", Press(("enter",)))
    assert errors(taken) == [None] * len(taken)
    assert batch.title.split() == ["Lisbon"]


ROWS = """<ul id=list></ul><script>
let rows = ['Milk', 'Eggs', 'Flour', 'Salt'];
const line = (row) => `<li>${row} <button onclick="drop('${row}')">Delete</button>`;
const draw = () => { list.innerHTML = rows.map(line).join('') };
const drop = (row) => { note(row); rows = rows.filter((each) => each !== row); draw(); };
draw();
</script>"""


async def test_of_several_with_one_name_another_row_is_another_thing(batch: Batch) -> None:
    percept = await batch.actor.open(ROWS)
    second, third = (one.box.centre for one in (percept.observation.elements or ())[1:3] if one.box)
    taken = await batch.on(ROWS, Click(second), Click(third))
    assert [error is None for error in errors(taken)] == [True, False]
    assert 'another button "Delete" now lies in its place' in (taken[1].error or "")
    assert batch.title.split() == ["Eggs"]


CARDS = """<style>.r { display: flex; gap: 9px; padding: 8px }</style><div id=list></div><script>
let rows = ['Ann', 'Bob', 'Carol', 'Dave'];
const line = (row) => `<div class=r><span>${row}</span><div><button>Edit</button><button onclick="drop('${row}')">Delete
</button></div></div>`;
const draw = () => { list.innerHTML = rows.map(line).join('') };
const recycle = () => rows.forEach((row, n) => { list.querySelectorAll('span')[n].textContent = row });
const drop = (row) => { note(row); rows = rows.filter((each) => each !== row); draw(); };
draw();
</script>"""


async def deleted(batch: Batch, page: str, *rows: int, meanwhile: str = "") -> list[ActionResult]:
    """What became of pressing Delete in some of the rows."""
    percept = await batch.actor.open(f"<script>{NOTE}</script>{page}")
    boxes = [one.box for one in percept.observation.elements or () if one.name == "Delete" and one.box]
    return await batch.on(page, *(Click(boxes[row].centre) for row in rows), meanwhile=meanwhile)


async def test_a_row_is_told_by_the_words_that_other_rows_do_not_have(batch: Batch) -> None:
    """The nearest words around are the same in every row: Edit, Delete."""
    taken = await deleted(batch, CARDS, 1, 2)
    assert [error is None for error in errors(taken)] == [True, False]
    assert 'another button "Delete" now lies in its place' in (taken[1].error or "")
    assert batch.title.split() == ["Bob"]


async def test_rows_from_below_upwards_go_on(batch: Batch) -> None:
    taken = await deleted(batch, CARDS, 2, 1, 0)
    assert errors(taken) == [None] * 3
    assert batch.title.split() == ["Carol", "Bob", "Ann"]


async def test_one_of_several_in_another_row_is_told_of_a_single_action_too(batch: Batch) -> None:
    (taken,) = await deleted(batch, CARDS, 1, meanwhile="rows = rows.slice(1); draw()")
    assert taken.error is None
    assert (taken.result or "").startswith('it hit another button "Delete", not mark')
    assert batch.title.split() == ["Carol"]


async def test_rows_that_keep_their_parts_and_change_their_words_are_others(batch: Batch) -> None:
    shifted = "rows = ['Bob', 'Carol', 'Dave', 'Eve']; recycle()"
    taken = await deleted(batch, CARDS, 1, 2, meanwhile=shifted)
    assert errors(taken)[1] == SKIPPED
    assert batch.title.split() == []
    numbers = CARDS.replace("'Ann', 'Bob', 'Carol', 'Dave'", "'Order 1', 'Order 2', 'Order 3', 'Order 4'")
    taken = await deleted(batch, numbers, 1, 2, meanwhile="rows = [2, 3, 4, 5].map((n) => `Order ${n}`); recycle()")
    assert errors(taken)[1] == SKIPPED
    assert batch.title.split() == []


async def test_what_nothing_tells_apart_is_the_same_as_long_as_it_is_the_very_same_part(batch: Batch) -> None:
    seats = """<p id=sum>0 seats<p>%s<script>let n = 0;</script>""" % (
        "<button onclick=\"sum.textContent = `${++n} seats`; note('seat')\">Seat</button>" * 4
    )
    taken = await batch.on(seats, "Seat", "Seat", "Seat")
    assert errors(taken) == [None] * 3
    bare = """<div id=all></div><script>let n = 3; const draw = () => { all.innerHTML =
        '<p><button aria-label=Drop onclick="n--; note(n); draw()">x</button>'.repeat(n) }; draw();</script>"""
    taken = await batch.on(bare, "Drop", "Drop")
    assert [error is None for error in errors(taken)] == [True, False]


COUNTERS = """<style>p { margin: 0 0 20px }</style>
<p>Adults <span>1</span> <button onclick="previous(this)">+</button>
<p>Children <span>0</span> <button onclick="previous(this)">+</button>
<script>const previous = (button) => { button.previousElementSibling.textContent++; note('+') }</script>"""


async def test_a_counter_may_count(batch: Batch) -> None:
    taken = await batch.on(COUNTERS, "+", "+", "+")
    assert errors(taken) == [None, None, None]
    assert batch.title.split() == ["+", "+", "+"]


async def test_what_a_page_draws_anew_is_the_same_by_its_name(batch: Batch) -> None:
    page = f"""<div id=all></div><script>let n = 0; const draw = () => {{ all.innerHTML =
    `<button style="{BOX}:10px" onclick="n++; draw()">More (${{n > 9}})</button><button style="{BOX}:60px"
    onclick="note(n)">Done</button>` }}; draw();</script>"""
    taken = await batch.on(page, "More (false)", "More (false)", "Done")
    assert errors(taken) == [None, None, None]
    assert batch.title.split() == ["2"]


async def test_a_frame_of_another_site_is_looked_into(batch: Batch) -> None:
    inner = """<!doctype html><button style="position:absolute;left:10px;top:10px;width:200px;height:40px"
    onclick="this.textContent = 'Confirm payment'">Check</button>"""
    page = f"""<iframe src="http://pay.{HOST}/inner" style="width:400px;height:200px"></iframe>"""
    taken = await batch.on(page, "Check", "Check", inner=inner)
    assert [error is None for error in errors(taken)] == [True, False]
    assert 'button "Confirm payment" now lies in its place' in (taken[1].error or "")


async def test_scrolling_on_a_mark_and_dragging_by_hand_go_on(batch: Batch) -> None:
    page = f"""<div style="{BOX}:10px;height:80px;overflow:auto" tabindex=0 aria-label=Box>
    {"".join(f"<p><button>{n}</button>" for n in range(40))}</div>
    <div draggable=false style="{BOX}:200px;cursor:grab" role=button onpointerdown="this.style.zIndex = 9;
    document.onpointermove = (e) => {{ this.style.top = e.clientY - 20 + 'px' }}"
    onpointerup="document.onpointermove = null; note('dropped')">Card</div>
    <div role=button style="{BOX}:400px">Bin</div>"""
    down, scroll = at(200, 220), at(200, 50)
    taken = await batch.on(
        page,
        *(Scroll(dy=1, at=scroll), Scroll(dy=1, at=scroll)),
        *(MouseDown(down), Move(at(200, 420)), MouseUp(at(200, 420))),
    )
    assert errors(taken) == [None] * 5
    assert batch.title.split() == ["dropped"]


async def test_what_is_held_is_let_go_when_the_batch_stops(batch: Batch) -> None:
    page = f"""<button style="{BOX}:10px" onclick="this.textContent = 'Gone'">Once</button>
    <body onkeyup="note('up:' + event.key)">"""
    taken = await batch.on(page, KeyDown("shift"), "Once", "Once", KeyUp("shift"), Hotkey(("ctrl", "a")))
    assert [error is None for error in errors(taken)] == [True, True, False, True, False]
    assert batch.title.split() == ["up:Shift"]


async def test_what_was_hit_is_told_where_it_is_not_what_the_mark_was_on(batch: Batch) -> None:
    """A single action is not stopped: nothing that was decided has changed the page since it was seen."""
    page = f"""<button style="{BOX}:10px"><b>Under</b></button><label style="{BOX}:60px"><input type=checkbox> I agree
    </label>"""
    advert = f"""document.body.insertAdjacentHTML('beforeend', `<button style="{BOX}:10px">Advert</button>`)"""
    (taken,) = await batch.on(page, "Under", meanwhile=advert)
    assert (taken.error, taken.result) == (None, 'it hit button "Advert", not mark 1, button "Under"')
    plain = await batch.on(page, "Under", "I agree")
    assert [each.result for each in plain] == [None, None]


@pytest.mark.parametrize("names", [("One", "Under"), ("Under", "One")])
async def test_what_came_to_lie_on_a_mark_while_it_was_thought_stops_a_batch(
    batch: Batch, names: tuple[str, str]
) -> None:
    page = f"""<button style="{BOX}:60px" onclick="note('one')">One</button><button style="{BOX}:10px">Under</button>"""
    advert = f"""document.body.insertAdjacentHTML('beforeend',
        `<button style="{BOX}:10px" onclick="note('advert')">Advert</button>`)"""
    taken = await batch.on(page, *names, meanwhile=advert)
    stale = errors(taken)[names.index("Under")] or ""
    assert stale.startswith(NOT_DONE)
    assert 'button "Advert" now lies in its place' in stale
    assert batch.title.split() == (["one"] if names[0] == "One" else [])


DAYS = """<div id=days></div><button>OK</button><script>const draw = (from) => { days.innerHTML =
[...Array(14).keys()].map((day) => `<button style="width:40px" onclick="note(this.textContent)">${day + from}</button>`
).join('') }; draw(1);</script>"""
ALL = f"""<button id=one style="{BOX}:10px" onclick="note(this.textContent)">Delete</button>
<button style="{BOX}:60px">OK</button>"""


@pytest.mark.parametrize(
    ("page", "name", "meanwhile", "there"),
    [
        (DAYS, "3", "draw(8)", 'button "10"'),
        (ALL, "Delete", "one.textContent = 'Delete all'", 'button "Delete all"'),
        (ALL, "Delete", "one.remove(); document.body.append('Delete it')", 'document "OK Delete it"'),
    ],
)
async def test_what_was_seen_is_the_standard_not_what_is_there_after_the_thought(
    batch: Batch, page: str, name: str, meanwhile: str, there: str
) -> None:
    taken = await batch.on(page, name, "OK", meanwhile=meanwhile)
    assert f"{there} now lies in its place" in (errors(taken)[0] or "")
    assert batch.title == ""
    (taken_alone,) = await batch.on(page, name, meanwhile=meanwhile)
    assert taken_alone.error is None
    assert (taken_alone.result or "").startswith(f"it hit {there}, not mark")


@pytest.mark.parametrize(
    ("meanwhile", "why"), [("location = '/other'", "another page"), ("window.open('/other')", "another tab")]
)
async def test_a_page_that_came_up_during_the_thought_stops_plain_places_and_is_told_of_one(
    batch: Batch, meanwhile: str, why: str
) -> None:
    page = f"""<button style="{BOX}:10px">First</button>"""
    other = f"""<script>{NOTE}</script><button style="{BOX}:10px" onclick="note('hit')">Danger</button>"""
    taken = await batch.on(page, Click(at(200, 30)), Click(at(200, 30)), marks=False, meanwhile=meanwhile, other=other)
    first, rest = errors(taken)
    assert (first or "").startswith(NOT_DONE)
    assert why in (first or "")
    assert rest == SKIPPED
    assert "hit" not in batch.title
    (alone,) = await batch.on(page, Click(at(200, 30)), marks=False, meanwhile=meanwhile, other=other)
    assert alone.error is None
    assert why in (alone.result or "")
    assert 'it hit button "Danger"' in (alone.result or "")
    assert "hit" in batch.title


async def test_a_drag_is_checked_at_both_ends(batch: Batch) -> None:
    page = f"""<button style="{BOX}:10px" onclick="bin.textContent = 'Archive'">Sort</button>
    <div role=button style="{BOX}:60px">Card</div><div role=button id=bin style="{BOX}:110px">Bin</div>"""
    taken = await batch.on(page, "Sort", Drag((at(200, 130),), at(200, 80)))
    assert 'button "Bin", is no longer there' in (taken[1].error or "")


async def test_an_environment_that_cannot_glance_is_not_asked() -> None:
    book = Book()
    await attempt(
        Player(Decision((Click(at(1, 1)), Write("a"), Click(at(2, 2)), Terminate()))), Room(), Task("t", ""), book
    )
    assert errors(list(book.steps[0].actions)) == [None] * 4
