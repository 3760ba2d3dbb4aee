"""Trees of both systems, what they say about the desktop, and what a person would say was pressed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.recording import TreeNode
from workalike.core.screen import Box, Size
from workalike.formats.agentnet_tool_trees import Desktop, desktop, element, labelled, nodes_at, target, tree_node


def windows_node(kind: str, name: str, *edges: float, children: list[Any] | None = None) -> dict[str, Any]:
    box = dict(zip(("left", "top", "right", "bottom"), edges, strict=True))
    return {"Name": name, "ControlType": f"{kind}Control", "BoundingRectangle": box, "Children": children or []}


@pytest.mark.parametrize(
    ("node", "size"),
    [
        (windows_node("Pane", "Desktop 1", 0, 0, 1120, 700), Desktop(1120, 700)),
        (windows_node("Pane", "Taskbar", 0, 728, 1366, 768), Desktop(1366, 768)),
        (windows_node("Window", "Settings", -8, -8, 1374, 736), Desktop(1366)),
        (windows_node("Window", "Settings", 10, 10, 600, 400), None),
        (windows_node("Pane", "Notes", 0, 0, 600, 400), None),
        ({"AXRole": "AXWindow", "AXFrame": {"x": 0, "y": 0, "w": 1440, "h": 900}}, None),
        ([], None),
    ],
)
def test_what_a_root_says_about_the_desktop(node: Any, size: Desktop | None) -> None:
    assert desktop(node) == size


def test_boxes_come_in_the_units_of_the_events() -> None:
    node = tree_node(windows_node("Button", "OK", 10, 20, 110, 60), scale=1.5)
    assert node is not None
    assert (node.role, node.box) == ("Button", (15, 30, 150, 60))
    assert element(node, Size(300, 300)).box == Box(0.05, 0.1, 0.5, 0.2)


@pytest.mark.parametrize(
    "frame",
    ["{'x': 1.0, 'y': 2.0, 'w': 3.0, 'h': 4.0, 'type': 'r'}", {"x": 1, "y": 2, "w": 3, "h": 4}],
)
def test_frames_of_a_mac_may_be_text(frame: Any) -> None:
    node = tree_node({"AXRole": "AXButton", "AXDescription": "Back", "AXFrame": frame, "AXFocused": 1})
    assert node == TreeNode("Button", "Back", (1, 2, 3, 4), states=("focused",))


@pytest.mark.parametrize("frame", ["__import__('os')", "{'x': ", {"x": None}, 7, {"x": 0, "y": 0, "w": -1, "h": 3}])
def test_a_frame_that_is_none_costs_only_itself(frame: Any) -> None:
    node = tree_node({"AXRole": "AXButton", "AXTitle": "Go", "AXFrame": frame})
    assert node == TreeNode("Button", "Go")


def test_a_label_gives_way_to_what_it_labels() -> None:
    text = windows_node("Text", "Power & sleep", 48, 409, 149, 429)
    item = windows_node("ListItem", "Power & sleep", 0, 395, 320, 443, children=[text])
    root = tree_node(windows_node("Window", "Settings", 0, 0, 1120, 660, children=[item]))
    assert root is not None
    under = nodes_at(root, 100, 420)
    assert {node.role for node in under} == {"Window", "ListItem", "Text"}
    assert (target(under).role, target(under).name) == ("ListItem", "Power & sleep")


def test_a_label_on_a_button_without_a_name_lends_it_its_own() -> None:
    label = TreeNode("Text", "Send", (5, 5, 10, 10))
    assert labelled(label, [TreeNode("Button", "", (0, 0, 30, 30)), label]).name == "Send"
    assert labelled(label, [TreeNode("Button", "Other", (0, 0, 30, 30)), label]) is label


def test_a_tree_may_be_absurdly_deep() -> None:
    node: dict[str, Any] = windows_node("Pane", "", 0, 0, 1, 1)
    for _ in range(900):
        node = windows_node("Pane", "", 0, 0, 1, 1, children=[node])
    assert tree_node(node) is not None


NO_FRAMES: tuple[Any, ...] = (
    "{[]: 1}", "{{}: 1}", "{1}", "x", "", "[1, 2]", "{'x': 1}", "{'x': '1', 'y': 1, 'w': 1, 'h': 1}", "9" * 5000,
    "(" * 5000,
    "{'x': 1e999, 'y': 0, 'w': 5, 'h': 5}", "{'x': 1j, 'y': 0, 'w': 5, 'h': 5}", "\0", "{'x':" + "9" * 400 + "}",
    None, 5, 2.5, True, [], [[]], {}, {"x": None}, {"x": 10**400, "y": 0, "w": 5, "h": 5}, {"left": 3},
    {"x": float("nan"), "y": 0, "w": 5, "h": 5}, {"x": 0, "y": 0, "w": -5, "h": 5},
)  # fmt: skip


@pytest.mark.parametrize("frame", NO_FRAMES, ids=range(len(NO_FRAMES)))
@pytest.mark.parametrize("name", ["AXFrame", "BoundingRectangle"])
def test_a_frame_that_is_none_is_no_place(frame: Any, name: str) -> None:
    node = tree_node({"AXRole": "AXButton", "AXTitle": "OK", name: frame})
    assert node is not None
    assert node.box is None


@given(st.text() | st.recursive(st.none() | st.integers() | st.floats() | st.text(), lambda one: st.lists(one)))
def test_any_frame_is_a_place_or_none(frame: Any) -> None:
    for given_ in (frame, repr(frame), {"x": frame, "y": frame, "w": frame, "h": frame}):
        node = tree_node({"AXRole": "AXButton", "AXFrame": given_})
        assert node is not None
