"""What stands in the way: banners, pop-ups, a page that fails once, a wall."""

from __future__ import annotations

from workalike.town.caller import Caller
from workalike.town.server import App
from workalike.town.session import Obstacle, Setting
from workalike.town.town import Town


def visitor(town: Town, app: App, *obstacles: Obstacle, wall: dict[str, str] | None = None) -> Caller:
    return Caller(app, town.open(Setting({}, obstacles, wall or {})).token)


def test_a_closed_banner_stays_closed_on_its_site(town: Town, app: App) -> None:
    caller = visitor(town, app, "cookies")
    assert "Accept all" in caller.get("marlow", "/").text
    caller.post("marlow", "/-/close", {"notice": "cookies"})
    assert "Accept all" not in caller.get("marlow", "/").text
    assert "Accept all" in caller.get("kestrel", "/").text


def test_the_newsletter_comes_on_the_second_page(town: Town, app: App) -> None:
    caller = visitor(town, app, "newsletter")
    assert "No thanks" not in caller.get("marlow", "/").text
    assert "No thanks" in caller.get("marlow", "/c/mugs").text


def test_signing_up_for_it_is_a_record(town: Town, app: App) -> None:
    caller = visitor(town, app, "newsletter")
    caller.post("marlow", "/-/subscribe", {"email": "a@b.example"})
    assert [change.table for change in town.changes(caller.token)] == ["ground_subscription"]
    assert "ground_subscription" not in town.free_tables()


def test_one_page_fails_once(town: Town, app: App) -> None:
    caller = visitor(town, app, "error-once")
    statuses = [caller.ask("GET", "http://marlow.town.localhost/c/mugs", b"").status for _ in range(5)]
    assert statuses == [200, 200, 503, 200, 200]


def test_nothing_stands_in_the_way_unasked(town: Town, app: App) -> None:
    caller = visitor(town, app)
    for _ in range(4):
        page = caller.get("marlow", "/")
        assert page.status == 200
        assert "data-notice" not in page.text


def test_a_wall_lets_nobody_through(town: Town, app: App) -> None:
    caller = visitor(town, app, wall={"marlow": "/p/"})
    assert caller.get("marlow", "/").status == 200
    slug = town.facts["marlow"].execute("SELECT slug FROM product ORDER BY id LIMIT 1").fetchone()[0]
    assert "Prove you are human" in caller.get("marlow", f"/p/{slug}").text
    again = caller.post("marlow", f"/p/{slug}", {"characters": "xk4d"})
    assert again.status == 403
    assert "That was not right" in again.text
    assert caller.get("kestrel", "/").status == 200
