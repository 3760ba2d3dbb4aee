"""Verifiers against labels: how far each agrees, overall, by category and by kind of mistake; how stable it is; what a
verdict costs; where it disagrees. And the same of what programs find without a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import BadInput
from workalike.core.label import TRUTH, Label, asked_of, solved_pairs
from workalike.core.outcomes import solved
from workalike.core.trajectory import Trajectory, Usage
from workalike.core.verdict import Verdict
from workalike.statistics.agreement import Agreement, Pair, agreement, pairwise_kappa, stability
from workalike.statistics.intervals import Estimate, clustered_rate
from workalike.store.layers import Layer, verdicts_of
from workalike.verify import state
from workalike.verify.findings import KINDS, findings
from workalike.verify.labels import Group, agreed, groups


class Disagreement(msgspec.Struct, frozen=True):
    """A case that a verifier judges otherwise than its label."""

    trajectory: str
    label: bool
    outcome: str
    kind: str = ""
    reason: str = ""


class GroupRow(msgspec.Struct, frozen=True):
    """A verifier on one category, or on one kind of mistake. `seen` is the share judged as labelled."""

    name: str
    cases: int
    seen: Estimate
    figures: Agreement


class VerifierAgreement(msgspec.Struct, frozen=True):
    """One layer of verdicts against labels. Ungraded cases are in no figure, and counted. `process` is how far scores
    of the way lie apart on average, `refusals` how far both agree on what was declined, where labels say."""

    verifier: str
    settings: dict[str, Any]
    figures: Agreement
    ungraded: int
    unlabelled: int
    missing: int
    categories: tuple[GroupRow, ...]
    kinds: tuple[GroupRow, ...]
    stability: Estimate
    usage: Usage
    calls: float | None
    cost: float | None
    process: Estimate
    refusals: Agreement
    disagreements: tuple[Disagreement, ...]


class DetectorRow(msgspec.Struct, frozen=True):
    """What a program finds, against labels: how many of those it flags are wrong, how many of the wrong it flags."""

    detector: str
    flagged: int
    precision: Estimate
    recall: Estimate


class AgreementReport(msgspec.Struct, frozen=True):
    """Everything that `workalike agreement` prints."""

    labels: int
    labelled_by: str
    people: Estimate
    verifiers: tuple[VerifierAgreement, ...]
    detectors: tuple[DetectorRow, ...] = ()


def compare(
    layers: Iterable[Layer[Verdict]],
    labels: Sequence[Label],
    trajectories: Iterable[Trajectory] = (),
    people_count: bool = False,
) -> AgreementReport:
    """Compare layers of verdicts with labels: the truth, or with `people_count` what people say even where it is known.
    The town's own verdicts are not compared with themselves."""
    by, counted = agreed(labels, people_count)
    if not counted:
        remedy = "name a table of them with --labels FILE, or give some with `workalike view`"
        raise BadInput(f"there are no labels{' by people' * people_count} to compare with: {remedy}")
    people: dict[Any, dict[Any, bool]] = {}
    for label in labels:
        if label.success is not None and label.labeller != TRUTH:
            people.setdefault(label.labeller, {})[label.trajectory] = label.success
    others = [layer for layer in layers if by != TRUTH or layer.header.name != state.NAME]
    rows = tuple(_against(layer, counted) for layer in others)
    return AgreementReport(len(counted), by, pairwise_kappa(people), rows, detectors(trajectories, counted))


def compare_at(
    path: Path, labels: Sequence[Label], verifier: str | None = None, people_count: bool = False
) -> AgreementReport:
    """The same for everything that lies at a path, with what programs find there."""
    from workalike.store.reading import read_trajectories

    stored = (each.trajectory for each in read_trajectories(path, lambda error: None))
    return compare(verdicts_of(path, verifier), labels, stored, people_count)


def detectors(trajectories: Iterable[Trajectory], labels: Mapping[str, Label]) -> tuple[DetectorRow, ...]:
    """What programs find, against labels."""
    flagged: dict[str, set[str]] = {kind: set() for kind in KINDS}
    seen: set[str] = set()
    for trajectory in trajectories:
        if trajectory.id in labels:
            seen.add(trajectory.id)
            for found in findings(trajectory):
                flagged[found.kind].add(trajectory.id)
    if not seen:
        return ()
    flagged["any of them"] = set().union(*flagged.values())
    return tuple(_detector(name, ids, [labels[id] for id in sorted(seen)]) for name, ids in flagged.items() if ids)


def _detector(name: str, ids: set[str], labels: Sequence[Label]) -> DetectorRow:
    precision = _clustered((each.task, not each.success) for each in labels if each.trajectory in ids)
    recall = _clustered((each.task, each.trajectory in ids) for each in labels if not each.success)
    return DetectorRow(name, len(ids), precision, recall)


def _clustered(values: Iterable[tuple[str, bool]]) -> Estimate:
    clusters: dict[str, list[float]] = {}
    for task, value in values:
        clusters.setdefault(task, []).append(float(value))
    return clustered_rate(clusters)


def _against(layer: Layer[Verdict], known: Mapping[str, Label]) -> VerifierAgreement:
    labels = asked_of(layer.header.name, known)
    verdicts = {id: verdict for (id, step), verdict in layer if step is None}
    both = {id: labels[id] for id in verdicts if id in labels}
    pairs = solved_pairs(layer.header.name, known, {id: each.outcome for id, each in verdicts.items()})
    said = {id: told for id, (_, told) in pairs.items()}
    graded = {id: both[id] for id in pairs}
    usage = sum((each.usage for each in verdicts.values() if each.usage), Usage())
    votes = [_cast(verdicts[id], label.walled) for id, label in both.items()]
    return VerifierAgreement(
        layer.header.name,
        layer.header.settings,
        _figures(graded.values(), said),
        len(both) - len(graded),
        len(verdicts) - len(both),
        len(labels) - len(both),
        _by("category", graded.values(), said),
        _by("kind", graded.values(), said),
        stability(votes),
        usage,
        usage.requests / len(verdicts) if verdicts else None,
        usage.cost / len(verdicts) if verdicts and usage.cost is not None else None,
        _process(graded.values(), verdicts),
        _refusals(graded.values(), verdicts),
        tuple(_disagreements(graded, said, verdicts)),
    )


def _cast(verdict: Verdict, walled: bool) -> list[bool]:
    """What each vote of a verdict comes to, those aside that could not be cast."""
    cast = [solved(vote.outcome, None, walled) for vote in verdict.votes]
    return [each for each in cast if each is not None]


def _figures(labels: Iterable[Label], said: Mapping[str, bool]) -> Agreement:
    clusters: dict[Any, list[Pair]] = {}
    for label in labels:
        clusters.setdefault(label.task or label.trajectory, []).append((bool(label.success), said[label.trajectory]))
    return agreement(clusters)


def _by(group: Group, labels: Iterable[Label], said: Mapping[str, bool]) -> tuple[GroupRow, ...]:
    listed = list(labels)
    rows = []
    for name in groups(listed, group):
        own = [label for label in listed if getattr(label, group) == name]
        seen = _clustered((label.task or label.trajectory, label.success == said[label.trajectory]) for label in own)
        rows.append(GroupRow(name, len(own), seen, _figures(own, said)))
    return tuple(rows)


def _process(labels: Iterable[Label], verdicts: Mapping[str, Verdict]) -> Estimate:
    """How far process scores lie apart on average, where both sides have one."""
    apart = [
        abs(label.process - score)
        for label in labels
        if label.process is not None and (score := verdicts[label.trajectory].process) is not None
    ]
    return Estimate(sum(apart) / len(apart) if apart else None, count=len(apart))


def _refusals(labels: Iterable[Label], verdicts: Mapping[str, Verdict]) -> Agreement:
    """How far both sides agree on whether the agent declined."""
    clusters: dict[Any, list[Pair]] = {}
    for label in labels:
        if label.refused is not None:
            said = verdicts[label.trajectory].outcome == "refused"
            clusters.setdefault(label.task or label.trajectory, []).append((label.refused, said))
    return agreement(clusters)


def _disagreements(
    labels: Mapping[str, Label], said: Mapping[str, bool], verdicts: Mapping[str, Verdict]
) -> Iterable[Disagreement]:
    for id, label in labels.items():
        if label.success is not None and label.success != said[id]:
            verdict = verdicts[id]
            yield Disagreement(id, label.success, verdict.outcome, label.kind, verdict.reason)
