"""How each family of models is asked and answers, for acting and for training alike: prompts, history, pictures,
dialect. This is the one table of them, by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.families.base import Family
    from workalike.models.prompts import Prompts

FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "som": ("som", "Som", {}),
    "som-text": ("som", "Som", {"pictures": False}),
    "fara": ("fara", "Fara", {}),
    "fara-1.5": ("fara", "Fara", {"version": "1.5"}),
    "opencua": ("opencua", "OpenCua", {}),
    "opencua-relative": ("opencua", "OpenCua", {"coordinates": "relative"}),
    "uitars": ("uitars", "UiTars", {}),
    "qwen": ("qwen", "Qwen", {}),
    "qwen-2.5": ("qwen", "Qwen", {"version": "2.5"}),
    "openai": ("openai", "OpenAi", {}),
    "openai-preview": ("openai", "OpenAi", {"tool": "computer_use_preview"}),
    "anthropic": ("anthropic", "Anthropic", {}),
    "anthropic-2025": ("anthropic", "Anthropic", {"tool": "computer_20251124"}),
}
"""Each name's module, class, and settings that differ from the class's own."""


def names() -> tuple[str, ...]:
    """The families, and so the agents that ask a model."""
    return tuple(FAMILIES)


def family(name: str, options: Mapping[str, Any] | None = None, prompts: Prompts | None = None) -> Family[Any]:
    """A family with its settings. What the options say goes before what the name says.

    >>> family("fara-1.5", {"screenshots": 2}).settings.version
    '1.5'
    """
    if name not in FAMILIES:
        near = get_close_matches(name, FAMILIES, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        known = ", ".join(FAMILIES)
        raise BadInput(
            f"there is no agent {name!r} that asks a model: {meant}There are {known}, or your own MODULE:CLASS"
        )
    import msgspec

    from workalike.families.rehearsal import rehearse
    from workalike.models.prompts import Prompts

    module_name, class_name, preset = FAMILIES[name]
    module = import_module(f"workalike.families.{module_name}")
    settings = getattr(module, f"{class_name}Settings")
    try:
        chosen = msgspec.convert({**preset, **_worded(options or {})}, settings)
    except msgspec.ValidationError as error:
        known = ", ".join(settings.__struct_fields__)
        raise BadInput(f"the agent {name} cannot be set up like that ({error}); its options are {known}") from error
    made: Family[Any] = getattr(module, class_name)(chosen, prompts or Prompts())
    if prompts is not None and prompts.replaced:
        rehearse(made)
    return made


def _worded(options: Mapping[str, Any]) -> dict[str, Any]:
    """A version is a text, though `version=1.5` on a command line looks like a number."""
    return {
        name: f"{value:g}" if name == "version" and isinstance(value, float | int) else value
        for name, value in options.items()
    }
