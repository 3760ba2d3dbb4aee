"""How something is done, whatever it is: by keyboard alone, as people do it who cannot use a mouse. Sites that can tell
note it when something is pressed with a pointer, in a draft of their own."""

from __future__ import annotations

from collections.abc import Iterator

from workalike.core.key import Criterion, RowPattern
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.town import Town


class KeyboardOnly(Goal, frozen=True):
    """Nothing is pressed at a site with mouse, finger or pen, from the first page to the last."""

    site: str

    def forbidden(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern(f"{self.site}_pointer"),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("By keyboard", "Everything is done by keyboard; nothing is clicked.", 4.0),)

    def misses(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        yield "clicked somewhere", (self, PointerUsed(self.site))


class PointerUsed(Goal, frozen=True):
    """Something pressed with a pointer: only near misses do that."""

    site: str

    def perform(self, caller: Caller) -> None:
        caller.post(self.site, "/access/pointer", {"path": "/"})
