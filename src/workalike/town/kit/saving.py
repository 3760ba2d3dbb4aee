"""Lists of what people save, keep or follow: the rows behind them, and the goal of having something on one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from workalike.core.actions import Action
from workalike.core.key import RowPattern, Scalar, Wanted
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.look import OracleView
from workalike.town.state import insert
from workalike.town.town import Town
from workalike.town.visit import PageVisit


class SavedThing(msgspec.Struct, frozen=True):
    """What stands on a list of a site: the entry that its button posts, the page of that button and how the oracle gets
    there. The list is a table and a path; `owner` is what its rows hold besides, `word` what skins call the button.
    Plain requests open the page first only where it `opens`."""

    site: str
    entry: Mapping[str, Scalar]
    page: str
    reach: Callable[[OracleView], Action | None]
    table: str = "saved"
    path: str = "/saved"
    word: str = "save"
    owner: Mapping[str, Scalar] = {}
    opens: bool = True

    @property
    def row(self) -> RowPattern:
        after: dict[str, Wanted] = {**self.owner, **self.entry}
        return RowPattern(f"{self.site}_{self.table}", after=after)

    def perform(self, caller: Caller) -> None:
        if self.opens:
            caller.get(self.site, self.page)
        caller.post(self.site, self.path, self.entry)

    def next(self, look: OracleView) -> Action | None:
        word = look.word(self.site, self.word)
        if look.clicked("button", word, self.site, f"{self.page}$"):
            return None
        return self.reach(look) or look.click("button", word)


class Save(Goal, frozen=True):
    """Have things on a list, and no others. Sites say by a class of their own what these are."""

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        """What is saved, in the oracle's order."""
        raise NotImplementedError

    @property
    def looked(self) -> tuple[Goal, ...]:
        """What is done up to the button."""
        return ()

    def others(self, town: Town) -> Iterable[Save]:
        """What might be saved by mistake."""
        return ()

    def besides(self, town: Town) -> Iterable[Save]:
        """What might be saved by mistake in addition: nothing that a task could want as well."""
        return self.others(town)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        return tuple(thing.row for thing in self.saved)

    def perform(self, caller: Caller) -> None:
        for thing in self.saved:
            thing.perform(caller)

    def next(self, look: OracleView) -> Action | None:
        return next((move for thing in self.saved if (move := thing.next(look))), None)

    def misses(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        yield "not saved", self.looked
        for other in self.others(town):
            yield "another one saved", (other,)
        for other in self.besides(town):
            yield "one more saved", (self, other)


def is_saved(visit: PageVisit, table: str, **entry: object) -> bool:
    where = " AND ".join(f"{name} = ?" for name in entry)
    return visit.state.execute(f"SELECT 1 FROM {table} WHERE {where}", tuple(entry.values())).fetchone() is not None


def saved_values(visit: PageVisit, table: str, column: str) -> list[Any]:
    """What stands on a list, in the order in which it was saved."""
    return [row[column] for row in visit.state.execute(f"SELECT * FROM {table} ORDER BY id")]


def add_or_remove(visit: PageVisit, table: str, **entry: object) -> None:
    """Put something on a list, once, or take it off where the form says `remove`."""
    if "remove" in visit.form:
        _take_off(visit, table, entry)
    elif not is_saved(visit, table, **entry):
        insert(visit.state, table, entry)


def toggle(visit: PageVisit, table: str, **entry: object) -> None:
    """Put something on a list; asked again, it is taken off."""
    if not _take_off(visit, table, entry):
        insert(visit.state, table, entry)


def _take_off(visit: PageVisit, table: str, entry: dict[str, object]) -> bool:
    where = " AND ".join(f"{name} = ?" for name in entry)
    return visit.state.execute(f"DELETE FROM {table} WHERE {where}", tuple(entry.values())).rowcount > 0
