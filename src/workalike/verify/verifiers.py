"""Verifiers by name, made from their specs, and asked so that one that breaks harms nothing but its own verdict."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import msgspec

from workalike.core.contracts import Case, Needs, PictureSource, Verifier, VerifierSpec
from workalike.core.errors import BadInput, Infrastructure, OverBudget, in_a_line
from workalike.core.key import Key
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict, ungraded
from workalike.models.interface import ModelProvider
from workalike.models.keys import Keys
from workalike.models.prompts import Prompts
from workalike.runtime.own import check_arguments, is_own, load_class
from workalike.verify import state
from workalike.verify.efficiency import EfficiencyVerifier
from workalike.verify.judging import ModelVerifier
from workalike.verify.recovered import RecoveredVerifier
from workalike.verify.refusal import RefusalVerifier
from workalike.verify.rubric import RubricVerifier
from workalike.verify.state import StateVerifier
from workalike.verify.uv import UniversalVerifier
from workalike.verify.webjudge import WebJudge
from workalike.verify.webvoyager import WebVoyagerJudge

Make = Callable[[VerifierSpec, ModelProvider | None, Prompts], Verifier]


def _state(spec: VerifierSpec, models: ModelProvider | None, prompts: Prompts) -> Verifier:
    if spec.options or spec.model:
        raise BadInput("the verifier state reads the database and asks no model: leave its model and options out")
    return StateVerifier()


def _asking(kind: type[ModelVerifier]) -> Make:
    """Who makes a verifier of ours that asks a model."""

    def make(spec: VerifierSpec, models: ModelProvider | None, prompts: Prompts) -> Verifier:
        if spec.model is None or models is None:
            raise BadInput(f"the verifier {kind.name} asks a model: name the judge's, or be it yourself with --by-hand")
        given = {"models": models, "model": spec.model, "prompts": prompts, "sampling": spec.sampling, **spec.options}
        check_arguments(kind.name, kind, given, "an option NAME=VALUE")
        return kind(**given)

    return make


ASKING: tuple[type[ModelVerifier], ...] = (
    *(RubricVerifier, UniversalVerifier, WebJudge, WebVoyagerJudge),
    *(RefusalVerifier, EfficiencyVerifier, RecoveredVerifier),
)
MAKERS: dict[str, Make] = {state.NAME: _state, **{kind.name: _asking(kind) for kind in ASKING}}
"""Who makes each of ours. What it cannot be made with is said before anything starts."""


def names() -> list[str]:
    """The verifiers there are."""
    return list(MAKERS)


def make_verifier(spec: VerifierSpec, models: ModelProvider | None = None, prompts: Prompts | None = None) -> Verifier:
    """The verifier that a spec names. `models` opens the judge's model, where it needs one.

    >>> make_verifier(VerifierSpec("state")).needs.key
    'all'
    """
    if is_own(spec.name):
        return _own(spec, models)
    if spec.name not in MAKERS:
        known = ", ".join(names())
        raise BadInput(f"there is no verifier {spec.name!r}; there are {known}, and your own as MODULE:CLASS")
    return MAKERS[spec.name](spec, models, prompts or Prompts())


def asks_model(name: str) -> bool:
    """Whether a verifier asks a model, told before it is made."""
    if not is_own(name):
        return name in MAKERS and name != state.NAME
    needs = getattr(load_class(name), "needs", None)
    return isinstance(needs, Needs) and needs.model


def case_for(needs: Needs, trajectory: Trajectory, key: Key | None) -> Case:
    """A case with as much of the key as a verifier may see."""
    if key is None or needs.key == "none":
        return Case(trajectory)
    return Case(trajectory, key if needs.key == "all" else Key(key.task_id, rubric=key.rubric))


async def judged(verifier: Verifier, trajectory: Trajectory, key: Key | None, pictures: PictureSource) -> Verdict:
    """What a verifier says of a trajectory. Whatever it raises is its own failure, and leaves the attempt ungraded;
    trouble of a service and money that has run out are raised, since it can be asked again."""
    try:
        verdict = await verifier.judge(case_for(verifier.needs, trajectory, key), pictures)
    except (Infrastructure, OverBudget):
        raise
    except Exception as error:
        said = Keys.load().redact(in_a_line(error))
        return ungraded(trajectory.id, verifier.name, f"the verifier {verifier.name} raised {said}")
    problem = verdict_problem(verdict, verifier.name, trajectory.id)
    return ungraded(trajectory.id, verifier.name, problem) if problem else verdict


def verdict_problem(verdict: object, verifier: str, trajectory: str) -> str | None:
    """Why what came back from `judge` is no verdict on this trajectory."""
    if not isinstance(verdict, Verdict):
        return f"`judge` must return a `Verdict`, not {type(verdict).__name__}"
    try:
        msgspec.convert(msgspec.to_builtins(verdict), Verdict)
    except (msgspec.ValidationError, TypeError) as error:
        return f"`judge` returned a verdict that cannot be written: {error}"
    if verdict.trajectory != trajectory or verdict.verifier != verifier:
        return f"`judge` returned a verdict of {verdict.verifier!r} on {verdict.trajectory!r}, not its own on this one"
    if verdict.outcome == "ungraded" and not verdict.reason:
        return "a verdict that is ungraded must say the reason"
    if verdict.process is not None and not 0 <= verdict.process <= 1:
        return f"the process score must lie between 0 and 1, not at {verdict.process:g}"
    return None


def shape_problems(verifier: object) -> dict[str, str | None]:
    """What a verifier must have, each with what is wrong with it."""
    name, needs, settings = (getattr(verifier, each, None) for each in ("name", "needs", "settings"))
    estimate = callable(getattr(verifier, "estimate", None))
    judge = inspect.iscoroutinefunction(getattr(verifier, "judge", None))
    return {
        "has a name": None if isinstance(name, str) and name else "`name` must be a text that is not empty",
        "says what it needs": None if isinstance(needs, Needs) else "`needs` must be a `Needs`",
        "tells its settings": None if isinstance(settings, dict) else "`settings` must be a dict of plain JSON",
        "has estimate": None if estimate else "`estimate` must be written `def estimate(self, case)`",
        "has judge": None if judge else "`judge` must be written `async def judge(self, case, pictures)`",
    }


def _own(spec: VerifierSpec, models: ModelProvider | None) -> Verifier:
    """A verifier of somebody's own; what cannot be made is said at once."""
    place, made = spec.name, load_class(spec.name)
    given = dict(spec.options)
    asks = asks_model(place)
    if asks and spec.model is None:
        raise BadInput(f"the verifier {place} asks a model: name the judge's with --judge MODEL")
    if spec.model is not None and not asks:
        raise BadInput(f"the verifier {place} says in its `needs` that it asks no model: leave {spec.model} out")
    if asks:
        given |= {"models": models, "model": spec.model}
    check_arguments(place, made, given, "an option NAME=VALUE")
    try:
        verifier = made(**given)
    except Exception as error:
        raise BadInput(f"{place} cannot be made: it raised {Keys.load().redact(in_a_line(error))}") from None
    problems = [problem for problem in shape_problems(verifier).values() if problem]
    if problems:
        raise BadInput(f"{place} is no verifier: {problems[0]}; `workalike check-verifier {place}` checks all of it")
    return verifier  # type: ignore[no-any-return]
