"""A run's configuration with what surrounds it: the browser that it asks for, and what `run.json` says of this
machine."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import msgspec

from workalike.bench.benchmarks import TaskSet
from workalike.env.browser.settings import BrowserSettings
from workalike.models.by_hand import BY_HAND
from workalike.models.keys import STRUCK, Keys
from workalike.store.config import PROMPT, RunConfig
from workalike.store.runs import RunInfo

ORACLE = "oracle"
"""The model behind which, on the town, the oracle answers over a real server."""
DAY = 24 * 3600.0
"""Seconds: a person who answers may take a while."""


def browser_settings(config: RunConfig, headed: bool = False, search: str | None = None) -> BrowserSettings:
    """How the browser is set up for a run; what no browser can be is refused."""
    chosen = BrowserSettings(
        viewport=config.viewport, scale=config.scale, locale=config.locale, timezone=config.timezone, headed=headed
    )
    return msgspec.structs.replace(chosen, search=search) if search else chosen


def patience(model: str | None) -> dict[str, float]:
    """The limits in time where none are given: those of `AttemptLimits`, but for a person who is the model."""
    return {"step_seconds": DAY, "task_seconds": DAY} if model == BY_HAND else {}


def config_like(before: RunConfig, given: Mapping[str, Any], bounds: Mapping[str, Any]) -> RunConfig:
    """A run's configuration with what is `given` in its place, and other `bounds` for an attempt. Options replace all
    that were there, unless they only give secrets again, which are not written down."""
    changed = dict(given)
    if "today" in given:
        changed["now"] = False  # another date than the one that run went by
    for kind in ("options", "benchmark_options"):
        there, now = getattr(before, kind), given.get(kind, {})
        if all(there.get(name) == STRUCK for name in now):
            changed[kind] = {**there, **now}
    return msgspec.structs.replace(before, **changed, limits=msgspec.structs.replace(before.limits, **bounds))


def describe(config: RunConfig, task_set: TaskSet, prompts: dict[str, str], browser: str) -> RunInfo:
    """What `run.json` says: settings and hashes that must stay the same, versions that may differ. Options that are
    secrets are struck: another key makes no other run."""
    now = datetime.now(UTC)
    keys = Keys.load()
    written = msgspec.structs.replace(
        config,
        options=keys.without_secrets(config.options),
        benchmark_options=keys.without_secrets(config.benchmark_options),
    )
    return RunInfo(
        id=f"{now:%Y%m%d-%H%M%S}-{config.agent.replace(':', '-')}",
        created=now.isoformat(timespec="seconds"),
        settings={**msgspec.to_builtins(written), "benchmark": task_set.name, "notes": list(task_set.notes)},
        hashes={"tasks": task_set.fingerprint, **{f"{PROMPT}{name}": digest for name, digest in prompts.items()}},
        versions={
            "workalike": version("workalike"),
            "python": platform.python_version(),
            "playwright": version("playwright"),
            "browser": browser,
            "system": platform.platform(terse=True),
        },
    )
