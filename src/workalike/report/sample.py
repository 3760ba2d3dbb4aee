"""A few trajectories of a run, to be looked at within a report: what a failure looked like, and a success beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from workalike.core.actions import points
from workalike.core.errors import BadInput, WorkalikeError
from workalike.core.observation import Observation
from workalike.core.screen import Size
from workalike.core.trajectory import Step, Trajectory
from workalike.core.verdict import Verdict
from workalike.core.wording import in_words
from workalike.pictures.actions import draw_action
from workalike.pictures.codec import decode, encode, resize
from workalike.report.reading import RunResults
from workalike.report.results import Result
from workalike.report.table import words
from workalike.store.layers import verdicts_of
from workalike.store.pictures import PictureSource
from workalike.store.runs import ATTEMPTS, Run
from workalike.store.trajectories import FILE, read_trajectory

FIRST, LAST = 5, 3
"""So many steps of a trajectory are shown at its beginning and at its end; what is between is counted."""
THUMBNAIL, QUALITY = 400, 62
LONGEST = 280


class SampledStep(msgspec.Struct, frozen=True):
    """One step: its number from 1, a small picture as a data address (empty: there is none), what was done, and what
    the agent thought."""

    number: int
    picture: str
    done: tuple[str, ...]
    thought: str = ""
    errors: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


class SampledTrajectory(msgspec.Struct, frozen=True):
    """One attempt as a report shows it; `left_out` steps are between `first` and `last`."""

    task: str
    instruction: str
    outcome: str
    reason: str
    stop: str
    repeat: int
    steps: int
    first: tuple[SampledStep, ...]
    left_out: int
    last: tuple[SampledStep, ...]
    answer: str = ""


def samples(run: RunResults, most: int) -> list[SampledTrajectory]:
    """At most so many of a run's attempts. What can no longer be read is passed over."""
    stored = Run(run.folder)
    layer = next(iter(verdicts_of(run.folder, run.verifier)), None) if run.verifier else None
    shown: list[SampledTrajectory] = []
    for result in chosen(run.results, most):
        try:
            trajectory = read_trajectory(_path(run.folder, result)).trajectory
        except BadInput:
            continue
        verdict = layer.get(result.attempt) if layer else None
        shown.append(_shown(trajectory, result, verdict, stored.pictures))
    return shown


def chosen(results: Sequence[Result], most: int) -> list[Result]:
    """Failures of different kinds first, the commonest kind before the others, then a success to compare with: of each
    the one of middling length."""
    judged = [result for result in results if result.finished and result.success is not None and result.steps]
    solved = [result for result in judged if result.success]
    kinds: dict[str, list[Result]] = {}
    for result in judged:
        if not result.success:
            first = result.failures[0].failure if result.failures else ""
            kinds.setdefault(f"{result.outcome} {first}", []).append(result)
    common = sorted(kinds.values(), key=len, reverse=True)
    failures = [_middling(kind) for kind in common[: most - 1 if solved and most > 1 else most]]
    return [*failures, *([_middling(solved)] if solved else [])][:most]


def _middling(results: Sequence[Result]) -> Result:
    return sorted(results, key=lambda result: result.steps)[(len(results) - 1) // 2]


def _path(folder: Path, result: Result) -> Path:
    _, task, attempt = result.attempt.rsplit("/", 2)
    return folder / ATTEMPTS / task / attempt / FILE


def _shown(
    trajectory: Trajectory, result: Result, verdict: Verdict | None, pictures: PictureSource
) -> SampledTrajectory:
    count = len(trajectory.steps)
    numbers = list(range(count))
    first, last = (numbers[:FIRST], numbers[-LAST:]) if count > FIRST + LAST + 1 else (numbers, [])
    wrong: dict[int, list[str]] = {}
    for point in verdict.failures if verdict else ():
        if point.step is not None:
            wrong.setdefault(point.step, []).append(_cut(f"{words(point.failure)}: {point.text}"))
    stop = trajectory.stop

    def steps(chosen: Iterable[int]) -> tuple[SampledStep, ...]:
        return tuple(_step(n, trajectory.steps[n], wrong.get(n, ()), pictures) for n in chosen)

    return SampledTrajectory(
        trajectory.task.id,
        trajectory.task.instruction,
        words(result.outcome or "not judged"),
        _cut(verdict.reason) if verdict else "",
        f"{words(stop.reason)}{f': {_cut(stop.detail)}' if stop.detail else ''}" if stop else "",
        result.repeat,
        count,
        steps(first),
        count - len(first) - len(last),
        steps(last),
        _cut(trajectory.answer or ""),
    )


def _step(number: int, step: Step, failures: Sequence[str], pictures: PictureSource) -> SampledStep:
    return SampledStep(
        number + 1,
        _thumbnail(step.observation, step, pictures),
        tuple(_cut(in_words(taken)) for taken in step.actions) or ("Nothing was done.",),
        _cut(step.thought or ""),
        tuple(_cut(taken.error) for taken in step.actions if taken.error),
        tuple(failures),
    )


def _thumbnail(seen: Observation, step: Step, pictures: PictureSource) -> str:
    """The screen with what was done drawn in, small; nothing where the picture is missing or cannot be read."""
    if seen.picture is None:
        return ""
    try:
        picture = decode(pictures.read(seen.picture))
    except WorkalikeError:
        return ""
    for taken in step.actions:
        if points(taken.action):
            picture = draw_action(picture, taken.action, scale=max(1.0, picture.width / THUMBNAIL / 1.4))
    height = max(1, round(picture.height * THUMBNAIL / picture.width))
    small = resize(picture, Size(THUMBNAIL, min(height, 2 * THUMBNAIL)))
    return f"data:image/jpeg;base64,{base64.b64encode(encode(small, 'jpeg', QUALITY)).decode()}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
