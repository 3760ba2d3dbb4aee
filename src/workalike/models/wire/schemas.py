"""JSON schemas in the narrow form that services can hold a model to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEPT = ("type", "const", "description", "title")
_TYPES = {"null": type(None), "boolean": bool, "integer": int, "number": float, "string": str}
_SILENT = ("default", "discriminator", "$schema")


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """A schema as services hold a model to it: every object closed, all of its fields required, bounds told in words
    only (the answer is checked against them when it is read). None where it cannot be said so: an object with any
    fields, anything at all, a reference.

    >>> strict_schema({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})["required"]
    ['n']
    """
    if schema.get("type") != "object":
        return None
    try:
        return _strict(schema)
    except _Inexpressible:
        return None


class _Inexpressible(ValueError):
    """A schema that is wider than services take."""


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping):
        raise _Inexpressible
    if "enum" in schema:
        return _choice(schema)
    made = {name: schema[name] for name in _KEPT if name in schema}
    rest = {name: value for name, value in schema.items() if name not in (*_KEPT, *_SILENT)}
    branches = rest.pop("anyOf", None) or rest.pop("oneOf", None)
    if branches:
        made["anyOf"] = [_strict(branch) for branch in branches]
    elif schema.get("type") == "object":
        made |= _object(rest)
    elif schema.get("type") == "array":
        made["items"] = _strict(rest.pop("items", None))
    elif "type" not in made and "const" not in made:
        raise _Inexpressible
    if "$ref" in rest or rest.get("prefixItems"):
        raise _Inexpressible
    return _with_words(made, rest)


def _choice(schema: Mapping[str, Any]) -> dict[str, Any]:
    """One of some values, told by their types: without a type no service takes them."""
    by_type = {name: [each for each in schema["enum"] if type(each) is kind] for name, kind in _TYPES.items()}
    branches = [{"type": name, "enum": values} for name, values in by_type.items() if values]
    told = {"description": schema["description"]} if "description" in schema else {}
    if not branches:
        raise _Inexpressible
    return {**branches[0], **told} if len(branches) == 1 else {"anyOf": branches, **told}


def _object(rest: dict[str, Any]) -> dict[str, Any]:
    """An object's fields, taken out of what is left of its schema."""
    fields, more = rest.pop("properties", None), rest.pop("additionalProperties", False)
    rest.pop("required", None)
    if fields is None or (isinstance(more, Mapping) and more) or more is True:
        raise _Inexpressible
    closed = {"properties": {name: _strict(field) for name, field in fields.items()}, "required": list(fields)}
    return {**closed, "additionalProperties": False}


def _with_words(made: dict[str, Any], bounds: Mapping[str, Any]) -> dict[str, Any]:
    if not bounds:
        return made
    said = ", ".join(f"{name} {value}" for name, value in bounds.items())
    return {**made, "description": f"{made['description']} ({said})" if made.get("description") else said}
