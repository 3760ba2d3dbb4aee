"""The judges of a run: its benchmark's verifiers and those asked for besides, each with its layer open beside the
attempts. What was judged is not judged again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType

from workalike.core.contracts import Verifier
from workalike.core.outcomes import solved
from workalike.core.trajectory import Usage
from workalike.core.verdict import Verdict
from workalike.store.index import AttemptSummary
from workalike.store.layers import VERDICTS, LayerWriter, verdicts_of
from workalike.store.runs import Attempt, Run
from workalike.verify.verifiers import judged


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


def judging_took(run: Run) -> Usage:
    """What all verdicts on a run took that asked a model. Layers that tell of no usage are passed over unread: a run of
    ten thousand attempts goes on within a moment."""
    layers = [layer for layer in verdicts_of(run.folder) if b'"usage":' in layer.path.read_bytes()]
    said = (verdict.usage for layer in layers for _, verdict in layer)
    return sum((usage for usage in said if usage is not None), Usage())
