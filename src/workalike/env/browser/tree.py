"""The accessibility tree as text: one line a node, indented, as screen readers would go through it."""

from __future__ import annotations

from typing import Any

_SILENT = {"none", "generic", "InlineTextBox", "LineBreak", "LayoutTable", "presentation"}
_STATES = ("checked", "selected", "expanded", "pressed", "disabled", "required", "focused", "readonly", "invalid")
MOST_LINES = 3000
_LONGEST = 200


def tree_text(nodes: list[dict[str, Any]]) -> str:
    """The lines of a full accessibility tree as the browser's protocol gives it."""
    known = {node["nodeId"]: node for node in nodes}
    lines: list[str] = []
    stack = [(node, 0) for node in reversed(nodes) if node.get("parentId") not in known]
    while stack and len(lines) < MOST_LINES:
        node, depth = stack.pop()
        line = _line(node, known)
        if line:
            lines.append("  " * depth + line)
        children = [known[key] for key in node.get("childIds", ()) if key in known]
        stack += [(child, depth + bool(line)) for child in reversed(children)]
    if stack:
        lines.append("[the tree goes on]")
    return "\n".join(lines)


def _line(node: dict[str, Any], known: dict[str, dict[str, Any]]) -> str:
    """What is said of a node; nothing for one that only groups, or repeats the name of what it stands in."""
    role = _value(node.get("role"))
    name = _value(node.get("name"))[:_LONGEST]
    if node.get("ignored") or role in _SILENT:
        return ""
    parent = known.get(node.get("parentId", ""))
    if role == "StaticText" and (not name.strip() or (parent and _value(parent.get("name")) == name)):
        return ""
    words = ["text" if role == "StaticText" else "page" if role == "RootWebArea" else role]
    words += [repr(name)] if name else []
    value = _value(node.get("value"))[:_LONGEST]
    words += [f"value={value!r}"] if value and not _is_secret(node) else []
    words += _states(node)
    return " ".join(words)


def _states(node: dict[str, Any]) -> list[str]:
    found = {one["name"]: _value(one.get("value")) for one in node.get("properties", ())}
    told = []
    for state in _STATES:
        match found.get(state):
            case "true":
                told.append(state)
            case "mixed":
                told.append(f"{state}=mixed")
            case "false" if state in ("checked", "expanded"):
                told.append(f"not {state}")
    return told


def _is_secret(node: dict[str, Any]) -> bool:
    """Browsers mask what is in a password field themselves; this leaves even its length out."""
    value = _value(node.get("value"))
    return bool(value) and set(value) <= {"•", "*", "●"}


def _value(field: dict[str, Any] | None) -> str:
    value = (field or {}).get("value", "")
    return str(value).lower() if isinstance(value, bool) else str(value)
