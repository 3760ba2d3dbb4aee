"""Accessibility trees of AgentNetTool: UI Automation's on Windows, AX's on macOS (on Linux it records none)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from workalike.core.observation import Element
from workalike.core.recording import TreeNode
from workalike.core.screen import Box, Size

_DEEPEST = 200
_PASSIVE = frozenset(("Text", "StaticText", "Image"))
_PRESSABLE = frozenset(
    ("Button", "CheckBox", "ComboBox", "DataItem", "Edit", "Hyperlink", "Link", "ListItem", "MenuItem", "RadioButton",
     "Slider", "SplitButton", "TabItem", "TreeItem", "PopUpButton", "Cell", "Row", "TextField")
)  # fmt: skip
_MAC_STATES = {"AXEnabled": "enabled", "AXFocused": "focused", "AXSelected": "selected", "AXFullScreen": "full screen"}


class Desktop(msgspec.Struct, frozen=True):
    """How large a tree says the desktop is, in the tree's own units. Only some trees tell the height."""

    width: float
    height: float | None = None


def tree_node(raw: Any, scale: float = 1.0, depth: int = 0) -> TreeNode | None:
    """A node with all below it, its boxes multiplied by `scale`; None for what is no node at all."""
    if not isinstance(raw, dict) or depth > _DEEPEST:
        return None
    children = (tree_node(child, scale, depth + 1) for child in _children(raw))
    role = _text(raw.get("ControlType")).removesuffix("Control") or _text(raw.get("AXRole")).removeprefix("AX")
    value = _text(raw.get("AXValue"))
    box = _scaled(_box(raw), scale)
    return TreeNode(
        role=role or "unknown",
        name=_name(raw),
        box=box,
        value=value or None,
        states=tuple(name for key, name in _MAC_STATES.items() if _text(raw.get(key)).lower() in ("1", "true")),
        children=tuple(child for child in children if child is not None),
    )


def desktop(raw: Any) -> Desktop | None:
    """What the root of a Windows tree says about the desktop: the desktop itself and the task bar span it, a
    maximised window hangs over its edges."""
    box = _box(raw) if isinstance(raw, dict) else None
    if box is None or "ControlType" not in raw:
        return None
    left, top, width, height = box
    name, kind = _text(raw.get("Name")), raw["ControlType"]
    if kind == "PaneControl" and left == 0 and (name == "Taskbar" or (top == 0 and name.startswith("Desktop"))):
        return Desktop(width, top + height)
    overhang = -left
    if kind == "WindowControl" and left == top and 4 <= overhang <= 16:
        return Desktop(width - 2 * overhang)
    return None


def nodes_at(root: TreeNode, x: float, y: float) -> list[TreeNode]:
    """The nodes whose boxes a place lies in."""
    return [node for node in nodes(root) if node.box and _contains(node.box, x, y)]


def target(under: Sequence[TreeNode]) -> TreeNode:
    """The one of several nodes at a place that a person would name: the smallest with a name, else the smallest; where
    that is only the label of something to press, what it labels."""
    named = [node for node in under if node.name] or under
    best = min(named, key=_area)
    return labelled(best, under) if is_label(best) else best


def is_label(node: TreeNode) -> bool:
    """Whether a node only says something about another."""
    return node.role in _PASSIVE


def labelled(label: TreeNode, under: Sequence[TreeNode]) -> TreeNode:
    """What a label stands on, among the nodes at its place, or the label itself."""
    pressable = [node for node in under if node.role in _PRESSABLE and node.name in ("", label.name)]
    found = min(pressable, key=_area, default=label)
    return found if found.name else msgspec.structs.replace(found, name=label.name)


def _area(node: TreeNode) -> int:
    return node.box[2] * node.box[3] if node.box else 0


def element(node: TreeNode, shown: Size) -> Element:
    """A node as an element on what the frames show."""
    return Element(
        role=node.role, name=node.name, box=_fractions(node.box, shown), value=node.value, states=node.states
    )


def nodes(root: TreeNode) -> Iterator[TreeNode]:
    """A node and all below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def _children(raw: dict[str, Any]) -> Iterator[Any]:
    """UI Automation has `Children`; the tool's AX trees keep theirs under whichever attribute came last."""
    for key, value in raw.items():
        if isinstance(value, list) and (key == "Children" or key.startswith("AX")):
            yield from value


def _box(raw: dict[str, Any]) -> tuple[float, float, float, float] | None:
    """Left, top, width, height, from either system's form. AX frames may be the text of a dictionary."""
    frame = raw.get("BoundingRectangle", raw.get("AXFrame"))
    if isinstance(frame, str):
        try:
            frame = ast.literal_eval(frame)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
    if not isinstance(frame, dict):
        return None
    edges = [
        frame.get(key) for key in (("left", "top", "right", "bottom") if "left" in frame else ("x", "y", "w", "h"))
    ]
    if not all(isinstance(edge, int | float) and abs(edge) < 1e6 for edge in edges):
        return None
    left, top, wide, high = (float(edge) for edge in edges)  # type: ignore[arg-type]
    if "left" in frame:
        wide, high = wide - left, high - top
    return (left, top, wide, high) if wide > 0 and high > 0 else None


def _scaled(box: tuple[float, float, float, float] | None, scale: float) -> tuple[int, int, int, int] | None:
    if box is None:
        return None
    left, top, wide, high = (round(length * scale) for length in box)
    return left, top, wide, high


def _contains(box: tuple[int, int, int, int], x: float, y: float) -> bool:
    return box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]


def _fractions(box: tuple[int, int, int, int] | None, shown: Size) -> Box | None:
    if box is None:
        return None
    wide, high = shown.width, shown.height
    return Box(box[0] / wide, box[1] / high, box[2] / wide, box[3] / high)


def _name(raw: dict[str, Any]) -> str:
    for key in ("Name", "AXTitle", "AXDescription", "AXHelp"):
        if text := _text(raw.get(key)):
            return text
    return ""


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
