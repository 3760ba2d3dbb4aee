"""What an edition consists of, as digests: its world, its tasks and keys, and every page on the right way of every
task, as the task's own skins show it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from workalike.town.benchmark import Drawn, setting_of
from workalike.town.caller import Caller, PageReply
from workalike.town.edition import Digests, digest_keys, digest_of, digest_tasks
from workalike.town.kit.goal import read_goals
from workalike.town.render import GROUND
from workalike.town.server import App
from workalike.town.sites import EXTRA
from workalike.town.town import Town


def digests_of(town: Town, drawn: Sequence[Drawn]) -> Digests:
    """The digests of a town with the tasks that were drawn in it."""
    return Digests(
        digest_tasks(each.task for each in drawn),
        digest_keys(each.key for each in drawn),
        digest_of(page for each in drawn for page in pages_of(town, each)),
        digest_of(_facts(town)),
        digest_of(path.read_bytes() for path in static_files(GROUND, town.sites)),
    )


def pages_of(town: Town, each: Drawn) -> Iterator[bytes]:
    """Every page on the right way of a task, in the order in which it is met."""
    attempt = town.open(setting_of(each.key))
    caller = _Reader(App(town), attempt.token)
    try:
        for goal in read_goals(each.key.plan["goals"]):
            goal.perform(caller)
        yield from caller.bodies
    finally:
        town.close(attempt.token)


class _Reader(Caller):
    """Keeps what it was answered."""

    def __init__(self, app: App, token: str) -> None:
        super().__init__(app, token)
        self.bodies: list[bytes] = []

    def ask(self, method: str, url: str, body: bytes) -> PageReply:
        reply = super().ask(method, url, body)
        self.bodies.append(reply.body)
        return reply


def static_files(folder: Path, sites: Collection[str]) -> list[Path]:
    """What pages load besides, of everything but the sites that are not there."""
    absent = {folder / "sites" / name for name in EXTRA if name not in sites}
    return sorted(path for path in folder.rglob("static/*") if path.is_file() and absent.isdisjoint(path.parents))


def _facts(town: Town) -> Iterator[bytes]:
    """Every row of every site's world."""
    for name, facts in town.facts.items():
        every = facts.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        indexes = [row["name"] for row in every if "fts5" in row["sql"]]
        for table in [row["name"] for row in every if not row["name"].startswith(tuple(indexes) or ("?",))]:
            yield from (f"{name} {table} {tuple(row)!r}".encode() for row in facts.execute(f"SELECT * FROM {table}"))
