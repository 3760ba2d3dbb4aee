"""A benchmark opened by name, with the web its attempts happen on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import cast

from workalike.bench.benchmarks import LIVE, Benchmark, build, refresh, select
from workalike.bench.ground import Ground, LiveGround, town_ground
from workalike.bench.plan import ORACLE, Plan, settle
from workalike.core.errors import BadInput
from workalike.env.policy import Policy
from workalike.formats import online_mind2web, webtailbench
from workalike.town.benchmark import draw_tasks
from workalike.town.site import Split
from workalike.town.town import Town
from workalike.town.world import edition

_LATEST = {"webtailbench": "webtailbench@v2"}
_HUB = {
    "webtailbench@v1": (webtailbench.REPOSITORY, webtailbench.file_names("v1")[0]),
    "webtailbench@v2": (webtailbench.REPOSITORY, webtailbench.file_names("v2")[0]),
    "webtailbench-refusals": (webtailbench.REPOSITORY, webtailbench.file_names("refusals")[0]),
    "online-mind2web": (online_mind2web.REPOSITORY, "Online_Mind2Web.json"),
}


class Venue:
    """The part of a benchmark that a plan asks for, and its ground."""

    def __init__(self, benchmark: Benchmark, town: Town | None, policy: Policy, with_eyes: bool = False) -> None:
        self.benchmark, self.town, self._policy, self._with_eyes = benchmark, town, policy, with_eyes

    @asynccontextmanager
    async def ground(self) -> AsyncIterator[Ground]:
        """What attempts act on while the run goes on."""
        if self.town is None:
            yield LiveGround(self._policy)
            return
        async with town_ground(self.town, self._with_eyes) as ground:
            yield ground


def names() -> list[str]:
    """The benchmarks there are."""
    return ["town", *_LATEST, *LIVE]


def open_venue(plan: Plan, data: Path | None = None, today: date | None = None) -> Venue:
    """Open the benchmark a plan names; `data` is where its files lie, `today` the real date, if it has none yet."""
    plan = settle(plan, today or date.today())
    name = _LATEST.get(plan.benchmark, plan.benchmark)
    policy = Policy(public=True, allow=plan.allow, block=plan.block)
    if name.partition("@")[0] == "town":
        return _open_town(plan, policy)
    if name not in LIVE:
        raise BadInput(f"there is no benchmark {plan.benchmark!r}; there are {', '.join(names())}")
    benchmark = LIVE[name](data if data is not None else fetch(name))
    chosen = select(benchmark, plan.categories, plan.tasks, plan.limit)
    if plan.refreshed:
        chosen = refresh(chosen, date.fromisoformat(plan.refreshed))
    return Venue(chosen, None, policy)


def fetch(name: str) -> Path:
    """Download a benchmark's file from the hub, once; where that cannot be, say what to do."""
    if name not in _HUB:
        raise BadInput(f"{name} is not fetched: download its file and name it with --data PATH")
    repository, file = _HUB[name]
    try:
        from huggingface_hub import hf_hub_download
    except ImportError:
        raise BadInput(
            f"to fetch {name}, run `pip install 'workalike[hub]'`; or download {file} from the hub's dataset "
            f"{repository} and name it with --data PATH"
        ) from None
    try:
        return Path(hf_hub_download(repository, file, repo_type="dataset"))
    except Exception as error:  # the hub's client raises a dozen kinds, and all mean the same here
        raise BadInput(
            f"{file} could not be fetched from the hub's dataset {repository} ({type(error).__name__}); download it "
            "by other means and name it with --data PATH"
        ) from error


def _open_town(plan: Plan, policy: Policy) -> Venue:
    world = edition(plan.benchmark, plan.today)
    town = Town(world)
    pairs = [(each.task, each.key) for each in draw_tasks(town, cast(Split, plan.split))]
    notes = [] if world.pinned else [f"the town's date is moved to {world.today}: scores do not compare with town@1"]
    benchmark = build(f"town@{world.seed}", pairs, live=False, notes=notes)
    return Venue(select(benchmark, plan.categories, plan.tasks, plan.limit), town, policy, plan.model == ORACLE)
