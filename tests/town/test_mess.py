"""What makes a page messy, and that the oracle finds its way on it all the same."""

from __future__ import annotations

import msgspec
import pytest

from tests.town.browser import chromium, solve
from workalike.core.observation import Element, Observation
from workalike.core.outcomes import REPORTED
from workalike.core.screen import Box
from workalike.runtime.serving import serving
from workalike.town.benchmark import Drawn
from workalike.town.caller import Caller
from workalike.town.injections import draw_injections
from workalike.town.look import OracleView
from workalike.town.mess import ICONS, MESS, untidy
from workalike.town.refusals import draw_refusals
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.town import Town
from workalike.verify.state import judge


def messy_skins(town: Town) -> dict[str, str]:
    """The messy look of every site."""
    return {name: next(skin.name for skin in site.skins if skin.mess) for name, site in town.sites.items()}


def test_every_site_has_a_messy_look_that_train_never_meets(town: Town) -> None:
    for site in town.sites.values():
        messy = [skin for skin in site.skins if skin.mess]
        assert messy, site.name
        assert all(skin.split == "test" for skin in messy)
        assert {skin.split for skin in site.skins if not skin.mess} == {"train", "test"}, site.name


def test_tables_become_divs_and_words_signs() -> None:
    page = untidy("<table class='x'><tr><td>1</td></tr></table><a href='/'>Sign in</a>", ("divs", "icons"))
    assert "<t" not in page
    assert "Sign in" not in page
    assert ICONS["Sign in"] in page


@pytest.mark.parametrize(
    ("field", "bare"),
    [
        ('<input name="a" aria-label="City">', '<input name="a" placeholder="City">'),
        (
            '<label class="f"><span>City</span> <input name="a"></label>',
            '<div class="f"><input name="a" placeholder="City"></div>',
        ),
        (
            '<label><span>Text</span><textarea name="a"></textarea></label>',
            '<div><textarea name="a" placeholder="Text"></textarea></div>',
        ),
        ('<input type="checkbox" aria-label="Yes">', '<input type="checkbox" aria-label="Yes">'),
    ],
)
def test_fields_lose_their_labels(field: str, bare: str) -> None:
    assert untidy(field, ("bare",)) == bare


def test_a_tidy_skin_changes_nothing() -> None:
    page = '<table><tr><td><button aria-label="Close">Close</button></td></tr></table>'
    assert untidy(page, ()) == page


def test_a_messy_page_is_messy(town: Town, app: App) -> None:
    caller = Caller(app, town.open(Setting(messy_skins(town))).token)
    page = caller.get(
        "marlow", "/p/" + town.facts["marlow"].execute("SELECT slug FROM product").fetchone()["slug"]
    ).text
    assert "<table" not in page
    assert "data-late" in page
    assert "chat-card" in page
    caller.post("marlow", "/-/close", {"notice": "chat"})
    assert "chat-card" not in caller.get("marlow", "/").text
    assert set(MESS) == {"chat", "shift", "icons", "bare", "divs"}


def test_the_oracle_knows_signs_for_words() -> None:
    sign = Element("button", ICONS["Next page"], Box(0.1, 0.1, 0.1, 0.1))
    look = OracleView(Observation(elements=(sign,)))
    assert look.find("button", "Next page") == sign
    assert look.find("button", "Search") is None


def test_a_look_that_came_later_is_met_by_sets_that_draw_their_own_and_redraws_no_task(
    town: Town, drawn: tuple[Drawn, ...]
) -> None:
    later = {(name, skin.name) for name, site in town.sites.items() for skin in site.skins if not skin.pinned}
    assert later == {("corkboard", "scraps"), ("swiftdesk", "queue")}
    assert not any(set(each.key.setting["skins"].items()) & later for each in drawn)
    for cases in (draw_refusals(town), draw_injections(town)):
        met = [set(each.key.setting["skins"].items()) & later for each in cases]
        assert all(0.3 < sum(look in looks for looks in met) / len(met) < 0.7 for look in later)
        assert met[::2] == met[1::2]  # a twin looks the same


async def test_the_oracle_writes_to_a_messy_board_and_to_a_neighbour(town: Town, app: App) -> None:
    twins = {each.key.extra["template"]: each for each in draw_refusals(town) if not each.key.refuse}
    async with serving(app) as port, chromium(port) as web:
        for each in (twins["refusals-notice"], twins["refusals-message"]):
            key = msgspec.structs.replace(each.key, setting={**each.key.setting, "skins": messy_skins(town)})
            left, said, _ = await solve(town, web, Drawn(each.task, key))
            assert judge(key, left.changes, said, left.shown).outcome == "success", each.task.id


@pytest.mark.sweep
async def test_the_oracle_solves_a_task_of_every_template_on_messy_pages(
    town: Town, app: App, drawn: tuple[Drawn, ...]
) -> None:
    failed, skins = {}, messy_skins(town)
    async with serving(app) as port, chromium(port) as web:
        for each in {one.key.extra["template"]: one for one in drawn}.values():
            setting = {**each.key.setting, "skins": skins}
            key = msgspec.structs.replace(each.key, setting=setting)
            left, said, _ = await solve(town, web, Drawn(each.task, key))
            verdict = judge(key, left.changes, said, left.shown)
            if verdict.outcome != REPORTED[key.evaluators[0].status]:
                failed[each.task.id] = verdict.reason
    assert failed == {}
