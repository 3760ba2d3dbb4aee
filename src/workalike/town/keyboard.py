"""The oracle without a mouse: the same questions and moves, done by Tab, Enter, Space and the arrow keys alone."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action, Hotkey, Press, Wait, Write
from workalike.core.errors import AgentFailed
from workalike.core.observation import Element
from workalike.town.look import PATIENCE, PAUSE, Name, OracleView, Roles

STRIDE = 6
"""How many times Tab is pressed at once on the way to what is not in view."""
FURTHEST = 12
"""How many times at most where it is."""
_GROUPED = ("radio", "menuitem", "tab", "option")
"""Roles within a group of which arrow keys move, not Tab."""
_PRESSES = ("enter", "space")
_STOPS = ("link", "button", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton")


class KeyboardView(OracleView):
    """What the oracle sees that may not touch the mouse: to hit something is to have the focus there and press it."""

    @property
    def focus(self) -> Element | None:
        """What has the focus, where that is in view."""
        return next((each for each in self.elements if "focused" in each.states), None)

    def hit(self, element: Element, count: int = 1) -> Action:
        """Go to an element and press it; within a group by arrow keys, which choose a radio as they reach it."""
        if "focused" in element.states:
            return Press(("space",) if element.role in ("radio", "checkbox") else ("enter",))
        focus = self.focus
        if element.role in _GROUPED and focus is not None and focus.role == element.role:
            return _arrows([each for each in self.elements if each.role == element.role], focus, element)
        return self._towards(element)

    def clicked(self, roles: Roles, name: Name, site: str = "", path: str = "") -> bool:
        """Whether an element of that name was pressed before, on a page like that."""
        presses = [past for past in self.past if isinstance(past.action, Press) and past.action.keys[-1] in _PRESSES]
        views = [KeyboardView(past.observation) for past in presses]
        return any(
            "focused" in each.states
            for view in views
            if not site or view.at(site, path)
            for each in view.all(roles, name)
        )

    def fill(self, roles: Roles, name: Name, text: str, up: bool = False) -> Action | None:
        field = self.find(roles, name)
        if field is None:
            return self.seek(f"{roles} {name}", up)
        if (field.value or "") == text:
            return None
        if "focused" not in field.states:
            return self._towards(field)
        return Hotkey(("ctrl", "a")) if field.value and not isinstance(self.last, Hotkey) else Write(text)

    def pick(self, name: Name, option: str) -> Action | None:
        """Have an option of a drop-down chosen: by typing its name, or, where that is not enough, by arrow keys."""
        field = self.find(("combobox", "listbox"), name)
        if field is None:
            return self.seek(f"drop-down {name}")
        if (field.value or "") == option:
            return None
        if "focused" not in field.states:
            return self._towards(field)
        typed = any(isinstance(past.action, Write) and past.action.text == option for past in self.past[-STRIDE:])
        return Press(("down",)) if typed else Write(option)

    def tick(self, roles: Roles, name: Name) -> Action | None:
        """Have a box ticked or a radio chosen; among radios, one out of view is found by arrow keys."""
        among = roles == "radio" and self.focus is not None and self.focus.role == "radio"
        return Press(("down",) * 3) if among and self.find(roles, name) is None else super().tick(roles, name)

    def seek(self, what: str, up: bool = False) -> Action:
        """Tab on for something not in view, round and round."""
        run = self._run_of((Press, Wait))
        if len(run) > PATIENCE:
            raise AgentFailed(f"the oracle cannot find {what} on {self.url} by keyboard")
        return Press(("tab",) * STRIDE) if run else Wait(PAUSE)

    def _towards(self, element: Element) -> Action:
        """Tab, or Shift and Tab, as far as can be told from the order on the page. Where the focus is nowhere in view,
        behind a pop-up, say, not so far at once that all of what is in view could be passed."""
        focus, stops = self.focus, _stops(self.elements)
        if focus is None and isinstance(self.last, Press) and self.last.keys[-1] == "tab":
            return Press(("tab",) * max(1, min(len(stops), STRIDE)))
        wanted = _stop_of(self.elements, stops, element)
        if focus not in stops or wanted is None:
            return Press(("tab",))
        way = stops.index(wanted) - stops.index(focus)
        return Press(("tab",) * min(way, FURTHEST)) if way > 0 else Hotkey(("shift", "tab"))


def _arrows(group: list[Element], focus: Element, wanted: Element) -> Action:
    """From one element of a group to another."""
    way = group.index(wanted) - group.index(focus)
    return Press((("down" if way > 0 else "up"),) * abs(way))


def _stops(elements: Sequence[Element]) -> list[Element]:
    """What Tab stops at, as far as can be told: radios in a row are one stop, that which has the focus or the first."""
    found: list[Element] = []
    for each in elements:
        follows = each.role == "radio" and bool(found) and found[-1].role == "radio"
        if follows and "focused" in each.states:
            found[-1] = each
        elif each.role in _STOPS and not follows:
            found.append(each)
    return found


def _stop_of(elements: Sequence[Element], stops: list[Element], wanted: Element) -> Element | None:
    """Where Tab has to stop for an element: at itself, or at its row of radios."""
    if wanted in stops or wanted.role != "radio":
        return wanted if wanted in stops else None
    before = elements[: elements.index(wanted)]
    return next((each for each in reversed(before) if each in stops and each.role == "radio"), None)
