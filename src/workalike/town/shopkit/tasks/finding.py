"""How the oracle gets to a shop and to a product: by search engine, the shop's search, or shelves and filters."""

from __future__ import annotations

from workalike.core.actions import Action, Click, Move, Press
from workalike.core.observation import Element
from workalike.core.screen import Point
from workalike.town import moves
from workalike.town.look import FIELDS, OracleView
from workalike.town.shopkit.listing import SORTS
from workalike.town.shopkit.shops import SHOPS
from workalike.town.shopkit.tasks.items import Item, ShopHunt


def enter(look: OracleView, site: str) -> Action | None:
    """Be at a shop."""
    return moves.enter(look, site, SHOPS[site].title)


def be_at_product(look: OracleView, item: Item) -> Action | None:
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


def is_chosen(look: OracleView, item: Item) -> bool:
    """Whether a product's page is in front, with its options chosen."""
    if not look.at(item.site, f"/p/{item.slug}$"):
        return False
    return all(_option_is(look, name, value) for name, value in item.options.items())


def choose(look: OracleView, item: Item) -> Action | None:
    """Choose a product's options on its page."""
    for name, value in item.options.items():
        if _option_is(look, name, value):
            continue
        if look.find("combobox", name):
            return look.pick(name, value)
        return look.tick("radio", value)
    return None


def _option_is(look: OracleView, name: str, value: str) -> bool:
    pill, drop = look.find("radio", value), look.find("combobox", name)
    return (pill is not None and "checked" in pill.states) or (drop is not None and drop.value == value)


def _hunt(look: OracleView, item: Item, hunt: ShopHunt) -> Action:
    """Find what the task describes: the category's shelf, its filters, its order; then take what stands first."""
    move = narrow_shelf(look, item.site, hunt)
    if move is not None:
        return move
    query = moves.query(look.url)
    if hunt.below is not None and not _price_set(query, hunt):
        return _bound_price(look, hunt)
    if query.get("sort") != [hunt.sort]:
        return moves.sort(look, SORTS[hunt.sort].label)
    return look.click("link", item.name)


def narrow_shelf(look: OracleView, site: str, hunt: ShopHunt) -> Action | None:
    """Be at a category's shelf with the filters set."""
    if not look.at(site, f"/c/{hunt.category}$"):
        return _to_shelf(look, hunt)
    query = moves.query(look.url)
    for name, value in hunt.specs.items():
        if value not in query.get(f"spec.{name}", ()):
            return moves.narrow(look, name, f"{name}: {value}")
    return None


def _to_shelf(look: OracleView, hunt: ShopHunt) -> Action:
    """By the menu: some open under the pointer, some by a click, some lead to a page of their own."""
    shelf = look.find("link", hunt.title)
    if shelf is not None:
        return look.hit(shelf)
    department = look.find(("link", "button"), hunt.department)
    if department is None or department.box is None:
        return look.seek(f"the department {hunt.department}", up=True)
    hovered = isinstance(look.last, Move) and department.box.contains(look.last.to)
    return look.hit(department) if hovered else Move(department.box.centre)


def _price_set(query: dict[str, list[str]], hunt: ShopHunt) -> bool:
    assert hunt.below is not None
    given = query.get("max", [""])[0]
    return given.isdecimal() and (hunt.above or 0) <= int(given) <= hunt.below


def _bound_price(look: OracleView, hunt: ShopHunt) -> Action:
    slider = look.find("slider", "Maximum price")
    if slider is not None:
        return _slide(look, slider, hunt)
    if look.find("textbox", "Maximum price"):
        return look.fill("textbox", "Maximum price", str(hunt.below)) or look.click("button", "Apply")
    panel = look.find("button", "Price")
    return look.hit(panel) if panel else look.seek("the price filter")


def _slide(look: OracleView, slider: Element, hunt: ShopHunt) -> Action:
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
