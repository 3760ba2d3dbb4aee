"""Looking around on a site with times to book: the front page, a city's venues as a list and on a map, one venue with
its sheet, its rules and what guests say, and what one likes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.bookkit import listing
from workalike.town.bookkit.city import AREAS, CITIES, HEIGHT, WIDTH, distance, landmarks, metres
from workalike.town.bookkit.desk import BookingDesk
from workalike.town.bookkit.pictures import city_picture, venue_picture
from workalike.town.bookkit.slots import HORIZON, MOST, Party, fits, full_days, party_of, read_day, read_party, slots
from workalike.town.bookkit.venue import WEEKDAYS, Venue, venue_by, venues_in
from workalike.town.kit.listing import labels_of, page_number, with_query
from workalike.town.kit.records import count_rows
from workalike.town.kit.saving import add_or_remove, is_saved, saved_values
from workalike.town.visit import PageVisit

MONTHS = 62
"""How many days two months have at most."""
FIRST_REMARKS = 2
"""How many remarks stand on a venue's own page; the others have a page of theirs."""
PAGES = ("sheet", "rules", "reviews")


class VenuePages(msgspec.Struct, frozen=True):
    """The pages of one site that change nothing, and the list of favourites."""

    desk: BookingDesk

    def front(self, visit: PageVisit) -> Response:
        every = venues_in(visit.facts)
        counts = {city: sum(venue.city == city for venue in every) for city in CITIES}
        liked = sorted((venue for venue in every if venue.rating >= 4.4), key=lambda venue: venue.rank)[:4]
        return desk_page(self.desk, visit, "front.html", cities=CITIES, counts=counts, liked=liked)

    def city(self, visit: PageVisit) -> Response:
        return self._results(visit, self._city(visit))

    def map(self, visit: PageVisit) -> Response:
        """A city's venues where they stand, with landmarks and a scale."""
        city = self._city(visit)
        kind = visit.query.get("kind", "")
        found = [venue for venue in venues_in(visit.facts, city) if not kind or venue.kind == kind]
        kinds = sorted({venue.kind for venue in venues_in(visit.facts, city)})
        values: dict[str, Any] = {"city": city, "venues": found, "kinds": kinds, "kind": kind, "areas": AREAS}
        values |= {"landmarks": landmarks(visit.town.world, city), "width": WIDTH, "height": HEIGHT}
        return desk_page(self.desk, visit, "book/map.html", **values)

    def search(self, visit: PageVisit) -> Response:
        """What somebody asked for in the search form: a city, or a venue by its name."""
        where = " ".join(visit.query.get("where", "").split())
        row = visit.facts.execute("SELECT slug FROM venue WHERE lower(name) = ?", (where.lower(),)).fetchone()
        if row:
            asked = [(name, value) for name, value in visit.request.query_params.multi_items() if name != "where"]
            return visit.redirect(f"/at/{row['slug']}{with_query(asked)}")
        city = next((each for each in CITIES if each.lower() == where.split(",")[0].lower()), None)
        if city is None:
            near = listing.suggest(visit.facts, where)
            return desk_page(self.desk, visit, "book/nowhere.html", where=where, near=near)
        return self._results(visit, city)

    def suggestions(self, visit: PageVisit) -> Response:
        return visit.json(listing.suggest(visit.facts, visit.query.get("q", "")))

    def venue(self, visit: PageVisit) -> Response:
        venue = find_venue(visit, visit.part("slug"))
        day, party = asked_for(self.desk, visit)
        near = [each for each in venues_in(visit.facts, venue.city) if each.slug != venue.slug]
        near.sort(key=lambda each: metres((venue.x, venue.y), (each.x, each.y)))
        return desk_page(
            self.desk,
            visit,
            "venue.html",
            **about_venue(visit, venue),
            day=day,
            party=party or party_of(self.desk.usual),
            times=slots(visit.town.world, venue, day) if day else (),
            near=near[:3],
            first=FIRST_REMARKS,
            is_saved=is_saved(visit, self.desk.table("saved"), venue=venue.slug),
        )

    def page(self, visit: PageVisit) -> Response:
        """The sheet with prices, the rules, or what guests say: a page of its own each."""
        venue, page = find_venue(visit, visit.part("slug")), visit.part("page")
        if page not in PAGES or (page == "sheet" and not venue.lines):
            raise visit.missing()
        return desk_page(self.desk, visit, f"book/{page}.html", **about_venue(visit, venue))

    def days(self, visit: PageVisit) -> Response:
        """The days of two months on which a venue has no room, for the calendar that shows them."""
        venue, first = find_venue(visit, visit.query.get("venue", "")), visit.query.get("from", "")
        begins = read_day(max(first, visit.today.isoformat()), visit.today)
        if begins is None:
            return visit.json([])
        last = visit.today + timedelta(HORIZON)
        found = full_days(visit.town.world, venue, begins, min(MONTHS, (last - begins).days + 1))
        return visit.json([visit.fact(venue.slug, "full day", day) for day in found])

    def picture(self, visit: PageVisit) -> Response:
        venue, view = find_venue(visit, visit.part("slug")), visit.query.get("view", "0")
        return visit.drawing(venue_picture(self.desk.name, venue, int(view) % 4 if view.isdecimal() else 0))

    def city_picture(self, visit: PageVisit) -> Response:
        return visit.drawing(city_picture(self._city(visit)))

    def saved(self, visit: PageVisit) -> Response:
        venues = [find_venue(visit, slug) for slug in saved_values(visit, self.desk.table("saved"), "venue")]
        return desk_page(self.desk, visit, "book/saved.html", venues=venues)

    def save(self, visit: PageVisit) -> Response:
        """Put a venue on the list, or take it off."""
        add_or_remove(visit, self.desk.table("saved"), venue=find_venue(visit, visit.form.get("venue", "")).slug)
        return visit.redirect("/saved")

    def help(self, visit: PageVisit) -> Response:
        return desk_page(self.desk, visit, "book/help.html")

    def _city(self, visit: PageVisit) -> str:
        if visit.part("city") not in CITIES:
            raise visit.missing("city")
        return visit.part("city")

    def _results(self, visit: PageVisit, city: str) -> Response:
        items = visit.request.query_params.multi_items()
        ask = listing.read_query(items, city, self.desk.facets, page_number(visit))
        day, party = asked_for(self.desk, visit)
        found = listing.run_query(visit.town.world, visit.facts, ask, day, party, self.desk.facets)
        values: dict[str, Any] = {"ask": ask, "found": found, "items": items, "city": city, "where": city}
        values |= {"day": day, "party": party or party_of(self.desk.usual), "with_query": with_query}
        values |= {"sorts": labels_of(listing.SORTS), "sorted_by": ask.sort, "ratings": listing.RATINGS}
        if visit.query.get("piece"):
            return visit.html("book/cards.html", desk=self.desk, clock=clock, query_of=query_of, **values)
        return desk_page(self.desk, visit, "results.html", **values)


def about_venue(visit: PageVisit, venue: Venue) -> dict[str, Any]:
    """What the pages of a venue tell of it."""
    marks = landmarks(visit.town.world, venue.city)
    return {
        "venue": venue,
        "ways": [(mark.name, distance(metres(mark, (venue.x, venue.y)))) for mark in marks],
        "week": list(zip(WEEKDAYS, venue.hours, strict=True)) if venue.hours else [],
    }


def asked_for(desk: BookingDesk, visit: PageVisit) -> tuple[Any, Party | None]:
    """The day and the party of an address."""
    return read_day(visit.query.get("day", ""), visit.today), read_party(visit.query, desk.kinds)


def desk_page(desk: BookingDesk, visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows."""
    given: dict[str, Any] = {"day": None, "party": party_of(desk.usual), "where": "", "horizon": HORIZON, "most": MOST}
    count = count_rows(visit.state, desk.table("saved"))
    given |= {"desk": desk, "saved_count": count, "clock": clock, "query_of": query_of, "fits": fits, "venue": None}
    return visit.html(template, status, **(given | values))


def find_venue(visit: PageVisit, slug: str) -> Venue:
    venue = venue_by(visit.facts, slug)
    if venue is None:
        raise visit.missing("place")
    return venue


def clock(time: str) -> str:
    """
    >>> clock("19:30"), clock("09:00")
    ('7:30 PM', '9:00 AM')
    """
    hours, minutes = time.split(":")
    return f"{(int(hours) - 1) % 12 + 1}:{minutes} {'AM' if int(hours) < 12 else 'PM'}"


def query_of(day: Any, party: Party) -> str:
    """Day and party as part of an address."""
    many = "&".join(f"{name}={count}" for name, count in party.counts.items())
    return f"day={day.isoformat()}&{many}" if day else many
