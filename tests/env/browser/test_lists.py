"""Lists a browser draws outside the page are drawn inside it: seen, clicked and keyed like the browser's own."""

from __future__ import annotations

import pytest

from tests.env.web import Actor
from workalike.core.actions import Click, Hotkey, Move, Press, Scroll, Write
from workalike.core.screen import Point

pytestmark = pytest.mark.asyncio(loop_scope="session")

COLOURS = """<select aria-label=Colour onchange="document.title += ' change:' + this.value"
  oninput="document.title += ' input:' + this.value">
  <option>red</option><option>green</option><option disabled>grey</option>
  <optgroup label=Others><option value=b>blue</option></optgroup></select>"""


async def options(actor: Actor) -> list[str]:
    elements = (await actor.look()).observation.elements or ()
    return [one.name for one in elements if one.role == "option"]


async def test_a_select_opens_in_the_page_and_takes_a_click(actor: Actor) -> None:
    closed = await actor.open(COLOURS)
    await actor.click("Colour")
    opened = await actor.look()
    assert opened.picture != closed.picture
    assert await options(actor) == ["red", "green", "grey", "blue"]
    taken = await actor.click("blue")
    assert taken.hit is not None
    assert (taken.hit.role, taken.hit.name) == ("option", "blue")
    assert await actor.title() == "input:b change:b"
    assert (await actor.find("Colour")).value == "blue"
    assert await options(actor) == []


async def test_a_disabled_row_and_a_click_elsewhere_change_nothing(actor: Actor) -> None:
    await actor.open(COLOURS + "<p><button>Elsewhere</button>")
    await actor.click("Colour")
    await actor.click("grey")
    assert (await actor.find("Colour")).value == "red"
    await actor.do(Press(("esc",)))
    assert await options(actor) == []
    await actor.click("Colour")
    await actor.click("Colour")
    assert await options(actor) == []
    assert await actor.title() == ""


async def test_a_select_works_by_keyboard(actor: Actor) -> None:
    await actor.open(COLOURS)
    await actor.do(Press(("tab",)))
    await actor.do(Hotkey(("alt", "down")))
    assert await options(actor) == ["red", "green", "grey", "blue"]
    await actor.do(Press(("down", "down", "enter")))
    assert (await actor.find("Colour")).value == "blue"
    await actor.do(Press(("space",)))
    await actor.do(Write("gr"))
    await actor.do(Press(("enter",)))
    assert (await actor.find("Colour")).value == "green"
    await actor.do(Press(("up",)))
    assert (await actor.find("Colour")).value == "red"


async def test_a_long_list_scrolls(actor: Actor) -> None:
    rows = "".join(f"<option>Country {number}</option>" for number in range(200))
    await actor.open(f"<select aria-label=Country>{rows}</select>")
    await actor.click("Country")
    first = await options(actor)
    assert first[0] == "Country 0"
    assert 5 < len(first) < 40
    await actor.do(Scroll(dy=20, at=await actor.place("Country 3")))
    later = await options(actor)
    assert later[0] not in first
    await actor.click(later[3])
    assert (await actor.find("Country")).value == later[3]


async def test_a_select_in_a_modal_dialog_in_a_shadow_root_and_in_a_frame(actor: Actor) -> None:
    await actor.open(
        """<dialog id=d style="width:600px;height:500px"><select aria-label=Modal><option>a<option>b</select></dialog>
        <script>d.showModal()</script>"""
    )
    await actor.click("Modal")
    await actor.click("b")
    assert (await actor.find("Modal")).value == "b"
    await actor.open(
        """<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML =
        '<select aria-label=Shady><option>a<option>b</select>'</script>"""
    )
    await actor.click("Shady")
    await actor.click("b")
    assert (await actor.find("Shady")).value == "b"
    await actor.open(
        """<p>above</p><iframe style="width:400px;height:300px;margin:40px"
        srcdoc="<select aria-label=Framed><option>a<option>b</select>"></iframe>"""
    )
    await actor.click("Framed")
    await actor.click("b")
    assert (await actor.find("Framed")).value == "b"


async def test_a_page_that_prevents_the_press_keeps_its_own_list(actor: Actor) -> None:
    await actor.open(
        """<select aria-label=Own onmousedown="event.preventDefault(); document.title='own'">
          <option>a<option>b</select>"""
    )
    await actor.click("Own")
    assert await actor.title() == "own"
    assert await options(actor) == []


async def test_suggestions_of_a_datalist(actor: Actor) -> None:
    await actor.open(
        """<input list=l aria-label=City oninput="document.title=this.value">
        <datalist id=l><option value=Bern><option value=Berlin><option value=Rome></datalist>"""
    )
    await actor.click("City")
    assert await options(actor) == ["Bern", "Berlin", "Rome"]
    await actor.do(Write("Ber"))
    assert await options(actor) == ["Bern", "Berlin"]
    await actor.click("Berlin")
    assert await actor.title() == "Berlin"


async def test_hovering_marks_the_row(actor: Actor) -> None:
    await actor.open(COLOURS)
    await actor.click("Colour")
    before = (await actor.look()).picture
    await actor.do(Move(await actor.place("blue")))
    assert (await actor.look()).picture != before
    await actor.do(Press(("enter",)))
    assert (await actor.find("Colour")).value == "blue"


async def test_a_calendar_takes_clicks_and_keys(actor: Actor) -> None:
    await actor.open(
        "<input type=date aria-label=Day value=2025-02-03 max=2025-03-20 onchange='document.title=this.value'>"
    )
    await open_picker(actor, "Day")
    assert "selected" in (await actor.find("February 3, 2025")).states
    await actor.click("February 14, 2025")
    assert await actor.title() == "2025-02-14"
    await open_picker(actor, "Day")
    await actor.click("Next month")
    assert "March 21, 2025" not in await options(actor)
    await actor.click("March 5, 2025")
    assert await actor.title() == "2025-03-05"
    await open_picker(actor, "Day")
    await actor.do(Press(("right", "down", "enter")))
    assert await actor.title() == "2025-03-13"
    await open_picker(actor, "Day")
    await actor.do(Press(("esc",)))
    assert await options(actor) == []


@pytest.mark.parametrize(
    ("kind", "value", "choice", "chosen"),
    [
        ("month", "2025-02", "February 9, 2025", "2025-02"),
        ("week", "", None, None),
        ("datetime-local", "2025-02-03T10:15", "February 9, 2025", "2025-02-09T10:15"),
        ("time", "", "07:30", "07:30"),
        ("color", "#000000", "red", "#ff0000"),
    ],
)
async def test_pickers_of_other_fields(
    actor: Actor, kind: str, value: str, choice: str | None, chosen: str | None
) -> None:
    await actor.open(f"<input type={kind} aria-label=Field value='{value}' oninput='document.title=this.value'>")
    await open_picker(actor, "Field")
    offered = await options(actor)
    assert len(offered) > 10
    if choice is not None:
        await actor.click(choice)
        assert await actor.title() in (chosen, "")
        assert (await actor.find("Field")).value == chosen
    else:
        await actor.click(offered[9])
        assert (await actor.title()).split("-W")[1].isdigit()


async def open_picker(actor: Actor, name: str) -> None:
    box = (await actor.find(name)).box
    assert box is not None
    await actor.do(Click(Point(box.right - 12 / 1440, box.centre.y)))
