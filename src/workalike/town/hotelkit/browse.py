"""Looking around on a hotel site: the front page, a city's houses, one house with its rooms, and what one likes."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.hotelkit import listing, prices
from workalike.town.hotelkit.agency import HotelAgency
from workalike.town.hotelkit.houses import CITIES, COUNTRY
from workalike.town.hotelkit.pictures import city_picture, hotel_picture
from workalike.town.hotelkit.prices import HotelStay, read_stay
from workalike.town.kit.listing import labels_of, page_number, with_query
from workalike.town.kit.records import count_rows
from workalike.town.kit.saving import add_or_remove, is_saved, saved_values
from workalike.town.visit import PageVisit
from workalike.town.world import World

FEATURED = ("Lisbon", "Copenhagen", "Kyoto", "Vienna", "Barcelona", "Montreal")
MONTHS = 62
"""How many days two months have at most."""
REMARKS = (
    ("Great location", "Everything we wanted to see was a short walk away."),
    ("Would come back", "Friendly desk, quiet room, a very good breakfast."),
    ("Good value", "Simple, clean, and the bed was excellent."),
    ("A little noisy", "Ask for a room to the courtyard; then it is perfect."),
    ("Lovely staff", "They kept our luggage all day and called us a taxi."),
)


QUIRKS = (
    ("Early risers only", "The church next door rings at six in the morning, on Sundays too."),
    ("Good legs needed", "The lift was out of order all week, and our room was on the fifth floor."),
    ("Better than the concert", "We watched the fireworks over the river from the bath tub."),
    ("Four paws up", "They baked a biscuit for our dog, with his name on it."),
    ("Where is the pillow?", "Pillows as thin as a newspaper; the second one had to be asked for."),
)


class HotelPages(msgspec.Struct, frozen=True):
    """The pages of one site that change nothing, and the list of favourites."""

    agency: HotelAgency

    def front(self, visit: PageVisit) -> Response:
        query = "SELECT * FROM hotel WHERE city IN (?,?,?,?,?,?) AND rating > 8 ORDER BY rank LIMIT 4"
        return agency_page(
            self.agency,
            visit,
            "front.html",
            cities=[city for name in FEATURED for city in CITIES if city.name == name],
            liked=visit.facts.execute(query, FEATURED).fetchall(),
            counts=dict(visit.facts.execute("SELECT city, count(*) FROM hotel GROUP BY city").fetchall()),
        )

    def destinations(self, visit: PageVisit) -> Response:
        rows = visit.facts.execute("SELECT city, country, count(*) AS count FROM hotel GROUP BY city ORDER BY 2, 1")
        countries: dict[str, list[sqlite3.Row]] = {}
        for row in rows:
            countries.setdefault(row["country"], []).append(row)
        return agency_page(self.agency, visit, "hotel/destinations.html", countries=countries)

    def city(self, visit: PageVisit) -> Response:
        """A city's houses without dates in mind: what a stay next week would cost."""
        name = visit.part("city")
        if name not in COUNTRY:
            raise visit.missing("city")
        return self._results(visit, name, _some_stay(visit.today), "")

    def search(self, visit: PageVisit) -> Response:
        """What somebody asked for in the search form: a city, or a house by its name."""
        where = " ".join(visit.query.get("where", "").split())
        stay, problem = read_stay(visit.query, visit.today)
        chosen = stay or _some_stay(visit.today)
        hotel = visit.facts.execute("SELECT slug FROM hotel WHERE lower(name) = ?", (where.lower(),)).fetchone()
        if hotel:
            return visit.redirect(f"/hotel/{hotel['slug']}" + (f"?{stay.query}" if stay else ""))
        city = next((each for each in COUNTRY if each.lower() == where.split(",")[0].lower()), None)
        if city is None:
            near = listing.suggest(visit.facts, where)
            return agency_page(self.agency, visit, "hotel/nowhere.html", where=where, near=near)
        return self._results(
            visit, city, chosen, problem or ("" if stay else "Choose dates to see prices for your stay.")
        )

    def suggestions(self, visit: PageVisit) -> Response:
        return visit.json(listing.suggest(visit.facts, visit.query.get("q", "")))

    def hotel(self, visit: PageVisit) -> Response:
        row = find_hotel(visit, visit.part("slug"))
        stay, problem = read_stay(visit.query, visit.today)
        rooms = prices.rows_of(visit.facts, row["id"])
        shown = [
            (room, prices.offers(self.agency, visit.town.world, row, room, stay) if stay else []) for room in rooms
        ]
        amenities = visit.facts.execute("SELECT name FROM amenity WHERE hotel = ?", (row["id"],))
        near = visit.facts.execute(
            "SELECT * FROM hotel WHERE city = ? AND id != ? ORDER BY abs(base - ?) LIMIT 3",
            (row["city"], row["id"], row["base"]),
        )
        rng = visit.rng("remarks", row["slug"])
        return agency_page(
            self.agency,
            visit,
            "hotel.html",
            hotel=row,
            stay=stay,
            problem=problem,
            rooms=shown,
            amenities=[each["name"] for each in amenities],
            near=near.fetchall(),
            full=True,
            remarks=[(*remark, 6 + rng.randint(0, 4)) for remark in _remarks(visit, row["slug"], rng)],
            upgrade=prices.upgrade_of(row),
            is_saved=is_saved(visit, self.agency.table("saved"), hotel=row["slug"]),
        )

    def days(self, visit: PageVisit) -> Response:
        """The nights of two months on which a house has nothing free, for the calendar that shows them."""
        row, first = find_hotel(visit, visit.query.get("hotel", "")), prices.read_day(visit.query.get("from", ""))
        if first is None:
            return visit.json([])
        rooms = prices.rows_of(visit.facts, row["id"])
        begins = max(first, visit.today)
        found = prices.full_days(visit.town.world, row, rooms, begins, MONTHS - (begins - first).days)
        return visit.json([visit.fact(row["slug"], "full night", day) for day in found])

    def picture(self, visit: PageVisit) -> Response:
        row = find_hotel(visit, visit.part("slug"))
        view, room = visit.query.get("view", "0"), visit.query.get("room", "")[:8]
        drawn = hotel_picture(row["slug"], row["stars"], row["tone"], int(view) if view.isdecimal() else 0, room)
        return visit.drawing(drawn)

    def city_picture(self, visit: PageVisit) -> Response:
        if visit.part("city") not in COUNTRY:
            raise visit.missing("picture")
        return visit.drawing(city_picture(visit.part("city"), "wide" in visit.query))

    def saved(self, visit: PageVisit) -> Response:
        hotels = [find_hotel(visit, slug) for slug in saved_values(visit, self.agency.table("saved"), "hotel")]
        return agency_page(self.agency, visit, "hotel/saved.html", hotels=hotels)

    def save(self, visit: PageVisit) -> Response:
        """Put a house on the list, or take it off."""
        add_or_remove(visit, self.agency.table("saved"), hotel=find_hotel(visit, visit.form.get("hotel", ""))["slug"])
        return visit.redirect("/saved")

    def help(self, visit: PageVisit) -> Response:
        return agency_page(self.agency, visit, "hotel/help.html")

    def _results(self, visit: PageVisit, city: str, stay: HotelStay, problem: str) -> Response:
        items = visit.request.query_params.multi_items()
        ask = listing.read_ask(items, city, page_number(visit))
        found = listing.run_ask(self.agency, visit.town.world, visit.facts, ask, stay)
        values: dict[str, Any] = {"ask": ask, "found": found, "stay": stay, "problem": problem, "items": items}
        values |= {"with_query": with_query, "sorts": labels_of(listing.SORTS), "boards": listing.BOARDS}
        values |= {"ratings": listing.RATINGS, "distances": listing.DISTANCES, "city": city}
        values |= {"where": city, "sorted_by": ask.sort}
        if visit.query.get("piece"):
            return visit.html("hotel/cards.html", agency=self.agency, **values)
        return agency_page(self.agency, visit, "results.html", **values)


def agency_page(agency: HotelAgency, visit: PageVisit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows."""
    given: dict[str, Any] = {"stay": None, "where": "", "full": False, "problem": "", "horizon": prices.HORIZON}
    count = count_rows(visit.state, agency.table("saved"))
    return visit.html(template, status, **(given | {"agency": agency, "saved_count": count} | values))


def find_hotel(visit: PageVisit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM hotel WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("hotel")
    return row  # type: ignore[no-any-return]


def _some_stay(today: date) -> HotelStay:
    return HotelStay(today + timedelta(7), today + timedelta(8))


def quirk_of(world: World, site: str, slug: str) -> tuple[str, str] | None:
    """What a guest tells about a house on a site that nobody else tells about it; nothing about some."""
    rng = world.rng("quirk", site, slug)
    return rng.choice(QUIRKS) if rng.random() < 0.7 else None


def _remarks(visit: PageVisit, slug: str, rng: Random) -> list[tuple[str, str]]:
    said, quirk = rng.sample(REMARKS, 3), quirk_of(visit.town.world, visit.site.name, slug)
    return [*said[:2], quirk, *said[2:]] if quirk else said
