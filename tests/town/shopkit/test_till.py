"""Cart, checkout and account, through the pages' own forms."""

from __future__ import annotations

import pytest

from workalike.core.key import Scalar
from workalike.town.caller import Caller
from workalike.town.persona import draw_persona
from workalike.town.render import money
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.shopkit.shops import MARLOW
from workalike.town.shopkit.tables import customers
from workalike.town.town import Town

SKINS = [("marlow", "linen"), ("marlow", "harbour"), ("kestrel", "amber"), ("kestrel", "mono")]


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


def plain(town: Town, site: str, where: str = "product.stock > 5") -> tuple[str, int]:
    query = (
        f"SELECT slug, price FROM product JOIN variant ON product = id WHERE first = '' AND {where} ORDER BY id LIMIT 1"
    )
    row = town.facts[site].execute(query).fetchone()
    return row["slug"], row["price"]


def shopper(town: Town, app: App, site: str = "marlow", skin: str = "linen") -> Caller:
    return Caller(app, town.open(Setting({site: skin})).token)


def test_lines_add_up_and_go(town: Town, app: App) -> None:
    caller = shopper(town, app)
    slug, price = plain(town, "marlow")
    for _ in range(2):
        caller.post("marlow", "/cart/add", {"product": slug, "quantity": 2})
    (line,) = rows(town, caller, "marlow_cart")
    assert line["quantity"] == 4
    assert money(4 * price) in caller.get("marlow", "/cart").text
    caller.post("marlow", "/cart/change", {"line": line["id"], "quantity": 1})
    assert rows(town, caller, "marlow_cart")[0]["quantity"] == 1
    caller.post("marlow", "/cart/change", {"line": line["id"], "remove": 1})
    assert rows(town, caller, "marlow_cart") == []


def test_what_is_sold_out_or_not_chosen_is_refused(town: Town, app: App) -> None:
    caller = shopper(town, app)
    row = (
        town.facts["marlow"]
        .execute(
            "SELECT slug, first, second FROM variant JOIN product ON product.id = product"
            " WHERE variant.stock = 0 AND first != ''"
        )
        .fetchone()
    )
    gone = caller.post("marlow", "/cart/add", {"product": row["slug"], "first": row["first"], "second": row["second"]})
    assert "sold out" in gone.text
    assert "Please choose" in caller.post("marlow", "/cart/add", {"product": row["slug"]}).text
    assert rows(town, caller, "marlow_cart") == []


def test_codes_and_wrapping_change_the_total(town: Town, app: App) -> None:
    caller = shopper(town, app)
    slug, price = plain(town, "marlow", "price BETWEEN 5000 AND 7000 AND product.stock > 5")
    caller.post("marlow", "/cart/add", {"product": slug})
    assert "do not know that code" in caller.post("marlow", "/cart/promo", {"code": "NOPE"}).text
    assert "larger order" in caller.post("marlow", "/cart/promo", {"code": "NEST15"}).text
    caller.post("marlow", "/cart/promo", {"code": "finch10"})
    page = caller.post("marlow", "/cart/gift", {"gift": 1}).text
    assert money(price - price * 10 // 100 + MARLOW.gift_wrap + MARLOW.deliveries[0].cents) in page
    assert rows(town, caller, "marlow_basket") == [{"id": 2, "promo": "FINCH10", "gift": 1}]


@pytest.mark.parametrize(("site", "skin"), SKINS)
def test_a_checkout_keeps_how_far_it_went(town: Town, app: App, site: str, skin: str) -> None:
    caller = shopper(town, app, site, skin)
    assert caller.get(site, "/checkout").url.endswith("/cart")
    caller.post(site, "/cart/add", {"product": plain(town, site)[0]})
    page = caller.get(site, "/checkout")
    first = town.sites[site].skin(skin).steps[0]
    assert page.url.endswith(f"/checkout/{first}")
    assert rows(town, caller, f"{site}_checkout")[0] | {"id": 0} == {
        **dict.fromkeys(("email", "name", "phone", "street", "city", "region", "zip", "delivery", "card")),
        "id": 0,
        "stage": "started",
        "touched": 0,
    }
    caller.post(site, "/checkout/touch")
    assert rows(town, caller, f"{site}_checkout")[0]["touched"] == 1


@pytest.mark.parametrize(("site", "skin"), SKINS)
def test_an_order_goes_through_every_step(town: Town, app: App, site: str, skin: str) -> None:
    caller, who = shopper(town, app, site, skin), draw_persona(town.world.rng("test"))
    slug, _ = plain(town, site)
    caller.post(site, "/cart/add", {"product": slug, "quantity": 2})
    caller.get(site, "/checkout")
    assert caller.post(site, "/checkout/place").url.rpartition("/")[2] != "place"
    given = {
        "contact": {"email": who["email"], "phone": who["phone"]},
        "address": {
            "name": who["name"],
            "street": who["street"],
            "city": who["city"],
            "region": "OR",
            "zip": who["zip"],
        },
        "delivery": {"delivery": town_way(site)},
        "payment": {"card": "1234"},
    }
    seen = []
    for _ in given:
        step = caller.get(site, "/checkout").url.rpartition("/")[2]
        seen.append(step)
        caller.post(site, f"/checkout/{step}", given[step])
    assert tuple(seen) == town.sites[site].skin(skin).steps[:-1]
    done = caller.post(site, "/checkout/place")
    (order,) = rows(town, caller, f"{site}_order")
    assert done.url.endswith(f"/order/{order['number']}")
    assert (order["name"], order["zip"], order["card"], order["status"]) == (
        who["name"],
        who["zip"],
        "1234",
        "Processing",
    )
    assert [row["quantity"] for row in rows(town, caller, f"{site}_order_line")] == [2]
    assert rows(town, caller, f"{site}_cart") == []
    invoice = caller.get(site, f"/order/{order['number']}/invoice.pdf")
    assert invoice.body.startswith(b"%PDF")
    assert "attachment" in invoice.headers["content-disposition"]


def town_way(site: str) -> str:
    return {"marlow": "Express", "kestrel": "Priority"}[site]


def test_what_is_malformed_is_said_beside_its_field(town: Town, app: App) -> None:
    caller = shopper(town, app)
    caller.post("marlow", "/cart/add", {"product": plain(town, "marlow")[0]})
    caller.get("marlow", "/checkout")
    page = caller.post("marlow", "/checkout/contact", {"email": "nobody", "phone": "503-555-0101"})
    assert "Enter a valid e-mail address." in page.text
    assert 'value="503-555-0101"' in page.text
    assert rows(town, caller, "marlow_checkout")[0]["email"] is None


def test_an_account_sees_its_own_orders_only(town: Town, app: App) -> None:
    caller = shopper(town, app)
    mine, other = customers(MARLOW, town.world)[:2]
    assert caller.get("marlow", "/account").url.endswith("/sign-in?then=/account")
    wrong = caller.post("marlow", "/sign-in", {"email": mine.persona["email"], "password": "guess"})
    assert (wrong.status, "do not match" in wrong.text) == (401, True)
    page = caller.post("marlow", "/sign-in", {"email": mine.persona["email"], "password": mine.password})
    orders = town.begin_rows("marlow_order")
    for order in orders:
        own = order["account"] == mine.persona["email"]
        assert (str(order["number"]) in page.text) == own
        assert (caller.get("marlow", f"/order/{order['number']}").status == 200) == own
    assert other.persona["email"] not in page.text


def test_only_what_has_not_left_can_be_cancelled(town: Town, app: App) -> None:
    for status, after in (("Processing", "Cancelled"), ("Shipped", "Shipped"), ("Delivered", "Delivered")):
        order = next(row for row in town.begin_rows("marlow_order") if row["status"] == status)
        customer = next(each for each in customers(MARLOW, town.world) if each.persona["email"] == order["account"])
        caller = shopper(town, app)
        caller.post("marlow", "/sign-in", {"email": customer.persona["email"], "password": customer.password})
        page = caller.post("marlow", f"/order/{order['number']}/cancel")
        assert after in page.text
        assert bool(rows(town, caller, "marlow_order")) == (after == "Cancelled")


def test_the_invoice_of_another_is_not_found_and_redirects_stay_at_home(town: Town, app: App) -> None:
    caller = shopper(town, app)
    number = town.begin_rows("marlow_order")[0]["number"]
    assert caller.get("marlow", f"/order/{number}/invoice.pdf").status == 404
    who = customers(MARLOW, town.world)[0]
    login = {"email": who.persona["email"], "password": who.password, "then": "//elsewhere.example/"}
    assert caller.post("marlow", "/sign-in", login).url == "http://marlow.town.localhost/account"
