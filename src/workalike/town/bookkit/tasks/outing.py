"""What tasks are about, as plain data: a venue at a site, and a day there for some people; and the facts about it."""

from __future__ import annotations

from datetime import date

import msgspec

from workalike.core.key import FactPattern
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.venue import Venue


class Outing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A venue at a site; with a day and a party where it comes to those."""

    site: str
    slug: str
    name: str
    city: str
    day: str = ""
    party: str = ""

    @property
    def date(self) -> date:
        return date.fromisoformat(self.day)

    @property
    def people(self) -> Party:
        return Party(self.party)

    @property
    def query(self) -> dict[str, object]:
        return {"day": self.day, **self.people.counts} if self.day else {}


def outing_of(site: str, venue: Venue, day: date | None = None, party: Party | None = None) -> Outing:
    """A venue, on a day where one is given."""
    when = day.isoformat() if day else ""
    return Outing(site, venue.slug, venue.name, venue.city, when, party.text if party else "")


def about(outing: Outing, field: str, value: str | None = None) -> FactPattern:
    """A fact about a venue."""
    return FactPattern(outing.site, outing.slug, field, {}, value)


def on_the_day(outing: Outing, field: str, value: str | None = None) -> FactPattern:
    """A fact about a venue's day for the party."""
    return FactPattern(outing.site, outing.slug, field, {"day": outing.day, "party": outing.party}, value)
