"""How far a scripted bot gets on the town: regular expressions over plain HTTP, beside idleness and random answers."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from msgspec.structs import replace

from benchmarks import Figure
from benchmarks.scripted_bot import solve
from benchmarks.scripted_reading import Client
from workalike.core.outcomes import solved
from workalike.core.task import Task
from workalike.runtime.serving import THIS_MACHINE, serving
from workalike.statistics.intervals import clustered_rate
from workalike.town.benchmark import Drawn, draw_tasks, setting_of
from workalike.town.caller import Caller, PageReply
from workalike.town.kit.lines import STATUSES
from workalike.town.server import COOKIE, App
from workalike.town.site import Split
from workalike.town.town import Town
from workalike.town.world import World
from workalike.verify.state import judge

SAMPLE = Path(__file__).parent / "bot_shop_sample.json"
"""Simple shop tasks of the train split by their ids, as they were when the bot was written."""
Solver = Callable[[Task, Client], str]
LEVELS = ("easy", "medium", "hard")


class HttpClient(Caller):
    """Plain requests over loopback as the attempt with a token, told by its cookie."""

    def __init__(self, port: int, token: str) -> None:
        self.token = token
        self.link = http.client.HTTPConnection(THIS_MACHINE, port)

    def ask(self, method: str, url: str, body: bytes) -> PageReply:
        parts = urlsplit(url)
        headers = {"Host": parts.netloc, "Cookie": f"{COOKIE}={self.token}", "Accept": "text/html"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.link.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
        reply = self.link.getresponse()
        return PageReply(reply.status, url, {k.lower(): v for k, v in reply.getheaders()}, reply.read())


def say_at_random(task: Task, client: Client) -> str:
    """Some words of the instruction in every field, or any word that ends a task."""
    rng, words = Random(task.id), task.instruction.split()
    if not task.form:
        return f"ANSWER: {rng.choice(STATUSES)}"
    return "ANSWER: " + "; ".join(f"{field.name} = {rng.choice(words)}" for field in task.form)


def idle(task: Task, client: Client) -> str:
    return "ANSWER: done"


async def attempt(town: Town, drawn: Iterable[Drawn], solver: Solver, looks: Split | None = None) -> dict[str, bool]:
    """Which tasks a solver solves, each in an attempt of its own; in another split's looks where one is named."""
    found = {}
    async with serving(App(town)) as port:
        for each in drawn:
            setting = setting_of(each.key)
            if looks is not None:
                setting = replace(setting, skins=_skins(town, looks, Random(each.task.id)))
            token = town.open(setting).token
            client = HttpClient(port, token)
            said = await asyncio.to_thread(solver, each.task, client)
            client.link.close()
            verdict = judge(each.key, town.changes(token), said, town.shown(token))
            town.close(token)
            found[each.task.id] = solved(verdict.outcome, "town", each.key.reports) is True
    return found


def _skins(town: Town, split: Split, rng: Random) -> dict[str, str]:
    return {name: rng.choice(site.skins_of(split) or site.skins).name for name, site in sorted(town.sites.items())}


def measure() -> list[Figure]:
    figures: list[Figure] = []
    for split in ("train", "test"):
        town = Town(World().of(split))
        drawn = draw_tasks(town)
        for name, solver in (("bot", solve), ("random answers", say_at_random), ("idle", idle)):
            done = asyncio.run(attempt(town, drawn, solver))
            figures += _figures(split, name, drawn, done, whole=name == "bot")
        if split == "train":
            done = asyncio.run(attempt(town, drawn, solve, "test"))
            figures += _figures(split, "bot in the looks of test", drawn, done, whole=False)
    return figures


def _figures(split: Split, name: str, drawn: Iterable[Drawn], done: Mapping[str, bool], whole: bool) -> list[Figure]:
    """A solver's shares: of all, and for the bot of every level and category, and of the frozen sample."""
    tasks = [each.task for each in drawn]
    parts = {"all": tasks}
    aims = {("train", "easy"): "≥ 60", ("test", "all"): "< 15", ("test", "hard"): "≤ 5"}
    if whole:
        parts |= {level: [task for task in tasks if task.extra["level"] == level] for level in LEVELS}
        for category in dict.fromkeys(str(task.category) for task in tasks):
            parts[category] = [task for task in tasks if task.category == category]
    if whole and split == "train":
        kept = json.loads(SAMPLE.read_text())
        frozen = f"those of the {len(kept)} frozen shop tasks that are worded as then"
        parts[frozen] = [task for task in tasks if kept.get(task.id) == task.instruction]
        aims[("train", frozen)] = "≥ 75"
    found = []
    for part, some in parts.items():
        rate = clustered_rate({task.id: [float(done[task.id])] for task in some})
        right = sum(done[task.id] for task in some)
        low, high = 100 * (rate.low or 0), 100 * (rate.high or 0)
        detail = f"{right} of {len(some)}, 95 % interval {low:.1f} to {high:.1f}"
        aim = "" if not whole else aims.get((split, part), "≤ 40" if split == "test" and part not in LEVELS else "")
        found.append(Figure(f"{split}, {name}: {part}", 100 * (rate.mean or 0), "%", aim, detail))
    return found
