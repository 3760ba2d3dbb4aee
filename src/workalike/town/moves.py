"""Moves that the oracles of all kits make alike: going through goals, entering a site, narrowing results, paying."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import parse_qs, urlsplit

from workalike.core.actions import Action, Press, Terminate
from workalike.town.look import FIELDS, Look

Goal = Callable[[], Action | None]
WALL = "Characters in the picture"


def pursue(look: Look, goals: Iterable[Goal], said: str) -> Action:
    """The next action of the first goal that is not reached: a goal gives None once it is. Then say the answer, and say
    it too where a wall for humans ends the way."""
    if look.find(FIELDS, WALL):
        return Terminate("failure", said)
    moves = (goal() for goal in goals)
    return next((move for move in moves if move is not None), None) or Terminate("success", said)


def enter(look: Look, site: str, title: str) -> Action | None:
    """Be at a site: from the search engine by looking for its name, from elsewhere by its tab or address."""
    if look.site != "search" or _has_tab(look, site):
        return look.enter(site)
    if query(look.url).get("q") == [title]:
        return look.click("link", f"{title} – official site")
    return look.fill(FIELDS, "Search the web", title) or Press(("enter",))


def narrow(look: Look, group: str, label: str) -> Action:
    """Set a filter of the results, opening its group where it is folded."""
    box = look.find(("checkbox", "radio"), label)
    if box is not None:
        return look.hit(box)
    panel = look.find("button", group)
    return look.hit(panel) if panel else look.seek(f"the filter {label}")


def sort(look: Look, text: str) -> Action:
    """Put results in an order, by its link or from a drop-down."""
    link = look.find("link", text)
    if link is not None:
        return look.hit(link)
    if look.find("combobox", "Sort by"):
        return look.pick("Sort by", text) or Press(("enter",))
    return look.seek("the order of the results", up=True)


def pay(look: Look, who: dict[str, str]) -> Action | None:
    """Fill in the card; its fields lie in a frame of another site."""
    return (
        look.fill(FIELDS, "Card number", who["card_number"])
        or look.fill(FIELDS, "Expiry date", who["card_expiry"])
        or look.fill(FIELDS, "Security code", who["card_code"])
    )


def query(url: str | None) -> dict[str, list[str]]:
    """What an address asks for, by name."""
    return parse_qs(urlsplit(url or "").query)


def _has_tab(look: Look, site: str) -> bool:
    return any((urlsplit(tab.url).hostname or "").startswith(f"{site}.") for tab in look.observation.tabs)
