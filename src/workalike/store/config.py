"""What a run is to be: everything that bears on its result, as it stands in `run.json`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from workalike.core.contracts import AgentSpec
from workalike.core.errors import BadInput
from workalike.core.screen import VIEWPORT, Size
from workalike.store.runs import RunInfo

USERS = ("nobody", "persona", "canned")
ANSWERS = ("line", "free")
PROMPT = "prompt "
_DATED = re.compile(r"\b(?:date is moved to|rolled forward from) (\d{4}-\d\d-\d\d)")


class AttemptLimits(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far one attempt may go: steps, seconds for one decision (enough for a request that hangs, and for asking
    again), seconds in all."""

    steps: int = 100
    step_seconds: float = 600.0
    task_seconds: float = 1800.0


class RunConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run. Going on with one, and `--like`, take exactly these.

    `edition` is the file of a private edition of the town; its seed stays there. `now` says that `today` was asked for
    as `now`, `refreshed` from which date passed dates are rolled forward: both are the day on which the run was made,
    which `settle` fills in. `inject` names the attacks that are planted in the town's pages; `decoupled` attempts begin
    where they are planted.
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
    edition: str | None = None
    now: bool = False
    refresh_dates: bool = False
    refreshed: str | None = None
    limits: AttemptLimits = AttemptLimits()
    viewport: Size = VIEWPORT
    scale: float = 1.0
    locale: str = "en-US"
    timezone: str | None = None
    user: str = "nobody"
    answers: str = "line"
    inject: str | None = None
    decoupled: bool = False
    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    sampling: dict[str, Any] = {}
    options: dict[str, Any] = {}
    benchmark_options: dict[str, Any] = {}

    def __post_init__(self) -> None:
        need_count("--repeats", self.repeats)
        need_count("--limit", self.limit)
        need_count("--steps", self.limits.steps)
        need_amount("--step-seconds", self.limits.step_seconds)
        need_amount("--task-seconds", self.limits.task_seconds)
        if self.user not in USERS:
            raise BadInput(f"--user must be one of {', '.join(USERS)}, not {self.user!r}")
        if self.answers not in ANSWERS:
            raise BadInput(f"--answers must be one of {', '.join(ANSWERS)}, not {self.answers!r}")

    @property
    def spec(self) -> AgentSpec:
        """Who acts."""
        return AgentSpec(self.agent, self.model, self.sampling, self.options)


def need_count(option: str, given: int | None) -> None:
    """Refuse what is no number of things; None is none given."""
    if given is not None and given < 1:
        raise BadInput(f"{option} must be at least 1, not {given}")


def need_amount(option: str, given: float | None) -> None:
    """Refuse what is no amount of seconds or dollars; None is none given."""
    if given is not None and not (math.isfinite(given) and given > 0):
        raise BadInput(f"{option} must be a number above 0, not {given:g}")


def settle(config: RunConfig, today: date, there: RunInfo | None = None) -> RunConfig:
    """The configuration with dates for `now` and for the refresh: those of the run it goes on with, else the real date.

    >>> settle(RunConfig(benchmark="town", agent="idle", today="now"), date(2026, 11, 15)).today
    '2026-11-15'
    """
    before = _convert(there) if there else None
    if before and before.now and config.today in ("now", before.today):
        config = msgspec.structs.replace(config, today=before.today, now=True)
    elif config.today == "now":
        config = msgspec.structs.replace(config, today=today.isoformat(), now=True)
    if config.refresh_dates and config.refreshed is None:
        recorded = before.refreshed if before else None
        config = msgspec.structs.replace(config, refreshed=recorded or today.isoformat())
    return config


def going_on(info: RunInfo, there: RunInfo) -> RunInfo:
    """What `run.json` says when a run goes on: its own words, also of an older form, where these mean the same."""
    before = _convert(there)
    same = before is not None and before == read_config(info)
    settings = {**there.settings, "notes": info.settings["notes"]} if same else info.settings
    return msgspec.structs.replace(info, id=there.id, settings=settings)


def changed_prompts(there: RunInfo, config: RunConfig, now: Mapping[str, str]) -> list[str]:
    """The prompts of a run that have other words now; with another agent, those that both use."""
    before = {name.removeprefix(PROMPT): each for name, each in there.hashes.items() if name.startswith(PROMPT)}
    same = there.settings.get("agent") == config.agent
    names = {*before, *now} if same else {*before} & {*now}
    return sorted(name for name in names if before.get(name) != now.get(name))


def read_config(info: RunInfo) -> RunConfig:
    """The configuration a run was made by, with the dates it went by."""
    try:
        config = msgspec.convert(info.settings, RunConfig)
    except msgspec.ValidationError as error:
        raise BadInput(f"run.json holds settings that this version cannot repeat: {error}") from error
    return settle(config, _made_on(info))


def _convert(info: RunInfo) -> RunConfig | None:
    """The same, or nothing for a run that was not made by one."""
    try:
        return read_config(info)
    except BadInput:
        return None


def _made_on(info: RunInfo) -> date:
    """The date a run went by that does not record it as a setting: runs of the first form tell it in their notes."""
    told = [found[1] for note in info.settings.get("notes", ()) if (found := _DATED.search(str(note)))]
    try:
        return date.fromisoformat((told or [info.created])[0][:10])
    except ValueError:
        raise BadInput(f"run.json says {info.created!r} for when the run was made, which is no date") from None
