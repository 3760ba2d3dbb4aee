"""The scores of chains of thought as a table, and as a page of plots."""

from __future__ import annotations

from workalike.annotate.check import FIELDS, ChainScores
from workalike.dataset.stats_page import bars, document, figure, histogram

_NAMES = {
    "observation_text": "in an observation",
    "thought": "in a thought",
    "action_text": "in an action",
    "reflection": "in a reflection",
}


def table(found: ChainScores) -> str:
    """The scores in plain lines."""
    lines = [
        f"{found.trajectories:>12,}  trajectories, {found.steps:,} steps",
        f"{found.told:>12,}  steps have words, {found.whole:,} all four texts",
    ]
    for name in FIELDS:
        spread = found.lengths[name]
        if spread.mean is not None:
            lines.append(f"{spread.mean:>12,.1f}  words {_NAMES[name]} (mean of {spread.count:,})")
    lines.append(f"{_percent(found.leaking, found.told):>12}  of them leak")
    lines += [f"{count:>12,}  {kind}" for kind, count in found.leaks.items()]
    lines.append(f"{_percent(found.repeating, found.told):>12}  repeat the thought of the step before")
    lines.append(f"{_percent(found.agreeing, found.comparable):>12}  of {found.comparable:,} say what their code does")
    lines.append(f"{'—' if found.score is None else f'{found.score:.3f}':>12}  score (0 to 1)")
    for kind, examples in found.examples.items():
        lines += [f"  {kind}: {example}" for example in examples[:3]]
    return "\n".join(lines)


def page(found: ChainScores, title: str) -> str:
    """A page of plots that needs nothing else."""
    totals = {
        "trajectories": f"{found.trajectories:,}",
        "steps with words": f"{found.told:,} of {found.steps:,}",
        "leak": _percent(found.leaking, found.told),
        "repeat the thought before": _percent(found.repeating, found.told),
        "say what their code does": _percent(found.agreeing, found.comparable),
        "score": "—" if found.score is None else f"{found.score:.3f}",
    }
    charts = [
        figure(f"words {_NAMES[name]}", histogram(found.lengths[name].bins, "words", "steps"))
        for name in FIELDS
        if found.lengths[name].count
    ]
    if found.leaks:
        charts.append(figure("steps that leak, by what they mention", bars(found.leaks)))
    if found.by_action:
        shares = {kind: round(100 * good / compared) for kind, (good, compared) in found.by_action.items()}
        charts.append(figure("words that say what the code does, in % of each kind of action", bars(shares)))
    if found.by_trajectory:
        scored = {f"{low / 10:.1f}": count for low, count in found.by_trajectory.items()}
        charts.append(figure("trajectories by their mean score", bars(scored)))
    return document(title, totals, charts)


def _percent(part: int, whole: int) -> str:
    return "—" if not whole else f"{100 * part / whole:.2f} %"
