"""What a run is to be: everything that bears on its result, as it stands in `run.json`."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import msgspec

from understudy.bench.attempt import Limits
from understudy.bench.benchmarks import Benchmark
from understudy.core.errors import BadInput
from understudy.core.screen import Size
from understudy.env.settings import VIEWPORT, BrowserSettings
from understudy.store.runs import RunInfo

ORACLE = "oracle"
"""The model behind which, on the town, the oracle answers over a real server."""
USERS = ("nobody", "persona", "canned")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run. Going on with one, and `--like`, take exactly these."""

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
    refresh_dates: bool = False
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
        if self.repeats < 1:
            raise BadInput(f"--repeats must be at least 1, not {self.repeats}")
        if self.limit is not None and self.limit < 1:
            raise BadInput(f"--limit must be at least 1, not {self.limit}")
        if self.user not in USERS:
            raise BadInput(f"--user must be one of {', '.join(USERS)}, not {self.user!r}")
        self.browser()  # what no browser can be is said before anything starts

    def browser(self, headed: bool = False, search: str | None = None) -> BrowserSettings:
        """How the browser is set up for it."""
        chosen = BrowserSettings(
            viewport=self.viewport, scale=self.scale, locale=self.locale, timezone=self.timezone, headed=headed
        )
        return msgspec.structs.replace(chosen, search=search) if search else chosen


def describe(plan: Plan, benchmark: Benchmark, prompts: dict[str, str], browser: str) -> RunInfo:
    """What `run.json` says: settings and hashes that must stay the same, versions that may differ."""
    now = datetime.now(UTC)
    return RunInfo(
        id=f"{now:%Y%m%d-%H%M%S}-{plan.agent.replace(':', '-')}",
        created=now.isoformat(timespec="seconds"),
        settings={**msgspec.to_builtins(plan), "benchmark": benchmark.name, "notes": list(benchmark.notes)},
        hashes={"tasks": benchmark.fingerprint, **{f"prompt {name}": digest for name, digest in prompts.items()}},
        versions={
            "understudy": version("understudy"),
            "python": platform.python_version(),
            "playwright": version("playwright"),
            "browser": browser,
            "system": platform.platform(terse=True),
        },
    )


def read_plan(info: RunInfo) -> Plan:
    """The plan a run was made by."""
    try:
        return msgspec.convert(info.settings, Plan)
    except msgspec.ValidationError as error:
        raise BadInput(f"run.json holds settings that this version cannot repeat: {error}") from error
