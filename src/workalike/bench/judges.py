"""The judges of a run: its benchmark's verifiers and those asked for besides, each with its layer open beside the
attempts. What was judged is not judged again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from workalike.core.contracts import Case, Verifier
from workalike.core.key import Key
from workalike.core.observation import ImageRef, Observation
from workalike.core.outcomes import solved
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.store.index import AttemptSummary
from workalike.store.layers import VERDICTS, Layer, LayerWriter, layer_path, verdicts_of
from workalike.store.runs import Attempt, Run
from workalike.verify.verifiers import case_for, judged

SCREENS = 20
"""How many screenshots an attempt is taken to have before it is made."""


class Judges:
    """Verifiers over one run. The first of them is the one whose word counts for the run's own books."""

    def __init__(self, run: Run, verifiers: Sequence[Verifier], benchmark: str = "") -> None:
        self._run, self._benchmark, self._stack = run, benchmark, ExitStack()
        stored = run.keys()
        self._keys = {key.task_id: key for key in stored}
        self._verifiers = verifiers
        self._layers: list[LayerWriter[Verdict]] = []

    def __enter__(self) -> Judges:
        for each in self._verifiers:
            layer = LayerWriter(self._run.folder, VERDICTS, each.name, Verdict, each.settings)
            self._layers.append(self._stack.enter_context(layer))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    async def judge(self, attempt: Attempt) -> list[Verdict]:
        """What those say of an attempt who have not yet; each is on disk before the next is asked."""
        waiting = [pair for pair in zip(self._verifiers, self._layers, strict=True) if self._wants(attempt.id, pair[1])]
        trajectory = attempt.read().trajectory if waiting else None
        said = []
        for verifier, layer in waiting:
            assert trajectory is not None
            verdict = await judged(verifier, trajectory, self._keys.get(attempt.task_id), self._run.pictures)
            layer.put(attempt.id, verdict)
            said.append(verdict)
        return said

    def has_judged(self, trajectory: str) -> bool:
        """Whether all have spoken of it."""
        return not any(self._wants(trajectory, layer) for layer in self._layers)

    def solved(self, task: str, verdict: Verdict) -> bool | None:
        """Whether a verdict on an attempt at a task counts as solved, by the benchmark's rule."""
        key = self._keys.get(task)
        return solved(verdict.outcome, self._benchmark, walled=key is not None and key.reports)

    def successes(self, attempts: Sequence[AttemptSummary]) -> list[bool]:
        """Whether what the first one has said of these counts as solved, as far as it could tell."""
        tasks, path = {each.id: each.task for each in attempts}, self._layers[0].path if self._layers else None
        layers = [layer for layer in verdicts_of(self._run.folder) if layer.path == path]
        said = [self.solved(tasks[name], verdict) for layer in layers for (name, _), verdict in layer if name in tasks]
        return [success for success in said if success is not None]

    @staticmethod
    def _wants(trajectory: str, layer: LayerWriter[Verdict]) -> bool:
        return (trajectory, None) not in layer


def judging_foreseen(
    run: Run, verifier: Verifier, pairs: Iterable[tuple[Task, Key]], repeats: int, viewport: Size
) -> tuple[int, Usage]:
    """How many attempts of a plan a verifier has yet to judge, and what that takes where an attempt has `SCREENS`
    screenshots: how many it will have nobody knows before it is made."""
    step = Step(Observation(ImageRef("", size=viewport), viewport))
    takes = [verifier.estimate(_foreseen(verifier, task, key, step)) for task, key in pairs]
    judged = next((len(layer) for layer in verdicts_of(run.folder) if layer.path == _layer(run, verifier)), 0)
    left = max(0, repeats * len(takes) - judged)
    all_tasks, share = sum(takes, Usage()), left / len(takes) if takes else 0.0
    counts = (all_tasks.requests, all_tasks.input_tokens, all_tasks.output_tokens)
    return left, Usage(*(math.ceil(each * share) for each in counts))


def waits_for(verifier: Verifier, run: Run, attempts: Iterable[str]) -> bool:
    """Whether a verifier has yet to speak of one of these attempts."""
    path = _layer(run, verifier)
    said = Layer(path, Verdict) if path.exists() else ()
    return any((attempt, None) not in said for attempt in attempts)


def _foreseen(verifier: Verifier, task: Task, key: Key, step: Step) -> Case:
    return case_for(verifier.needs, Trajectory("", task, (step,) * SCREENS), key)


def _layer(run: Run, verifier: Verifier) -> Path:
    return layer_path(run.folder, VERDICTS, verifier.name, verifier.settings)


def judging_took(run: Run) -> Usage:
    """What all verdicts on a run took that asked a model. Layers that tell of no usage are passed over unread: a run of
    ten thousand attempts goes on within a moment."""
    layers = [layer for layer in verdicts_of(run.folder) if b'"usage":' in layer.path.read_bytes()]
    said = (verdict.usage for layer in layers for _, verdict in layer)
    return sum((usage for usage in said if usage is not None), Usage())
