"""What the oracle's moves do with what is visible."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from workalike.core.actions import Action, Click, Hotkey, Press, Scroll, SwitchTab, Visit, Wait, Write
from workalike.core.errors import AgentFailed
from workalike.core.observation import Beyond, Element, Observation, TabInfo
from workalike.core.screen import Box
from workalike.town.look import PATIENCE, PAUSE, OracleView, Past
from workalike.town.sites import site_of

BOX = Box(0.1, 0.1, 0.2, 0.1)
FIELD = Element("textbox", "City", BOX, value="")
URL = "http://marlow.town.localhost/p/x?added=S-1"


def percept(*elements: Element, url: str = URL, tabs: tuple[TabInfo, ...] = ()) -> Observation:
    return Observation(url=url, elements=elements, tabs=tabs)


def after(*actions: Action, seen: Observation) -> list[Past]:
    return [Past(seen, action) for action in actions]


def test_names_match_whatever_their_case_and_only_in_view() -> None:
    look = OracleView(
        percept(Element("button", "Add to Bag", BOX), Element("button", "Below", Box(0.1, 1.4, 0.1, 0.1)))
    )
    assert look.find("button", "add to bag") is not None
    assert look.find("link", "add to bag") is None
    assert look.find("button", "Below") is None


def test_places_are_told_by_site_and_path() -> None:
    look = OracleView(percept())
    assert look.at("marlow", "/p/x$")
    assert not look.at("kestrel")
    assert look.was_at("marlow", r"/p/x\?added=S-1")


def test_a_field_is_clicked_then_cleared_then_written() -> None:
    filled = Element("textbox", "City", BOX, value="Boise")
    empty, full = percept(FIELD), percept(filled)
    assert isinstance(OracleView(empty).fill("textbox", "City", "Salem"), Click)
    click = Click(BOX.centre)
    assert OracleView(empty, after(click, seen=empty)).fill("textbox", "City", "Salem") == Write("Salem")
    assert OracleView(full, after(click, seen=full)).fill("textbox", "City", "Salem") == Hotkey(("ctrl", "a"))
    cleared = after(click, Hotkey(("ctrl", "a")), seen=full)
    assert OracleView(full, cleared).fill("textbox", "City", "Salem") == Write("Salem")
    assert OracleView(full, cleared).fill("textbox", "City", "") == Press(("backspace",))
    assert OracleView(full).fill("textbox", "City", "Boise") is None


def test_a_drop_down_is_opened_and_its_option_clicked() -> None:
    field, option = Element("combobox", "Size", BOX, value="S"), Element("option", "M", Box(0.5, 0.5, 0.1, 0.1))
    assert OracleView(percept(field)).pick("Size", "M") == Click(BOX.centre)
    assert OracleView(percept(field, option)).pick("Size", "M") == Click(Box(0.5, 0.5, 0.1, 0.1).centre)
    assert OracleView(percept(Element("combobox", "Size", BOX, value="M"))).pick("Size", "M") is None


def test_what_is_not_in_view_is_scrolled_for_to_the_end_and_back() -> None:
    seen = percept()
    steps: list[Past] = []
    done: list[Action] = []
    for _ in range(6):
        action = OracleView(seen, steps).click("button", "Deep down")
        done.append(action)
        steps.append(Past(seen, action))
    assert done[:4] == [Wait(0), Scroll(dy=4), Wait(0.2), Scroll(dy=-100)]
    with pytest.raises(AgentFailed, match="cannot find"):
        OracleView(seen, after(*[Scroll(dy=4)] * (PATIENCE + 1), seen=seen)).click("button", "Deep down")


def test_after_a_scroll_it_looks_again_before_clicking() -> None:
    seen = percept(Element("button", "Go", BOX))
    assert isinstance(OracleView(seen, after(Scroll(dy=4), seen=seen)).click("button", "Go"), Wait)


def test_a_site_is_entered_by_its_tab_or_its_address() -> None:
    tabs = (TabInfo("http://kestrel.town.localhost/c/mugs"), TabInfo(URL, active=True))
    assert OracleView(percept(tabs=tabs)).enter("kestrel") == SwitchTab(0)
    assert OracleView(percept()).enter("kestrel") == Visit("http://kestrel.town.localhost/")
    assert OracleView(percept()).enter("marlow") is None


def test_what_lies_over_the_page_is_cleared() -> None:
    for name in ("Accept all", "No thanks", "Try again"):
        assert OracleView(percept(Element("button", name, BOX))).clear() == Click(BOX.centre)
    assert OracleView(percept(Element("button", "Add to bag", BOX))).clear() is None


def test_clicks_are_remembered_by_what_they_hit() -> None:
    seen = percept(Element("button", "Apply", BOX))
    look = OracleView(percept(), after(Click(BOX.centre), seen=seen))
    assert look.clicked("button", "Apply", "marlow", "/p/")
    assert not look.clicked("button", "Apply", "kestrel")
    assert not look.clicked("button", "Cancel")


def test_a_strip_that_comes_late_is_waited_for_and_seen_by_who_asks_before_the_page_is_used() -> None:
    strip = Element("link", "Find out more", Box(0.5, 0.01, 0.1, 0.02))
    skin = next(each.name for each in site_of("marlow").skins if "shift" in each.mess)
    bare, moved = percept(FIELD), percept(strip, FIELD)

    def steady(now: Observation, *before: Observation) -> Action | None:
        return OracleView(now, [Past(each, Wait(PAUSE)) for each in before], {"marlow": skin}).steady()

    assert steady(bare) == Wait(PAUSE)
    assert steady(moved) == Wait(PAUSE), "it may have come after whoever asks has looked"
    assert steady(moved, moved) is None
    assert steady(replace(moved, time=2.0), moved) == Wait(PAUSE), "loaded again, it moves again"
    told = replace(moved, beyond=Beyond(below=1))
    assert steady(told) is None, "who is told how much page there is sees what whoever asks sees"
    assert steady(replace(bare, beyond=Beyond(below=1))) == Wait(PAUSE)
