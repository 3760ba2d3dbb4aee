"""What a reader must know besides the numbers, in sentences: what differs between runs, and what each run's numbers
leave out or rest on."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.endings import first_few, reasons, sentences, tally
from workalike.core.wording import bill
from workalike.report.comparing import differences, titles
from workalike.report.published import why_not
from workalike.report.reading import RunResults

BY_HAND = "by-hand"


def all_remarks(runs: Sequence[RunResults]) -> list[str]:
    """What must be said of all runs together, then of each."""
    each = [f"{title}: {note}" for title, run in zip(titles(runs), runs, strict=True) for note in remarks(run)]
    return [*differences(runs), *each]


def remarks(run: RunResults) -> list[str]:
    """What must be said of one run."""
    told = first_few(run.notes, f"{run.folder / 'run.json'} has them")
    if run.model == BY_HAND or run.agent == "person":
        told.append("a person acted here, not a model")
    told += _lost(run) + _taken(run)
    left_out = why_not(run)
    return [*told, left_out] if left_out else told


def _lost(run: RunResults) -> list[str]:
    """What cannot be read, did not finish, ended by itself, or was not judged."""
    results, count = run.results, len(run.results)
    unfinished = sum(not result.finished and not result.damaged for result in results)
    ended = [result.ending for result in results if result.ending and result.finished]
    lost = tally(result.ending for result in results if result.ending and not result.finished)
    damaged = sum(result.damaged for result in results)
    ungraded = sum(result.success is None for result in results) - damaged
    told = first_few(run.damaged, "`workalike run` with the same settings sets them aside and tries them anew")
    if damaged:
        told.append(f"{damaged} of {count} attempts cannot be read; they are in no mean")
    if unfinished:
        told.append(f"{unfinished} of {count} attempts did not finish; they count as failures{reasons(lost)}")
    told += sentences(ended, count)
    if ungraded:
        told.append(f"{ungraded} of {count} attempts are ungraded; they are in no mean")
    return told


def _taken(run: RunResults) -> list[str]:
    """What its attempts took, and what of that is not to be seen in the means."""
    results, count, told = run.results, len(run.results), []
    if not_begun := sum(not result.begun for result in results):
        told.append(f"{not_begun} of {count} attempts were not begun; they are in no mean of costs")
    if repeated := sum(max(0, result.tries - 1) for result in results):
        told.append(f"{repeated} tries were lost and repeated; what they took is counted")
    if (total := run.costs.total).requests or total.unaccounted:
        told.append(f"in all {bill(total)}")
    if cached := sum(result.cached for result in results):
        replies = sum(result.replies for result in results)
        told.append(f"{cached} of {replies} replies came from the cache, and count as no tokens and no dollars")
    return told
