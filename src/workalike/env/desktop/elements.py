"""What a desktop's accessibility tree has to say to an agent: elements to act on, and the tree as text."""

from __future__ import annotations

from collections.abc import Iterator

from workalike.core.observation import Element
from workalike.core.recording import TreeNode
from workalike.core.screen import Box, Size

ACTED_ON = {
    *("push button", "toggle button", "radio button", "check box", "combo box", "entry", "text", "password text"),
    *("spin button", "slider", "link", "menu", "menu item", "check menu item", "radio menu item", "page tab"),
    *("list item", "tree item", "table cell", "icon", "terminal", "scroll bar", "push button menu", "document text"),
    *("table column header", "table row header", "calendar", "switch", "document web", "editbar"),
}


def element_of(node: TreeNode, size: Size, mark: int | None = None) -> Element:
    """A node as an element: its box in fractions of the screen."""
    box = None
    if node.box is not None:
        x, y, width, height = node.box
        box = Box(x / size.width, y / size.height, width / size.width, height / size.height)
    return Element(node.role, node.name, box, mark, node.value or None, states=node.states)


def elements_of(tree: TreeNode, size: Size) -> tuple[Element, ...]:
    """What of a tree a person could act on, numbered from 1 in reading order."""
    found = (node for node in walk(tree) if node.role in ACTED_ON and _seen(node, size))
    return tuple(element_of(node, size, number) for number, node in enumerate(found, 1))


def outline(tree: TreeNode) -> str:
    """A tree as indented lines: role, name, value and place of everything that says something."""
    return "\n".join(_lines(tree, 0))


def walk(tree: TreeNode) -> Iterator[TreeNode]:
    yield tree
    for child in tree.children:
        yield from walk(child)


def focused(tree: TreeNode) -> TreeNode | None:
    """The innermost node that has the keyboard."""
    for child in tree.children:
        found = focused(child)
        if found is not None:
            return found
    return tree if "focused" in tree.states else None


def node_at(tree: TreeNode, x: int, y: int) -> TreeNode | None:
    """The innermost node at a place of the screen, later siblings before earlier ones."""
    if tree.box is not None and not inside(tree.box, (x, y)):
        return None
    for child in reversed(tree.children):
        found = node_at(child, x, y)
        if found is not None:
            return found
    return tree if tree.box is not None else None


def inside(box: tuple[int, int, int, int], at: tuple[int, int]) -> bool:
    x, y, width, height = box
    return x <= at[0] < x + width and y <= at[1] < y + height


def _lines(node: TreeNode, depth: int) -> Iterator[str]:
    says = bool(node.name or node.value or node.role in ACTED_ON)
    if says:
        value = f" = {node.value!r}" if node.value else ""
        place = " at {},{} {}×{}".format(*node.box) if node.box else ""
        states = f" ({', '.join(node.states)})" if node.states else ""
        yield f"{'  ' * depth}{node.role} {node.name!r}{value}{place}{states}"
    for child in node.children:
        yield from _lines(child, depth + says)


def _seen(node: TreeNode, size: Size) -> bool:
    if node.box is None:
        return False
    x, y, width, height = node.box
    return x < size.width and y < size.height and x + width > 0 and y + height > 0
