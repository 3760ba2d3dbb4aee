"""Attempts stay in the town without ever meeting."""

from __future__ import annotations

import threading

import pytest

from workalike.core.errors import BadInput
from workalike.town.caller import Caller
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.town import Town


def sku(town: Town, place: int) -> tuple[str, str]:
    row = (
        town.facts["marlow"]
        .execute(
            "SELECT slug, sku FROM variant JOIN product ON product.id = variant.product"
            " WHERE variant.stock > 5 AND first = '' ORDER BY sku LIMIT 1 OFFSET ?",
            (place,),
        )
        .fetchone()
    )
    return row["slug"], row["sku"]


def bought(town: Town, token: str) -> list[tuple[object, object]]:
    rows = [change.after for change in town.changes(token) if change.table == "marlow_cart"]
    return [(row["sku"], row["quantity"]) for row in rows]


def test_eight_attempts_at_once_never_leak(town: Town, app: App) -> None:
    """Eight clients shop in turns, each something else; each finds exactly its own cart."""
    callers = [Caller(app, town.open().token) for _ in range(8)]
    for go in range(3):
        for place, caller in enumerate(callers):
            caller.post("marlow", "/cart/add", {"product": sku(town, 3 * place + go)[0], "quantity": place + 1})
    for place, caller in enumerate(callers):
        wanted = [(sku(town, 3 * place + go)[1], place + 1) for go in range(3)]
        assert bought(town, caller.token) == wanted
        page = caller.get("marlow", "/cart").text
        assert all(item in page for item, _ in wanted)
        others = [sku(town, 3 * other + go)[1] for other in range(8) if other != place for go in range(3)]
        assert not any(item in page for item in others)
        town.close(caller.token)


def test_threads_may_read_differences_while_pages_are_made(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    caller.post("marlow", "/cart/add", {"product": sku(town, 0)[0], "quantity": 1})
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.extend(bought(town, caller.token)))
    thread.start()
    thread.join()
    assert found == [(sku(town, 0)[1], 1)]
    town.close(caller.token)


def test_reset_puts_everything_back(town: Town, app: App) -> None:
    caller = Caller(app, town.open().token)
    caller.post("marlow", "/cart/add", {"product": sku(town, 0)[0], "quantity": 1})
    assert town.changes(caller.token)
    town.reset(caller.token)
    assert town.changes(caller.token) == ()
    assert "empty" in caller.get("marlow", "/cart").text.lower()
    town.close(caller.token)


def test_tokens_are_known_or_refused(town: Town) -> None:
    attempt = town.open(token="mine")
    with pytest.raises(BadInput, match="open already"):
        town.open(token="mine")
    town.close(attempt.token)
    with pytest.raises(BadInput, match="no attempt"):
        town.changes("mine")
    town.close("mine")


def test_a_setting_names_skins_that_exist(town: Town) -> None:
    with pytest.raises(BadInput, match="no skin 'velvet'"):
        town.open(Setting({"marlow": "velvet"}))


def test_the_world_cannot_be_written(town: Town) -> None:
    with pytest.raises(Exception, match="readonly"):
        town.facts["marlow"].execute("DELETE FROM product")


def test_every_table_belongs_to_its_site_and_says_its_kind(town: Town) -> None:
    for site in town.sites.values():
        assert all(table.name.startswith(f"{site.name}_") for table in site.tables)
    free = town.free_tables()
    assert "marlow_checkout" in free
    assert "marlow_cart" not in free
