"""A template of the hotel sites, put together from how its plan is drawn and worded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from workalike.core.key import Answer
from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.tasks.misses import misses
from workalike.town.hotelkit.tasks.oracle import oracle
from workalike.town.hotelkit.tasks.perform import perform
from workalike.town.hotelkit.tasks.plan import StayPlan
from workalike.town.hotelkit.tasks.truth import critical_point, evaluator_of, rubric_of
from workalike.town.site import Split
from workalike.town.template import Level, Sketch, Template, write_plan
from workalike.town.town import Town

_VOICES = msgspec.json.decode((Path(__file__).parent / "voices.json").read_bytes(), type=dict[str, tuple[str, ...]])


class Case(msgspec.Struct, frozen=True):
    """One drawn case: the plan, what fills the voices, what must be answered, where a wall stands."""

    plan: StayPlan
    slots: dict[str, str]
    answers: tuple[Answer, ...] = ()
    wall: dict[str, str] = {}


def template(name: str, level: Level, draw: Callable[[Town, Random], Case | None], split: Split = "test") -> Template:
    """A template whose truth, requests, near misses and oracle all follow from its plan, its voices from its name."""

    def sketch(town: Town, rng: Random) -> Sketch | None:
        case = draw(town, rng)
        return _sketch(town, case) if case else None

    return Template(f"hotel-{name}", "hotels", split, level, _VOICES[name], sketch, perform, misses, oracle)


def _sketch(town: Town, case: Case) -> Sketch:
    # no booking can be reached behind a wall, so none is asked for
    truth = replace(case.plan, book=None) if case.wall else case.plan
    return Sketch(
        plan=write_plan(case.plan),
        slots=case.slots,
        evaluator=evaluator_of(town, truth, case.answers),
        rubric=rubric_of(truth, case.answers),
        sites=tuple(AGENCIES),
        critical_point=critical_point(truth),
        persona=case.plan.persona,
        wall=case.wall,
    )
