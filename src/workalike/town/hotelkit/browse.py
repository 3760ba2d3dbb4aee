"""Looking around on a hotel site: the front page, a city's houses, one house with its rooms, and what one likes."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from typing import Any

import msgspec
from starlette.responses import Response

from workalike.town.hotelkit import listing, prices
from workalike.town.hotelkit.agency import Agency
from workalike.town.hotelkit.houses import CITIES, COUNTRY
from workalike.town.hotelkit.pictures import city_picture, hotel_picture
from workalike.town.hotelkit.prices import Stay, read_stay
from workalike.town.state import insert
from workalike.town.visit import Visit

FEATURED = ("Lisbon", "Copenhagen", "Kyoto", "Vienna", "Barcelona", "Montreal")
REMARKS = (
    ("Great location", "Everything we wanted to see was a short walk away."),
    ("Would come back", "Friendly desk, quiet room, a very good breakfast."),
    ("Good value", "Simple, clean, and the bed was excellent."),
    ("A little noisy", "Ask for a room to the courtyard; then it is perfect."),
    ("Lovely staff", "They kept our luggage all day and called us a taxi."),
)


class Browse(msgspec.Struct, frozen=True):
    """The pages of one site that change nothing, and the list of favourites."""

    agency: Agency

    def front(self, visit: Visit) -> Response:
        query = "SELECT * FROM hotel WHERE city IN (?,?,?,?,?,?) AND rating > 8 ORDER BY rank LIMIT 4"
        return agency_page(
            self.agency,
            visit,
            "front.html",
            cities=[city for name in FEATURED for city in CITIES if city.name == name],
            liked=visit.facts.execute(query, FEATURED).fetchall(),
            counts=dict(visit.facts.execute("SELECT city, count(*) FROM hotel GROUP BY city").fetchall()),
        )

    def destinations(self, visit: Visit) -> Response:
        rows = visit.facts.execute("SELECT city, country, count(*) AS count FROM hotel GROUP BY city ORDER BY 2, 1")
        countries: dict[str, list[sqlite3.Row]] = {}
        for row in rows:
            countries.setdefault(row["country"], []).append(row)
        return agency_page(self.agency, visit, "hotel/destinations.html", countries=countries)

    def city(self, visit: Visit) -> Response:
        """A city's houses without dates in mind: what a stay next week would cost."""
        name = visit.part("city")
        if name not in COUNTRY:
            raise visit.missing("city")
        return self._results(visit, name, _some_stay(visit.today), "")

    def search(self, visit: Visit) -> Response:
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

    def suggestions(self, visit: Visit) -> Response:
        return visit.json(listing.suggest(visit.facts, visit.query.get("q", "")))

    def hotel(self, visit: Visit) -> Response:
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
            full=prices.full_days(visit.town.world, row, rooms, visit.today, prices.HORIZON),
            remarks=[(*remark, 6 + rng.randint(0, 4)) for remark in rng.sample(REMARKS, 3)],
            upgrade=prices.upgrade_of(row),
            is_saved=_is_saved(self.agency, visit, row["slug"]),
        )

    def picture(self, visit: Visit) -> Response:
        row = find_hotel(visit, visit.part("slug"))
        view, room = visit.query.get("view", "0"), visit.query.get("room", "")[:8]
        drawn = hotel_picture(row["slug"], row["stars"], row["tone"], int(view) if view.isdecimal() else 0, room)
        return _drawn(visit, drawn)

    def city_picture(self, visit: Visit) -> Response:
        if visit.part("city") not in COUNTRY:
            raise visit.missing("picture")
        return _drawn(visit, city_picture(visit.part("city"), "wide" in visit.query))

    def saved(self, visit: Visit) -> Response:
        rows = visit.state.execute(f"SELECT hotel FROM {self.agency.table('saved')} ORDER BY id").fetchall()
        hotels = [find_hotel(visit, row["hotel"]) for row in rows]
        return agency_page(self.agency, visit, "hotel/saved.html", hotels=hotels)

    def save(self, visit: Visit) -> Response:
        """Put a house on the list, or take it off."""
        slug, table = find_hotel(visit, visit.form.get("hotel", ""))["slug"], self.agency.table("saved")
        if "remove" in visit.form:
            visit.state.execute(f"DELETE FROM {table} WHERE hotel = ?", (slug,))
        elif not _is_saved(self.agency, visit, slug):
            insert(visit.state, table, {"hotel": slug})
        return visit.redirect("/saved")

    def help(self, visit: Visit) -> Response:
        return agency_page(self.agency, visit, "hotel/help.html")

    def _results(self, visit: Visit, city: str, stay: Stay, problem: str) -> Response:
        items = visit.request.query_params.multi_items()
        ask = listing.read_ask(items, city)
        found = listing.run_ask(self.agency, visit.town.world, visit.facts, ask, stay)
        values: dict[str, Any] = {"ask": ask, "found": found, "stay": stay, "problem": problem, "items": items}
        values |= {"with_query": listing.with_query, "sorts": listing.SORTS, "boards": listing.BOARDS}
        values |= {"ratings": listing.RATINGS, "distances": listing.DISTANCES, "city": city}
        values["where"] = city
        if visit.query.get("piece"):
            return visit.html("hotel/cards.html", agency=self.agency, **values)
        return agency_page(self.agency, visit, "results.html", **values)


def agency_page(agency: Agency, visit: Visit, template: str, status: int = 200, **values: Any) -> Response:
    """A page with what every page's head shows."""
    given: dict[str, Any] = {"stay": None, "where": "", "full": [], "problem": "", "horizon": prices.HORIZON}
    count = visit.state.execute(f"SELECT count(*) FROM {agency.table('saved')}").fetchone()[0]
    return visit.html(template, status, **(given | {"agency": agency, "saved_count": count} | values))


def find_hotel(visit: Visit, slug: str) -> sqlite3.Row:
    row = visit.facts.execute("SELECT * FROM hotel WHERE slug = ?", (slug,)).fetchone()
    if row is None:
        raise visit.missing("hotel")
    return row  # type: ignore[no-any-return]


def _some_stay(today: date) -> Stay:
    return Stay(today + timedelta(7), today + timedelta(8))


def _is_saved(agency: Agency, visit: Visit, slug: str) -> bool:
    query = f"SELECT 1 FROM {agency.table('saved')} WHERE hotel = ?"
    return visit.state.execute(query, (slug,)).fetchone() is not None


def _drawn(visit: Visit, data: bytes) -> Response:
    response = visit.file(data, "image/svg+xml")
    response.headers["cache-control"] = "max-age=3600"
    return response
