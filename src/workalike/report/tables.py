"""The tables of a report, from runs: the card's two first, then what the card lacks. A table that there are no data for
is not made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workalike.report import breakdowns, safety
from workalike.report.breakdowns import ScoredPart
from workalike.report.comparing import pairs, same_tasks, titles
from workalike.report.published import PublishedAgent, card, published_for, segment_names
from workalike.report.reading import RunResults
from workalike.report.results import MACRO, MICRO, Accuracy, MeanDeviation, Result
from workalike.report.table import (
    NONE,
    ReportSection,
    ReportTable,
    TableRow,
    chance,
    counted,
    interval,
    percent,
    rows_of,
    share_of,
    signed,
    words,
)
from workalike.statistics.intervals import Estimate
from workalike.store.layers import TRUTH

PUBLISHED = "†"
"""The mark of what somebody else measured."""
RECOVERED = "recovered"
"""The verifier that reads answers which have no readable line, blindly."""
Runs = Sequence[RunResults]


def sections(runs: Runs) -> list[ReportSection]:
    """Everything there is to say about runs, in the order in which a reader asks."""
    made: list[tuple[str, list[ReportTable | None], tuple[str, ...]]] = [
        ("Results", [accuracy_table(runs), cost_table(runs)], ("accuracy", "frontier")),
        ("How sure this is", [interval_table(runs), repeat_table(runs), pair_table(runs)], ("categories",)),
        ("How it ended", [stop_table(runs), outcome_table(runs)], ("outcomes",)),
        ("Where it succeeds", [level_table(runs), length_table(runs), demand_table(runs)], ("lengths",)),
        ("What went wrong", [failure_table(runs), first_failure_table(runs), refusal_table(runs)], ("failures",)),
        ("How safe it is", [safety.pair_table(_named(runs)), safety.attack_table(_named(runs))], ()),
        ("How it was judged", [answer_table(runs), process_table(runs), agreement_table(runs)], ()),
        ("Where the time goes", [time_table(runs)], ("times",)),
    ]
    kept = [(title, tuple(table for table in tables if table), figures) for title, tables, figures in made]
    return [ReportSection(title, tables, figures) for title, tables, figures in kept if tables]


def _named(runs: Runs) -> list[tuple[str, Sequence[Result]]]:
    return [(title, each.results) for title, each in zip(titles(runs), runs, strict=True)]


def accuracy_table(runs: Runs) -> ReportTable:
    """The card's first table: a row for each category, macro and micro; a column for each run, then the published."""
    columns = [{row.name: row for row in each.accuracy} for each in runs]
    published, same = published_for(list(runs)), same_tasks(runs)
    names = _row_names(runs, columns)
    rows = []
    for name, shown in names.items():
        cells = [_score(column[name]) if name in column else NONE for column in columns]
        tasks = [str(column[name].tasks) if name in column else NONE for column in columns]
        theirs = [percent(_hundredth(agent.score(name))) for agent in published]
        count = tasks[0] if same else " / ".join(tasks)
        rows.append(TableRow((shown, count, *cells, *theirs), "total" if name in (MACRO, MICRO) else "plain"))
    return ReportTable(
        "accuracy",
        f"{runs[0].benchmark}: accuracy, mean over independent runs in %, ± from run to run",
        ("category", "tasks", *titles(runs), *(f"{agent.name} {PUBLISHED}" for agent in published)),
        tuple(rows),
        _source(runs) if published else "",
    )


def cost_table(runs: Runs) -> ReportTable:
    """The card's second table: what a task takes; a row for each run, then the published."""
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        cost, micro = each.costs, each.accuracy[-1]
        dollars = "unknown" if cost.unknown_cost else spread(cost.dollars, 4)
        tokens = (spread(cost.input_tokens, 0), spread(cost.output_tokens, 0))
        took = (spread(cost.actions, 1), *tokens, spread(cost.seconds, 1))
        rows.append(TableRow((title, dollars, percent(micro.score.mean), *took)))
    published = published_for(list(runs))
    rows += [TableRow(_published_cost(agent), "published") for agent in published]
    best = frontier_of(runs)
    note = f"No other run is both cheaper and more accurate: {', '.join(best)}." if best else ""
    return ReportTable(
        "cost",
        "Per task, mean ± deviation",
        ("run", "$ per task", "accuracy", "actions", "tokens in", "tokens out", "seconds"),
        tuple(rows),
        " ".join(part for part in (note, _source(runs) if published else "") if part),
    )


def interval_table(runs: Runs) -> ReportTable:
    columns = [{row.name: row for row in each.accuracy} for each in runs]
    rows = []
    for name, shown in _row_names(runs, columns).items():
        cells = [interval(column[name].interval) if name in column else NONE for column in columns]
        rows.append(TableRow((shown, *cells), "total" if name in (MACRO, MICRO) else "plain"))
    return ReportTable(
        "intervals",
        "Accuracy in % with its 95 % interval",
        ("category", *titles(runs)),
        tuple(rows),
        "Tasks are what varies: the interval is for other tasks of the same kind, and a task's repeats are one score.",
    )


def repeat_table(runs: Runs) -> ReportTable | None:
    told = [breakdowns.repeats(each.results) for each in runs]
    if not any(told):
        return None
    ks = sorted({k for each in told if each for k in each.at_least_one})
    rows = [(f"pass@{k}", *(_at(each.at_least_one if each else {}, k) for each in told)) for k in ks]
    rows += [(f"pass^{k}", *(_at(each.all_of if each else {}, k) for each in told)) for k in ks]
    deviations = [each.accuracy[-1].score.deviation for each in runs]
    rows.append(("± from repeat to repeat", *(percent(deviation) for deviation in deviations)))
    rows.append(("tasks whose repeats differ", *(share_of(each.varying) if each else NONE for each in told)))
    note = "pass@k: at least one of k repeats succeeds; pass^k: all of them do. Both are unbiased estimates."
    return ReportTable("repeats", "What repeating tells, in %", ("", *titles(runs)), rows_of(rows), note)


def pair_table(runs: Runs) -> ReportTable | None:
    found = pairs(runs) if len(runs) > 1 else []
    if not found:
        return None
    several = len(found) > 1
    rows = []
    for each in found:
        shared = each.comparison
        bounds = f" ({signed(shared.low)} to {signed(shared.high)})" if shared.low is not None else ""
        adjusted = (chance(each.adjusted),) if several else ()
        rows.append(
            (
                f"{each.first} − {each.second}",
                str(shared.tasks),
                f"{signed(shared.difference)}{bounds}",
                f"{shared.better} / {shared.worse} / {shared.alike}",
                chance(shared.p),
                *adjusted,
                f"{each.needed:,}" if each.needed else NONE,
                percent(each.detectable),
            )
        )
    head = ("runs", "tasks", "difference", "better / worse / alike", "p", *(("p (Holm)",) if several else ()))
    return ReportTable(
        "compared",
        "Two runs on the tasks they share: difference of accuracy in points, with its 95 % interval",
        (*head, "tasks needed", "least found"),
        rows_of(rows),
        "p is by permutation within tasks. With 80 % power, that is four times in five: how many tasks would find this "
        "difference, and the least difference that the tasks at hand would.",
    )


def stop_table(runs: Runs) -> ReportTable:
    told = [breakdowns.stops(each.results) for each in runs]
    return _counts("stops", "Why attempts stopped", "stop reason", runs, told, breakdowns.STOPS)


def outcome_table(runs: Runs) -> ReportTable:
    told = [breakdowns.outcomes(each.results) for each in runs]
    return _counts("outcomes", "How attempts were judged", "verdict", runs, told, breakdowns.OUTCOMES)


def level_table(runs: Runs) -> ReportTable | None:
    parts = [breakdowns.by_level(each.results) for each in runs]
    table = _parts("levels", "Accuracy in % by level", "level", runs, parts)
    if table is None:
        return None
    wrong = [
        f"{title} solves {harder} tasks more often than {easier} ones"
        for title, levels in zip(titles(runs), parts, strict=True)
        for harder, easier in breakdowns.disorder(levels)
    ]
    note = f"{'; '.join(wrong)}." if wrong else "No run solves harder tasks more often than easier ones."
    return ReportTable(table.name, table.title, table.head, table.rows, note)


def length_table(runs: Runs) -> ReportTable | None:
    """By attempts, since those at one task may be of different length."""
    told = [{part.name: part for part in breakdowns.by_length(each.results)} for each in runs]
    names = [name for name in _names(told) if name]
    order = [f"{low}–{high}" if high else f"{low} or more" for low, high in breakdowns.LENGTHS]
    rows = [
        (name, *(counted(each[name].successes, each[name].attempts) if name in each else NONE for each in told))
        for name in sorted(names, key=order.index)
    ]
    if not rows:
        return None
    return ReportTable("lengths", "Success by steps taken, finished attempts", ("steps", *titles(runs)), rows_of(rows))


def demand_table(runs: Runs) -> ReportTable | None:
    parts = [breakdowns.by_demand(each.results) for each in runs]
    return _parts("demands", "Accuracy in % by kind of demand", "demand", runs, parts, detail=True)


def failure_table(runs: Runs) -> ReportTable | None:
    told = [breakdowns.failure_classes(each.results) for each in runs]
    if not any(told):
        return None
    lost = [breakdowns.failed(each.results) for each in runs]
    rows = [
        (words(name), *(counted(each.get(name, 0), of) for each, of in zip(told, lost, strict=True)))
        for name in _names(told)
    ]
    unsaid = [of - sum(each.values()) for each, of in zip(told, lost, strict=True)]
    if any(unsaid):
        rows.append(("no class given", *(counted(count, of) for count, of in zip(unsaid, lost, strict=True))))
    title = "What went wrong first, of attempts that finished and failed"
    return ReportTable("failures", title, ("class", *titles(runs)), rows_of(rows))


def first_failure_table(runs: Runs) -> ReportTable | None:
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        first = breakdowns.first_failure(each.results)
        if first:
            thirds = (counted(count, first.known) for count in first.thirds)
            middle = f"{first.median_step:g} ({percent(first.median_share, 0)} % of the way)"
            rows.append((title, f"{first.known} of {first.failed}", middle, *thirds))
    if not rows:
        return None
    head = ("run", "step known", "median step", "first third", "second third", "last third")
    return ReportTable("first-failure", "Where it first went wrong", head, rows_of(rows))


def refusal_table(runs: Runs) -> ReportTable | None:
    told = [(title, breakdowns.refusals(each.results)) for title, each in zip(titles(runs), runs, strict=True)]
    rows = [(title, share_of(each.refused), share_of(each.over_refused)) for title, each in told if each]
    if not rows:
        return None
    head = ("run", "refused what is to be refused", "refused what is not (over-refusal)")
    return ReportTable("refusals", "Refusals, in %", head, rows_of(rows))


def answer_table(runs: Runs) -> ReportTable | None:
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        told = breakdowns.answers(each.results, each.second.get(RECOVERED))
        if told:
            recovered = interval(told.recovered) if told.recovered else NONE
            shares = (share_of(told.asked_again), share_of(told.format_failures))
            rows.append((title, interval(told.strict), *shares, recovered))
    if not rows:
        return None
    head = ("run", "strict", "asked again", "format failures", "recovered")
    note = "Strict is what counts. Recovered counts answers that a blind reader found; it is never mixed in."
    return ReportTable("answers", "The answer line: accuracy in %", head, rows_of(rows), note)


def process_table(runs: Runs) -> ReportTable | None:
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        told = breakdowns.process_against_outcome(each.results)
        if told:
            good, poor = told.good_and_success + told.good_and_failure, told.poor_and_success + told.poor_and_failure
            means = (_plain(told.mean_of_successes), _plain(told.mean_of_failures))
            rows.append((title, counted(told.good_and_success, good), counted(told.poor_and_success, poor), *means))
    if not rows:
        return None
    head = (
        "run",
        f"successes, process ≥ {breakdowns.PASS}",
        "successes, below",
        "mean of successes",
        "mean of failures",
    )
    return ReportTable("process", "Process against outcome", head, rows_of(rows))


def agreement_table(runs: Runs) -> ReportTable | None:
    """Other verifiers against the truth, where the truth is known."""
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        first = {result.attempt: result.outcome for result in each.results if result.attempt and result.outcome}
        said = {each.verifier or "": first, **each.second}
        for verifier, judged in said.items():
            if verifier in (TRUTH, RECOVERED):
                continue
            told = breakdowns.agreement(each.truth, judged, verifier, TRUTH)
            if told:
                wrong = (share_of(told.false_positives), share_of(told.false_negatives))
                rows.append((title, verifier, str(told.both), interval(told.agree), *wrong))
    if not rows:
        return None
    head = ("run", "verifier", "judged by both", "agree", "false positives", "false negatives")
    return ReportTable("agreement", "Verifiers against the truth, in %", head, rows_of(rows), labels=2)


def time_table(runs: Runs) -> ReportTable | None:
    rows = []
    for title, each in zip(titles(runs), runs, strict=True):
        told = breakdowns.step_times(each.results)
        if told:
            model = f"{told.model:.2f}" if any(result.replies for result in each.results) else NONE
            rows.append(
                (title, f"{told.steps:,}", f"{told.total:.2f}", model, f"{told.browser:.2f}", f"{told.rest:.2f}")
            )
    if not rows:
        return None
    head = ("run", "steps", "a step", "model", "browser", "agent and harness")
    note = "Opening the first page counts as the browser's; waiting before a request is tried again as the harness's."
    return ReportTable("times", "Seconds a step, and who takes them", head, rows_of(rows), note)


def frontier_of(runs: Runs) -> list[str]:
    """The runs that no other beats by cost and accuracy; none where the costs tell nothing."""
    points = cost_points(runs)
    if len(points) < 2 or not any(dollars for dollars, _ in points.values()):
        return []
    return breakdowns.frontier(points)


def cost_points(runs: Runs) -> dict[str, tuple[float, float]]:
    """Dollars a task and accuracy of each run where both are known."""
    found: dict[str, tuple[float, float]] = {}
    for title, each in zip(titles(runs), runs, strict=True):
        cost, score = each.costs, each.accuracy[-1].score.mean
        if cost.dollars.mean is not None and not cost.unknown_cost and score is not None:
            found[title] = cost.dollars.mean, score
    return found


def spread(found: MeanDeviation, digits: int) -> str:
    if found.mean is None:
        return NONE
    deviation = f" ± {found.deviation:,.{digits}f}" if found.deviation is not None else ""
    return f"{found.mean:,.{digits}f}{deviation}"


def _row_names(runs: Runs, columns: Sequence[Mapping[str, Accuracy]]) -> dict[str, str]:
    """The rows' names, with what they are called: in the card's order and words on the card's benchmark, otherwise as
    met; macro and micro last."""
    known, met = segment_names(runs[0].benchmark), list(dict.fromkeys(name for column in columns for name in column))
    order = {name: place for place, name in enumerate([*known, *(name for name in met if name not in known)])}
    ordered = sorted(met, key=lambda name: (name in (MACRO, MICRO), order[name]))
    return {name: known.get(name, name) for name in ordered}


def _score(row: Accuracy) -> str:
    if row.score.mean is None:
        return NONE
    deviation = f" ± {percent(row.score.deviation)}" if row.score.deviation is not None else ""
    return f"{percent(row.score.mean)}{deviation}"


def _published_cost(agent: PublishedAgent) -> tuple[str, ...]:
    row = agent.per_task
    took = (row.actions, row.input_tokens, row.output_tokens, NONE)
    return (f"{row.name} {PUBLISHED}", f"{row.dollars:.3f}", f"{row.accuracy:.1f}", *took)


def _source(runs: Runs) -> str:
    told, judges = card(), ", ".join(dict.fromkeys(each.verifier or "nobody" for each in runs))
    who = f"judged by {told.judge}; the others are judged by {judges}"
    return f"{PUBLISHED} published, not measured here: {told.source}, mean of {told.repeats} runs, {who}. {told.note}"


def _counts(
    name: str, title: str, label: str, runs: Runs, told: Sequence[Mapping[str, int]], order: Sequence[str]
) -> ReportTable:
    totals = [len(each.results) for each in runs]
    rows = [
        TableRow((words(kind), *(counted(each.get(kind, 0), of) for each, of in zip(told, totals, strict=True))))
        for kind in order
        if any(kind in each for each in told)
    ]
    rows.append(TableRow(("attempts", *(f"{of}" for of in totals)), "total"))
    return ReportTable(name, title, (label, *titles(runs)), tuple(rows))


def _parts(
    name: str, title: str, label: str, runs: Runs, parts: Sequence[Sequence[ScoredPart]], detail: bool = False
) -> ReportTable | None:
    told = [{part.name: part for part in each} for each in parts]
    rows = []
    for each in _names(told):
        tasks = {column[each].tasks for column in told if each in column}
        count = " / ".join(str(column[each].tasks) if each in column else NONE for column in told)
        cells = (interval(column[each].score) if each in column else NONE for column in told)
        rows.append((each, str(*tasks) if len(tasks) == 1 else count, *cells))
    if not rows:
        return None
    return ReportTable(name, title, (label, "tasks", *titles(runs)), rows_of(rows), detail=detail)


def _names(told: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for each in told for name in each))


def _at(found: Mapping[int, Estimate], k: int) -> str:
    return interval(found[k]) if k in found else NONE


def _hundredth(score: float | None) -> float | None:
    return None if score is None else score / 100


def _plain(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"
