"""What a run is to be: everything that bears on its result, as it stands in `run.json`."""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from importlib.metadata import version
from typing import Any

import msgspec

from workalike.bench.attempt import Limits
from workalike.bench.benchmarks import Benchmark
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.env.settings import VIEWPORT, BrowserSettings
from workalike.store.runs import RunInfo

ORACLE = "oracle"
"""The model behind which, on the town, the oracle answers over a real server."""
USERS = ("nobody", "persona", "canned")
_PROMPT = "prompt "
_DATED = re.compile(r"\b(?:date is moved to|rolled forward from) (\d{4}-\d\d-\d\d)")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run. Going on with one, and `--like`, take exactly these.

    `now` says that `today` was asked for as `now`, `refreshed` from which date passed dates are rolled forward: both
    are the day on which the run was made, which `settle` fills in.
    """

    benchmark: str
    agent: str
    model: str | None = None
    repeats: int = 3
    seed: int = 0
    categories: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    split: str = "test"
    today: str | None = None
    now: bool = False
    refresh_dates: bool = False
    refreshed: str | None = None
    limits: Limits = Limits()
    viewport: Size = VIEWPORT
    scale: float = 1.0
    locale: str = "en-US"
    timezone: str | None = None
    user: str = "nobody"
    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    sampling: dict[str, Any] = {}
    options: dict[str, Any] = {}

    def __post_init__(self) -> None:
        need_count("--repeats", self.repeats)
        need_count("--limit", self.limit)
        need_count("--steps", self.limits.steps)
        need_amount("--step-seconds", self.limits.step_seconds)
        need_amount("--task-seconds", self.limits.task_seconds)
        if self.user not in USERS:
            raise BadInput(f"--user must be one of {', '.join(USERS)}, not {self.user!r}")
        self.browser()  # what no browser can be is said before anything starts

    def browser(self, headed: bool = False, search: str | None = None) -> BrowserSettings:
        """How the browser is set up for it."""
        chosen = BrowserSettings(
            viewport=self.viewport, scale=self.scale, locale=self.locale, timezone=self.timezone, headed=headed
        )
        return msgspec.structs.replace(chosen, search=search) if search else chosen


def need_count(option: str, given: int | None) -> None:
    """Refuse what is no number of things; None is none given."""
    if given is not None and given < 1:
        raise BadInput(f"{option} must be at least 1, not {given}")


def need_amount(option: str, given: float | None) -> None:
    """Refuse what is no amount of seconds or dollars; None is none given."""
    if given is not None and not (math.isfinite(given) and given > 0):
        raise BadInput(f"{option} must be a number above 0, not {given:g}")


def settle(plan: Plan, today: date, there: RunInfo | None = None) -> Plan:
    """The plan with dates for `now` and for the refresh: those of the run it goes on with, or else the real date.

    >>> settle(Plan(benchmark="town", agent="idle", today="now"), date(2026, 11, 15)).today
    '2026-11-15'
    """
    before = _convert(there) if there else None
    if before and before.now and plan.today in ("now", before.today):
        plan = msgspec.structs.replace(plan, today=before.today, now=True)
    elif plan.today == "now":
        plan = msgspec.structs.replace(plan, today=today.isoformat(), now=True)
    if plan.refresh_dates and plan.refreshed is None:
        recorded = before.refreshed if before else None
        plan = msgspec.structs.replace(plan, refreshed=recorded or today.isoformat())
    return plan


def describe(plan: Plan, benchmark: Benchmark, prompts: dict[str, str], browser: str) -> RunInfo:
    """What `run.json` says: settings and hashes that must stay the same, versions that may differ."""
    now = datetime.now(UTC)
    return RunInfo(
        id=f"{now:%Y%m%d-%H%M%S}-{plan.agent.replace(':', '-')}",
        created=now.isoformat(timespec="seconds"),
        settings={**msgspec.to_builtins(plan), "benchmark": benchmark.name, "notes": list(benchmark.notes)},
        hashes={"tasks": benchmark.fingerprint, **{f"{_PROMPT}{name}": digest for name, digest in prompts.items()}},
        versions={
            "workalike": version("workalike"),
            "python": platform.python_version(),
            "playwright": version("playwright"),
            "browser": browser,
            "system": platform.platform(terse=True),
        },
    )


def going_on(info: RunInfo, there: RunInfo) -> RunInfo:
    """What `run.json` says when a run goes on: its own words, also of an older form, where these mean the same."""
    before = _convert(there)
    same = before is not None and before == read_plan(info)
    settings = {**there.settings, "notes": info.settings["notes"]} if same else info.settings
    return msgspec.structs.replace(info, id=there.id, settings=settings)


def changed_prompts(there: RunInfo, plan: Plan, now: Mapping[str, str]) -> list[str]:
    """The prompts of a run that have other words now; with another agent, those that both use."""
    before = {name.removeprefix(_PROMPT): each for name, each in there.hashes.items() if name.startswith(_PROMPT)}
    same = there.settings.get("agent") == plan.agent
    names = {*before, *now} if same else {*before} & {*now}
    return sorted(name for name in names if before.get(name) != now.get(name))


def read_plan(info: RunInfo) -> Plan:
    """The plan a run was made by, with the dates it went by."""
    try:
        plan = msgspec.convert(info.settings, Plan)
    except msgspec.ValidationError as error:
        raise BadInput(f"run.json holds settings that this version cannot repeat: {error}") from error
    return settle(plan, _made_on(info))


def _convert(info: RunInfo) -> Plan | None:
    """The same, or nothing for a run that was not made by a plan."""
    try:
        return read_plan(info)
    except BadInput:
        return None


def _made_on(info: RunInfo) -> date:
    """The date a run went by that does not record it as a setting: runs of the first form tell it in their notes."""
    told = [found[1] for note in info.settings.get("notes", ()) if (found := _DATED.search(str(note)))]
    try:
        return date.fromisoformat((told or [info.created])[0][:10])
    except ValueError:
        raise BadInput(f"run.json says {info.created!r} for when the run was made, which is no date") from None
