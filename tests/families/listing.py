"""The list of elements that `som` is shown, read back: for whoever plays its model in tests."""

from __future__ import annotations

import re

from workalike.core.observation import Element

_LISTED = re.compile(r'^\[(\d+)\] (\w+) "(.*?)"(?: = "(.*?)")?(?: \((.*?)\))?$', re.MULTILINE)


def listed(text: str) -> tuple[Element, ...]:
    """The elements in a list as `som` writes it: marks, roles, names, values and states, but no places."""
    return tuple(
        Element(role, name, mark=int(mark), value=value or None, states=tuple(states.split(", ")) if states else ())
        for mark, role, name, value, states in _LISTED.findall(text)
    )
