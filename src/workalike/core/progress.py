"""Progress events: libraries emit them, the command line draws them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """How far a long job has come. `given_up` were tried in vain; `good` counts what succeeded
    among the `judged`; `spent` is dollars, None when some
    of it is unknown; `costs` what all will have cost at this rate, `left` the seconds still to go, both None while
    nobody can tell."""

    done: int
    running: int
    total: int
    good: int | None = None
    judged: int = 0
    spent: float | None = 0.0
    left: float | None = None
    note: str = ""
    costs: float | None = None
    given_up: int = 0


Watch = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Watch nothing."""
