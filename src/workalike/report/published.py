"""The published rows of WebTailBench's card, to stand beside one's own: only beside runs that were asked the same text,
and always marked as published, with their judge named."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec

from workalike.report.reading import RunResults
from workalike.report.results import MACRO, MICRO


class CardSegment(msgspec.Struct, frozen=True):
    """One of the card's eleven rows: our name of the category, the card's, and how many tasks it has."""

    category: str
    name: str
    tasks: int


class PerTask(msgspec.Struct, frozen=True):
    """A row of the card's second table, as it stands there."""

    name: str
    dollars: float
    accuracy: float
    actions: str
    input_tokens: str
    output_tokens: str


class PublishedAgent(msgspec.Struct, frozen=True):
    """One agent of the card: its scores in % by category, `macro` and `micro`, and what it took."""

    name: str
    kind: str
    scores: dict[str, float]
    per_task: PerTask

    def score(self, row: str) -> float | None:
        """The score in a row of our table."""
        return self.scores.get({MACRO: "macro", MICRO: "micro"}.get(row, row))


class Card(msgspec.Struct, frozen=True):
    """What a benchmark's authors published, who judged it, and by which words its tasks are known."""

    benchmark: str
    source: str
    judge: str
    repeats: int
    note: str
    segments: tuple[CardSegment, ...]
    agents: tuple[PublishedAgent, ...]
    known_words: frozenset[str]


@cache
def card() -> Card:
    return msgspec.json.decode((Path(__file__).parent / "webtailbench_card.json").read_bytes(), type=Card)


def segment_names(benchmark: str) -> dict[str, str]:
    """The card's names of its categories, in the card's order; none for benchmarks that are not the card's."""
    if benchmark.partition("@")[0] != card().benchmark.partition("@")[0]:
        return {}
    return {segment.category: segment.name for segment in card().segments}


def why_not(run: RunResults) -> str | None:
    """Why the card's rows do not stand beside a run; None where they do, and where nobody would expect them."""
    if run.benchmark.partition("@")[0] != card().benchmark.partition("@")[0]:
        return None
    if run.benchmark != card().benchmark:
        return f"published rows are left out: they are on the text of {card().benchmark}, and this is {run.benchmark}"
    counts = Counter(result.category for result in run.results if result.repeat == 1)
    wanted = {segment.category: segment.tasks for segment in card().segments}
    if counts != wanted:
        return (
            f"published rows are left out: they are over all {sum(wanted.values())} tasks, "
            f"and {run.name} has {len(run.tasks)}"
        )
    if not card().known_words <= set(run.words.values()):
        return f"published rows are left out: the tasks of {run.name} have other words than the published ones"
    return None


def published_for(runs: list[RunResults]) -> tuple[PublishedAgent, ...]:
    """The card's agents, where every run was asked the text that they were asked."""
    same = all(run.benchmark == card().benchmark and why_not(run) is None for run in runs)
    return card().agents if same else ()
