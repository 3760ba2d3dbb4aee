"""Templates of a kit, each put together from how its goals are drawn; its voices stand in a file by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Protocol

import msgspec

from workalike.town.site import Split
from workalike.town.template import Demand, Level, TaskDraft, Template
from workalike.town.town import Town


class MakeTemplate(Protocol):
    """How a kit makes its templates."""

    def __call__(
        self,
        name: str,
        category: str,
        level: Level,
        draw: Callable[[Town, Random], TaskDraft | None],
        split: Split = "test",
        demands: tuple[Demand, ...] = (),
    ) -> Template: ...


def templates_from(voices: Path, prefix: str) -> MakeTemplate:
    """Make templates with the voices of a file."""
    known = msgspec.json.decode(voices.read_bytes(), type=dict[str, tuple[str, ...]])

    def template(
        name: str,
        category: str,
        level: Level,
        draw: Callable[[Town, Random], TaskDraft | None],
        split: Split = "test",
        demands: tuple[Demand, ...] = (),
    ) -> Template:
        return Template(f"{prefix}-{name}", category, split, level, known[name], draw, demands)

    return template
