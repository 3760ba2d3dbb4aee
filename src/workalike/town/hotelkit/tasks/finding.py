"""How the oracle gets to a hotel site and to a house: by name, or by city, filters and order; with dates and guests."""

from __future__ import annotations

import re
from datetime import date

from workalike.core.actions import Action, Visit
from workalike.town import moves
from workalike.town.hotelkit.agency import AGENCIES
from workalike.town.hotelkit.listing import SORTS
from workalike.town.hotelkit.tasks.rooms import HotelHunt, Room
from workalike.town.look import FIELDS, OracleView
from workalike.town.render import long_date
from workalike.town.site import DOMAIN

COUNTS = ("adults", "children", "rooms")


def enter(look: OracleView, site: str) -> Action | None:
    """Be at a hotel site."""
    return moves.enter(look, site, AGENCIES[site].title)


def be_at_house(look: OracleView, room: Room) -> Action | None:
    """Be on a house's page, for the stay."""
    if look.at(room.site, f"/hotel/{room.slug}$"):
        if not room.arrive or _shows(look, room):
            return None
        if "in" in moves.query(look.url):  # other dates than these: begin anew
            return Visit(f"http://{room.site}.{DOMAIN}/")
        return _set_stay(look, room) or look.click("button", look.word(room.site, "renew"))
    away = enter(look, room.site)
    if away is not None:
        return away
    if room.hunt is not None and moves.query(look.url).get("where") == [room.city] and _shows(look, room):
        return _hunt(look, room, room.hunt)
    if not look.at(room.site, "/(search)?$"):
        return Visit(f"http://{room.site}.{DOMAIN}/")
    place = room.city if room.hunt else room.name
    return (
        _say_where(look, look.word(room.site, "where"), place)
        or (_set_stay(look, room) if room.arrive else None)
        or look.click("button", look.word(room.site, "go"))
    )


def _say_where(look: OracleView, label: str, place: str) -> Action | None:
    """Type the place; where it is offered, take the suggestion, which also closes the list."""
    field = look.find(FIELDS, label)
    row = look.find("option", re.compile(rf"^{re.escape(place)}(, .*)?$", re.IGNORECASE))
    if field is not None and field.value == place and row is not None:
        return look.hit(row)
    return look.fill(FIELDS, label, place, up=True)


def _set_stay(look: OracleView, room: Room) -> Action | None:
    return _choose_days(look, room) or _count_guests(look, room)


def _choose_days(look: OracleView, room: Room) -> Action | None:
    """Open the calendar, turn to the month, click the first day and then the last."""
    for word, iso in (("check_in", room.arrive), ("check_out", room.depart)):
        wanted = long_date(date.fromisoformat(iso))
        label = look.word(room.site, word)
        button = look.find("button", re.compile(rf"^{re.escape(label)}: ", re.IGNORECASE))
        if button is None:
            return look.seek("the button for the dates", up=True)
        if button.name.partition(": ")[2] == wanted:
            continue
        cell = look.find("button", re.compile(rf"^{re.escape(wanted)}(, sold out)?$"))
        if cell is not None:
            return look.hit(cell)
        turn = look.find("button", "Next month")
        return look.hit(turn) if turn else look.hit(button)
    return None


def _count_guests(look: OracleView, room: Room) -> Action | None:
    label = re.escape(look.word(room.site, "guests"))
    pattern = re.compile(rf"^{label}: (\d+) adults?, (\d+) child(?:ren)?, (\d+) rooms?$", re.IGNORECASE)
    button = look.find("button", pattern)
    match = pattern.match(button.name) if button else None
    if button is None or match is None:
        return look.seek("the button for the guests", up=True)
    for name, has, wants in zip(
        COUNTS, map(int, match.groups()), (room.adults, room.children, room.rooms), strict=True
    ):
        if has != wants:
            step = look.find("button", f"{'More' if has < wants else 'Fewer'} {name}")
            return look.hit(step) if step else look.hit(button)
    done = look.find("button", "Done")
    return look.hit(done) if done else None


def _hunt(look: OracleView, room: Room, hunt: HotelHunt) -> Action:
    """Set filters and order; then take what stands first."""
    query = moves.query(look.url)
    for group, label, field, value in hunt.filters:
        if value not in query.get(field, ()):
            return moves.narrow(look, group, label)
    if query.get("sort") != [hunt.sort]:
        return moves.sort(look, SORTS[hunt.sort].label)
    return look.click("link", room.name)


def _shows(look: OracleView, room: Room) -> bool:
    """Whether the address is about the right stay."""
    query = moves.query(look.url)
    wanted = {"in": room.arrive, "out": room.depart} | {name: str(getattr(room, name)) for name in COUNTS}
    return all(query.get(name) == [value] for name, value in wanted.items())
