"""How the oracle gets to a site, to a city's results, to a venue and its pages; with a day and people."""

from __future__ import annotations

import re
from datetime import date

from workalike.core.actions import Action, Scroll, Visit
from workalike.core.observation import Element
from workalike.town import moves
from workalike.town.bookkit.slots import Party
from workalike.town.bookkit.tasks.outing import Outing
from workalike.town.look import FIELDS, OracleView
from workalike.town.render import long_date
from workalike.town.site import DOMAIN

LOW = 0.55
"""How far down the screen a button stands below which there is no room."""
COUNTERS = ("guests", "adults", "children", "seniors")
"""Those who come, at all sites, as addresses and counters name them."""
GROUPS = {"area": "District", "rating": "Rating", "level": "Price", "online": "Booking"}
"""The groups that are called the same on all skins."""


def enter(look: OracleView, site: str) -> Action | None:
    """Be at a site."""
    from workalike.town.sites import load

    return moves.enter(look, site, next(each.title for each in load() if each.name == site))


def be_at_venue(look: OracleView, outing: Outing) -> Action | None:
    """Be on a venue's page, for the day and the party where there are some."""
    if look.at(outing.site, f"/at/{outing.slug}$"):
        if not outing.day or shows(look, outing.day, outing.people):
            return None
        return _set_day(look, outing) or look.click("button", look.word(outing.site, "renew"))
    return ask_front(look, outing.site, outing.name, outing.day, outing.people)


def be_at_page(look: OracleView, outing: Outing, page: str) -> Action | None:
    """Be on one of a venue's further pages."""
    if look.at(outing.site, f"/at/{outing.slug}/{page}$"):
        return None
    if look.at(outing.site, f"/at/{outing.slug}(/|$)"):
        return look.click("link", look.word(outing.site, page), up=True)
    return ask_front(look, outing.site, outing.name)


def ask_front(look: OracleView, site: str, where: str, day: str = "", party: Party = Party("")) -> Action:
    """Ask the search form of the front page."""
    away = enter(look, site)
    if away is not None:
        return away
    if not look.at(site, "/$"):
        return Visit(f"http://{site}.{DOMAIN}/")
    return (
        _say_where(look, look.word(site, "where"), where)
        or (_set(look, site, day, party) if day else None)
        or look.click("button", look.word(site, "go"))
    )


def narrow(look: OracleView, site: str, field: str, label: str) -> Action:
    """Set a filter of the results."""
    words = {"kind": "kind", "trait": "traits"}
    group = look.word(site, words[field]) if field in words else GROUPS.get(field, field)
    return moves.narrow(look, group, label)


def _say_where(look: OracleView, label: str, place: str) -> Action | None:
    """Type the place; where it is offered, take the suggestion, which also closes the list."""
    field, row = look.find(FIELDS, label), look.find("option", place)
    if field is not None and field.value == place and row is not None:
        return look.hit(row)
    return look.fill(FIELDS, label, place, up=True)


def _set_day(look: OracleView, outing: Outing) -> Action | None:
    return _set(look, outing.site, outing.day, outing.people)


def _set(look: OracleView, site: str, day: str, party: Party) -> Action | None:
    return _choose_day(look, site, day) or _count(look, site, party)


def _choose_day(look: OracleView, site: str, day: str) -> Action | None:
    """Open the calendar, turn to the month, click the day."""
    wanted, label = long_date(date.fromisoformat(day)), re.escape(look.word(site, "day"))
    button = look.find("button", re.compile(rf"^{label}: "))
    if button is None:
        return look.seek("the button for the day", up=True)
    if button.name.partition(": ")[2] == wanted:
        return None
    cell = look.find("button", re.compile(rf"^{re.escape(wanted)}(, full)?$"))
    if cell is not None:
        return look.hit(cell)
    turn = look.find("button", "Next month")
    return look.hit(turn) if turn else _open(look, button)


def _count(look: OracleView, site: str, party: Party) -> Action | None:
    """Open the counters and set each."""
    button = look.find("button", re.compile(rf"^{re.escape(look.word(site, 'guests'))}: \d"))
    if button is None:
        return look.seek("the button for the people", up=True)
    for count, name in re.findall(r"(\d+) (\w+)", button.name.partition(": ")[2]):
        has, wants = int(count), party.counts.get(name, 0)
        if has != wants:
            step = look.find("button", f"{'More' if has < wants else 'Fewer'} {name}")
            return look.hit(step) if step else _open(look, button)
    done = look.find("button", "Done")
    return look.hit(done) if done else None


def _open(look: OracleView, button: Element) -> Action:
    """Click a button below which something opens: first it is brought up, so that there is room for that."""
    scrolled = any(isinstance(past.action, Scroll) for past in look.past[-2:])
    low = button.box is not None and button.box.centre.y > LOW
    return Scroll(dy=4) if low and not scrolled else look.hit(button)


def shows(look: OracleView, day: str, party: Party) -> bool:
    """Whether the address is about the right day and party."""
    query = moves.query(look.url)
    come = {name: int(query[name][0]) for name in COUNTERS if name in query and query[name] != ["0"]}
    return query.get("day") == [day] and come == party.counts
