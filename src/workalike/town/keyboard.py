"""The oracle without a mouse: the same questions and moves, done by Tab, Enter, Space and the arrow keys alone."""

from __future__ import annotations

from workalike.core.actions import Action, Hotkey, Press, Wait, Write
from workalike.core.errors import AgentFailed
from workalike.core.observation import Element
from workalike.town.look import PATIENCE, PAUSE, Name, OracleView, Roles

STRIDE = 6
"""How many times Tab is pressed at once on the way to what is not in view."""
_GROUPED = ("radio", "menuitem", "tab", "option")
"""Roles within a group of which arrow keys move, not Tab."""
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
            return Press((_arrow(self.elements, focus, element),))
        return self._towards(element)

    def clicked(self, roles: Roles, name: Name, site: str = "", path: str = "") -> bool:
        """Whether an element of that name was pressed before, on a page like that."""
        for past in self.past:
            then = KeyboardView(past.observation)
            pressed = isinstance(past.action, Press) and past.action.keys[-1] in ("enter", "space")
            if pressed and (not site or then.at(site, path)):
                if any("focused" in each.states for each in then.all(roles, name)):
                    return True
        return False

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
        """Have an option of a drop-down chosen: by arrow keys, which take the next one each."""
        field = self.find(("combobox", "listbox"), name)
        if field is None:
            return self.seek(f"drop-down {name}")
        if (field.value or "") == option:
            return None
        return Press(("down",)) if "focused" in field.states else self._towards(field)

    def seek(self, what: str, up: bool = False) -> Action:
        """Tab on for something not in view, round and round."""
        run = self._run_of((Press, Wait))
        if len(run) > PATIENCE:
            raise AgentFailed(f"the oracle cannot find {what} on {self.url} by keyboard")
        return Press(("tab",) * STRIDE) if run else Wait(PAUSE)

    def _towards(self, element: Element) -> Action:
        """Tab, or Shift and Tab, as far as can be told from the order on the page; never beyond."""
        focus, stops = self.focus, [each for each in self.elements if each.role in _STOPS]
        if focus not in stops or element not in stops:
            return Press(("tab",))
        way = stops.index(element) - stops.index(focus)
        return Press(("tab",) * max(1, min(way // 2, STRIDE))) if way > 0 else Hotkey(("shift", "tab"))


def _arrow(elements: tuple[Element, ...], focus: Element, wanted: Element) -> str:
    return "down" if elements.index(wanted) > elements.index(focus) else "up"
