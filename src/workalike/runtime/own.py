"""Things of somebody's own, named MODULE:NAME: an agent, an environment, a verifier, a benchmark. Found by name, and
refused in one sentence where they cannot be made."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from workalike.core.errors import BadInput, in_a_line


def is_own(name: str) -> bool:
    """Whether a name is the place of something of one's own."""
    return ":" in name


def load(place: str, what: str = "class") -> Any:
    """What MODULE:NAME names; a module in the current folder is found too."""
    module, colon, name = place.partition(":")
    if not colon or not name:
        raise BadInput(f"{place!r} names no {what}: write MODULE:{what.upper()}, as my_{what}:My{what.capitalize()}")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return getattr(import_module(module), name)
    except AttributeError as error:
        if error.name == name:
            raise BadInput(f"the module {module!r} has no {what} {name!r}") from None
        raise BadInput(f"the module {module!r} cannot be imported: {in_a_line(error)}") from error
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise BadInput(f"the module {module!r} cannot be imported: {in_a_line(error)}") from error
        nowhere = "it is neither in this folder nor among what is installed"
        raise BadInput(f"the module {module!r} cannot be imported: {nowhere}") from None
    except Exception as error:
        raise BadInput(f"the module {module!r} cannot be imported: {in_a_line(error)}") from error


def load_class(place: str) -> Callable[..., Any]:
    """The class that MODULE:CLASS names, or a function that makes one."""
    found = load(place)
    if not callable(found):
        raise BadInput(f"the module {place.partition(':')[0]!r} has no class {place.partition(':')[2]!r}")
    return found  # type: ignore[no-any-return]


def check_arguments(place: str, made: Callable[..., Any], given: Mapping[str, Any], option: str) -> None:
    """Refuse arguments that a class does not take; `option` is how they are given on the command line."""
    try:
        signature = inspect.signature(made)
    except (TypeError, ValueError):  # written in C: only calling it can tell
        return
    try:
        signature.bind(**given)
    except TypeError as error:
        taken = ", ".join(signature.parameters) or "no arguments"
        raise BadInput(f"{place} cannot be made: {error}; it takes {taken}, each given with {option}") from None
