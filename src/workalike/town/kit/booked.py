"""A booking made earlier, at any site that keeps some: found by its number and a name, cancelled where that is asked
for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from workalike.core.actions import Action, Press
from workalike.core.key import Criterion, RowPattern
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.look import FIELDS, OracleView
from workalike.town.site import Site
from workalike.town.town import Town

CANCEL = "Cancel this booking"


class FindBooking(Goal, frozen=True):
    """Look a booking up; `cancel` it, and no other one. `later` says that it is cancelled in the end, so that to do so
    at once is no mistake."""

    site: str
    number: str
    name: str
    cancel: bool = False
    later: bool = False

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        before, after = ({"number": self.number, "status": status} for status in ("Confirmed", "Cancelled"))
        return (RowPattern(f"{self.site}_booking", dict(before), dict(after)),) if self.cancel else ()

    def criteria(self) -> tuple[Criterion, ...]:
        what = "cancels it and no other" if self.cancel else "opens it"
        return (Criterion(f"Booking {self.number}", f"Finds the booking by number and name and {what}.", 4.0),)

    def perform(self, caller: Caller) -> None:
        desk, asked = _site(self.site).desk, {"number": self.number, "name": self.name}
        assert desk is not None
        caller.post(self.site, desk.path, asked) if desk.posts else caller.get(self.site, desk.path, **asked)
        if self.cancel:
            caller.post(self.site, f"/booking/{self.number}/cancel")

    def next(self, look: OracleView) -> Action | None:
        page, site = f"/booking/{self.number}", _site(self.site)
        assert site.desk is not None
        done = look.clicked("button", CANCEL, self.site, page) if self.cancel else look.was_at(self.site, page)
        if done:
            return None
        if look.at(self.site, page):
            return look.click("button", CANCEL)
        if look.at(self.site, site.desk.path):
            return (
                look.fill(FIELDS, "Booking number", self.number)
                or look.fill(FIELDS, site.desk.label, self.name)
                or Press(("enter",))
            )
        here = moves.enter(look, self.site, site.title)
        return here or look.click("link", look.word(self.site, site.desk.word), up=True)

    def misses(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        if self.cancel or not self.later:
            yield ("not cancelled" if self.cancel else "cancelled as well"), (replace(self, cancel=not self.cancel),)
        rows = [row for row in town.begin_rows(f"{self.site}_booking") if row["number"] != self.number]
        for row in rows[:2] if self.cancel else ():
            whose = str(row.get("names") or row.get("name")).split()[-1]
            other = replace(self, number=str(row["number"]), name=whose)
            yield f"{row['number']} cancelled instead", (other,)
            yield f"{row['number']} cancelled as well", (self, other)


def _site(name: str) -> Site:
    from workalike.town.sites import site_of

    return site_of(name)
