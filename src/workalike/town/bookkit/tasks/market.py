"""What can be had at a site, looked up for drawing tasks and their near misses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random

from workalike.town.bookkit.city import Landmark, landmarks, metres
from workalike.town.bookkit.slots import Party, fits, slots
from workalike.town.bookkit.tables import slot_key
from workalike.town.bookkit.tasks.outing import Outing, outing_of
from workalike.town.bookkit.venue import Venue, venue_by, venues_in
from workalike.town.kit.records import scattered_number
from workalike.town.town import Town

FURTHEST = 70


class SlotMarket:
    """One site's venues and their times."""

    def __init__(self, town: Town, site: str) -> None:
        self.town, self.site = town, site
        self.facts, self.today = town.facts[site], town.world.today

    def all(self, city: str = "", test: Callable[[Venue], bool] = lambda venue: True) -> list[Venue]:
        return [venue for venue in venues_in(self.facts, city) if test(venue)]

    def one(self, rng: Random, city: str = "", test: Callable[[Venue], bool] = lambda venue: True) -> Venue | None:
        found = self.all(city, test)
        return rng.choice(found) if found else None

    def venue(self, slug: str) -> Venue:
        found = venue_by(self.facts, slug)
        assert found is not None
        return found

    def day(self, rng: Random, weekdays: tuple[int, ...] = tuple(range(7)), within: int = FURTHEST) -> date:
        """A day to come; about half of them within ten days."""
        ahead = rng.randint(1, 10) if rng.random() < 0.5 else rng.randint(3, within)
        days = (self.today + timedelta(ahead + more) for more in range(7))
        return next(day for day in days if day.weekday() in weekdays)

    def days_from(self, day: date, count: int) -> list[date]:
        return [day + timedelta(ahead) for ahead in range(count)]

    def free(self, venue: Venue, day: date, party: Party) -> list[str]:
        """The times that a party can have."""
        return [slot.time for slot in slots(self.town.world, venue, day) if fits(venue, slot, party)]

    def full(self, venue: Venue, day: date, party: Party) -> list[str]:
        """The times that it cannot have."""
        return [slot.time for slot in slots(self.town.world, venue, day) if not fits(venue, slot, party)]

    def keys(self, venue: Venue, day: date, party: Party, earliest: str = "", latest: str = "99") -> list[str]:
        """The free times between two hours, as rows name them."""
        times = self.free(venue, day, party)
        return [slot_key(venue.slug, day.isoformat(), time) for time in times if earliest <= time <= latest]

    def number(self, ahead: int = 1) -> str:
        """The number that the next booking will have, or one further on."""
        prefix = str(self.town.begin_rows(f"{self.site}_booking")[0]["number"])[:2]
        return scattered_number(prefix, len(self.town.begin_rows(f"{self.site}_booking")) + ahead)

    def landmarks(self, city: str) -> tuple[Landmark, ...]:
        return landmarks(self.town.world, city)

    def metres(self, venue: Venue, mark: Landmark) -> int:
        return metres(mark, (venue.x, venue.y))

    def neighbour(self, outing: Outing, but: tuple[str, ...] = ()) -> Outing:
        """Another venue of the city, of the same kind where there is one."""
        own = self.venue(outing.slug)
        others = [venue for venue in self.all(own.city) if venue.slug not in (own.slug, *but)]
        return outing_of(self.site, min(others, key=lambda venue: (venue.kind != own.kind, venue.rank)))

    def elsewhere(self, outing: Outing) -> Outing:
        """A venue of another city."""
        others = self.all(test=lambda venue: venue.city != outing.city)
        return outing_of(self.site, min(others, key=lambda venue: venue.rank))

    def some_day(self, outing: Outing) -> Outing:
        """The same venue, on the outing's day or else in a week, for its party or else for two."""
        venue = self.venue(outing.slug)
        day = outing.date if outing.day else self.today + timedelta(7)
        return outing_of(self.site, venue, day, Party(outing.party or f"{venue.fares[0].code}=2"))

    def others(self, outing: Outing, keys: tuple[str, ...]) -> Iterator[tuple[str, str, Outing]]:
        """Times and parties next to the right ones, each with what is wrong: a label, a time, the outing."""
        venue, party, day = self.venue(outing.slug), outing.people, outing.date
        right = {key.rpartition(" ")[2] for key in keys if key.startswith(f"{outing.slug} {outing.day} ")}
        yield from (
            ("another time", time, outing) for time in [t for t in self.free(venue, day, party) if t not in right][:2]
        )
        for ahead in (1, 7):
            later = outing_of(self.site, venue, day + timedelta(ahead), party)
            times = [t for t in self.free(venue, later.date, party) if slot_key(venue.slug, later.day, t) not in keys]
            yield from ((f"{ahead} days later", time, later) for time in times[:1])
        slugs = {key.partition(" ")[0] for key in keys}
        places = ((each, self.free(each, day, party)) for each in self.all(venue.city) if each.slug not in slugs)
        for other_venue, times in [(each, times) for each, times in places if times][:2]:
            yield "another place", times[0], outing_of(self.site, other_venue, day, party)
        time = keys[0].rpartition(" ")[2]
        for other in other_parties(party):
            if time in self.free(venue, day, other):
                yield "for other people", time, outing_of(self.site, venue, day, other)


def other_parties(party: Party) -> Iterator[Party]:
    """One more, and one less."""
    name, count = next(iter(party.counts.items()))
    rest = "".join(f",{each}={many}" for each, many in party.counts.items() if each != name)
    yield Party(f"{name}={count + 1}{rest}")
    if count > 1:
        yield Party(f"{name}={count - 1}{rest}")
