"""A goal is one thing that a task comes down to: it owns the rows it changes, its criteria, how it is done by plain
requests, the oracle's next move towards it, and the near misses around it. A task's plan is a tuple of goals, over any
sites, in the order in which they are pursued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from workalike.core.actions import Action
from workalike.core.errors import BadInput
from workalike.core.key import Criterion, RowPattern

if TYPE_CHECKING:
    from workalike.town.caller import Caller
    from workalike.town.look import OracleView
    from workalike.town.town import Town

KINDS: dict[str, type[Goal]] = {}
"""Every goal that a loaded site knows, by its name in a plan."""


class Goal(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="goal"):
    """What is to be reached. A kit's goals say only what holds for them; the rest is as here: nothing."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        KINDS[cls.__name__] = cls

    @property
    def leave(self) -> bool:
        """Whether the user gave leave to enter personal data."""
        return False

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        """The rows that must change."""
        return ()

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """Rows that may change on the way there."""
        return ()

    def forbidden(self, town: Town) -> tuple[RowPattern, ...]:
        """Rows that must not change, not even in a draft."""
        return ()

    def reached(self, town: Town) -> tuple[RowPattern, ...]:
        """Rows any one of which tells that the critical point was reached, where the goal is to stop there."""
        return ()

    def criteria(self) -> tuple[Criterion, ...]:
        """What judges look for who see screens instead of rows."""
        return ()

    def perform(self, caller: Caller) -> None:
        """Do it by plain requests, as the pages' own forms would."""

    def next(self, look: OracleView) -> Action | None:
        """What the oracle does next for it; None once it is reached."""
        return None

    def misses(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        """One small mistake each: what it is, and what is done instead of this goal."""
        yield from ()

    def cross(self, caller: Caller) -> bool:
        """Go past the critical point, as somebody would who then begins anew; False where there is none."""
        return False


def write_goals(goals: Iterable[Goal]) -> list[dict[str, Any]]:
    """Goals as plain JSON."""
    return msgspec.json.decode(msgspec.json.encode(list(goals)), type=list[dict[str, Any]])


def read_goals(written: Sequence[dict[str, Any]]) -> tuple[Goal, ...]:
    """The goals of a plan."""
    from workalike.town.sites import load_all

    load_all()
    try:
        return tuple(msgspec.convert(each, KINDS[each["goal"]]) for each in written)
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise BadInput(f"this plan is none of the town's: {error}; was it made by another version?") from None


def all_misses(goals: Sequence[Goal], town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
    """Every plan that is one mistake away from this one."""
    for place, goal in enumerate(goals):
        for label, instead in goal.misses(town):
            yield label, (*goals[:place], *instead, *goals[place + 1 :])
