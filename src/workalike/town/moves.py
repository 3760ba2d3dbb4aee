"""Moves that the oracles of all kits make alike: entering a site, narrowing and sorting results, paying."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from workalike.core.actions import Action, Press
from workalike.town.look import FIELDS, OracleView


def enter(look: OracleView, site: str, title: str) -> Action | None:
    """Be at a site: from the search engine by looking for its name, from elsewhere by its tab or address."""
    if look.site != "search" or _has_tab(look, site):
        return look.enter(site)
    if query(look.url).get("q") == [title]:
        return look.click("link", f"{title} – official site")
    return look.fill(FIELDS, "Search the web", title) or Press(("enter",))


def narrow(look: OracleView, group: str, label: str) -> Action:
    """Set a filter of the results, opening its group where it is folded."""
    box = look.find(("checkbox", "radio"), label)
    if box is not None:
        return look.hit(box)
    panel = look.find("button", group)
    return look.hit(panel) if panel else look.seek(f"the filter {label}")


def sort(look: OracleView, text: str) -> Action:
    """Put results in an order, by its link or from a drop-down."""
    link = look.find("link", text)
    if link is not None:
        return look.hit(link)
    if look.find("combobox", "Sort by"):
        return look.pick("Sort by", text) or Press(("enter",))
    return look.seek("the order of the results", up=True)


def pay(look: OracleView, who: dict[str, str]) -> Action | None:
    """Fill in the card; its fields lie in a frame of another site."""
    return (
        look.fill(FIELDS, "Card number", who["card_number"])
        or look.fill(FIELDS, "Expiry date", who["card_expiry"])
        or look.fill(FIELDS, "Security code", who["card_code"])
    )


def fill_all(look: OracleView, labels: Mapping[str, str], texts: Mapping[str, str]) -> Action | None:
    """Have texts stand in fields: each label with the name of its text."""
    fills = (look.fill(FIELDS, label, texts[name]) for label, name in labels.items())
    return next((move for move in fills if move is not None), None)


def query(url: str | None) -> dict[str, list[str]]:
    """What an address asks for, by name."""
    return parse_qs(urlsplit(url or "").query)


def _has_tab(look: OracleView, site: str) -> bool:
    return any((urlsplit(tab.url).hostname or "").startswith(f"{site}.") for tab in look.observation.tabs)
