"""How the oracle gets to a shop and to a product: by search engine, the shop's search, or shelves and filters."""

from __future__ import annotations

from workalike.core.actions import Action, Click, Move, Press
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.town import moves
from workalike.town.look import FIELDS, Look
from workalike.town.shopkit.listing import SORTS
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.plan import Hunt, Item


def enter(look: Look, site: str) -> Action | None:
    """Be at a shop."""
    return moves.enter(look, site, SHOPS[site].title)


def be_at_product(look: Look, item: Item) -> Action | None:
    """Be on a product's page."""
    if look.at(item.site, f"/p/{item.slug}$"):
        return None
    away = enter(look, item.site)
    if away is not None:
        return away
    if item.hunt is not None:
        return _hunt(look, item, item.hunt)
    if look.at(item.site, "/search") and moves.query(look.url).get("q") == [item.name]:
        return look.click("link", item.name)
    return look.fill(FIELDS, "Search", item.name, up=True) or Press(("enter",))


def _hunt(look: Look, item: Item, hunt: Hunt) -> Action:
    """Find what the task describes: the category's shelf, its filters, its order; then take what stands first."""
    if not look.at(item.site, f"/c/{hunt.category}$"):
        return _to_shelf(look, hunt)
    query = moves.query(look.url)
    for name, value in hunt.specs.items():
        if value not in query.get(f"spec.{name}", ()):
            return moves.narrow(look, name, f"{name}: {value}")
    if hunt.below is not None and not _price_set(query, hunt):
        return _bound_price(look, hunt)
    if query.get("sort") != [hunt.sort]:
        return moves.sort(look, SORTS[hunt.sort][0])
    return look.click("link", item.name)


def _to_shelf(look: Look, hunt: Hunt) -> Action:
    """By the menu: some open under the pointer, some by a click, some lead to a page of their own."""
    shelf = look.find("link", hunt.title)
    if shelf is not None:
        return look.hit(shelf)
    department = look.find(("link", "button"), hunt.department)
    if department is None or department.box is None:
        return look.seek(f"the department {hunt.department}", up=True)
    hovered = isinstance(look.last, Move) and department.box.contains(look.last.to)
    return look.hit(department) if hovered else Move(department.box.centre)


def _price_set(query: dict[str, list[str]], hunt: Hunt) -> bool:
    assert hunt.below is not None
    given = query.get("max", [""])[0]
    return given.isdecimal() and (hunt.above or 0) <= int(given) <= hunt.below


def _bound_price(look: Look, hunt: Hunt) -> Action:
    slider = look.find("slider", "Maximum price")
    if slider is not None:
        return _slide(look, slider, hunt)
    if look.find("textbox", "Maximum price"):
        return look.fill("textbox", "Maximum price", str(hunt.below)) or look.click("button", "Apply")
    panel = look.find("button", "Price")
    return look.hit(panel) if panel else look.seek("the price filter")


def _slide(look: Look, slider: Element, hunt: Hunt) -> Action:
    """Click along the slider, closing in by what earlier clicks came to."""
    assert slider.box is not None
    assert hunt.below is not None
    low, high = 0.0, 1.0
    for past, after in zip(look.past, look.seen[1:], strict=True):
        given = moves.query(after.url).get("max", [""])[0]
        if isinstance(past.action, Click) and past.action.at and given.isdecimal() and _is_on(past.action.at, slider):
            where = (past.action.at.x - slider.box.x) / slider.box.width
            low, high = (low, min(high, where)) if int(given) > hunt.below else (max(low, where), high)
    return Click(Point(slider.box.x + slider.box.width * (low + high) / 2, slider.box.centre.y))


def _is_on(point: Point, slider: Element) -> bool:
    assert slider.box is not None
    return slider.box.x <= point.x <= slider.box.right
