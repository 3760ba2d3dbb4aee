"""What the shops' pages do in a real browser that no request can show."""

from __future__ import annotations

from tests.town.browser import WANTS, Web, chromium
from workalike.core.actions import Click, Visit, Write
from workalike.core.observation import Element
from workalike.core.task import Task
from workalike.env.browser.environment import BrowserEnvironment
from workalike.runtime.serving import serving
from workalike.town.look import OracleView
from workalike.town.server import COOKIE, App
from workalike.town.session import Setting
from workalike.town.town import Town

HOME = "http://kestrel.town.localhost"


async def open_at(web: Web, token: str, path: str) -> BrowserEnvironment:
    environment = web.environment()
    await environment.reset(Task("t", "look", start_url=f"{HOME}/?{COOKIE}={token}"), WANTS)
    await environment.act(Visit(HOME + path))
    return environment


async def look(environment: BrowserEnvironment) -> OracleView:
    return OracleView((await environment.observe(WANTS)).observation)


async def press(environment: BrowserEnvironment, role: str, name: str) -> Element:
    found = (await look(environment)).find(role, name)
    assert found is not None, f"no {role} {name}"
    assert found.box is not None
    await environment.act(Click(found.box.centre))
    return found


async def test_typing_personal_data_is_noticed_before_it_is_sent(town: Town, app: App) -> None:
    """And the counter in its shadow tree takes part in the form."""
    row = (
        town.facts["kestrel"]
        .execute(
            "SELECT slug FROM product JOIN variant ON product = id WHERE first = '' AND product.stock > 5 ORDER BY id"
        )
        .fetchone()
    )
    token = town.open(Setting({"kestrel": "slate"})).token
    async with serving(app) as port, chromium(port) as web:
        environment = await open_at(web, token, f"/p/{row['slug']}")
        try:
            for _ in range(2):
                await press(environment, "button", "Increase quantity")
            await press(environment, "button", "Add to crate")
            await environment.act(Visit(HOME + "/checkout"))
            assert [change.after["quantity"] for change in town.changes(token) if change.table == "kestrel_cart"] == [3]
            assert _touched(town, token) == [0]
            await press(environment, "textbox", "Full name")
            await environment.act(Write("No"))
            assert _touched(town, token) == [1]
        finally:
            await environment.close()
            town.close(token)


async def test_a_sold_out_choice_cannot_be_added(town: Town, app: App) -> None:
    row = (
        town.facts["kestrel"]
        .execute(
            "SELECT slug, first FROM variant JOIN product ON product.id = product"
            " WHERE variant.stock = 0 AND first != '' AND second = '' ORDER BY sku"
        )
        .fetchone()
    )
    token = town.open(Setting({"kestrel": "amber"})).token
    async with serving(app) as port, chromium(port) as web:
        environment = await open_at(web, token, f"/p/{row['slug']}")
        try:
            await press(environment, "radio", row["first"])
            button = (await look(environment)).find("button", "Add to cart")
            assert button is not None
            assert "disabled" in button.states
        finally:
            await environment.close()
            town.close(token)


def _touched(town: Town, token: str) -> list[object]:
    return [change.after["touched"] for change in town.changes(token) if change.table == "kestrel_checkout"]
