"""Lists of what is saved: things stand on them once, and are let go, at whatever site."""

from __future__ import annotations

from workalike.core.key import RowChange
from workalike.town.benchmark import Drawn, setting_of
from workalike.town.caller import Caller
from workalike.town.kit.goal import read_goals
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.server import App
from workalike.town.town import Town

TOGGLED = ("SaveJob", "SaveSome", "FollowEmployer", "KeepArticle", "KeepPlace")
"""What is let go by the same button; elsewhere the list has a button of its own for that."""


def test_a_thing_stands_on_its_list_once_and_is_let_go(town: Town, app: App, drawn: tuple[Drawn, ...]) -> None:
    plans = [(each, goal) for each in drawn for goal in read_goals(each.key.plan["goals"])]
    saves = {type(goal).__name__: (each, goal.saved[0]) for each, goal in plans if isinstance(goal, Save)}
    assert len(saves) >= 6
    for name, (each, thing) in saves.items():
        attempt = town.open(setting_of(each.key))
        caller = Caller(app, attempt.token)
        thing.perform(caller)
        (row,) = listed(town, attempt.token, thing)
        assert thing.entry.items() <= row.after.items(), name
        thing.perform(caller)
        assert listed(town, attempt.token, thing) == ([] if name in TOGGLED else [row]), name
        caller.post(thing.site, thing.path, {**thing.entry, "remove": "1"})
        assert bool(listed(town, attempt.token, thing)) == (name in TOGGLED), name
        town.close(attempt.token)


def listed(town: Town, token: str, thing: SavedThing) -> list[RowChange]:
    return [row for row in town.changes(token) if row.table == thing.row.table]
