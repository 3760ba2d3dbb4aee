"""The encyclopaedia, the paper and the maps: pages, searching, distances and hours, what they tell of each other."""

from __future__ import annotations

import re
from datetime import date

import pytest

from workalike.core.key import Scalar
from workalike.town.caller import Caller
from workalike.town.hotelkit.houses import COUNTRY
from workalike.town.refkit.geography import find_zip, metros
from workalike.town.refkit.knowledge import BRANDS, articles, owners
from workalike.town.refkit.places import DAYS, clock, places
from workalike.town.refkit.stories import stories
from workalike.town.refkit.stories import tested as ranked_goods
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.shopkit.kinds import KINDS
from workalike.town.sites.waymark.pages import found_places
from workalike.town.town import Town
from workalike.town.world import World

READ = [
    (site, skin)
    for site, skins in {
        "commonplace": ("folio", "column", "attic"),
        "tidings": ("broadsheet", "wire", "tabloid"),
    }.items()
    for skin in skins
]


def visitor(town: Town, app: App, site: str, skin: str) -> Caller:
    return Caller(app, town.open(Setting({site: skin})).token)


def rows(town: Town, caller: Caller, table: str) -> list[dict[str, Scalar]]:
    return [change.after for change in town.changes(caller.token) if change.table == table and change.after]


@pytest.mark.parametrize(("site", "skin"), READ)
def test_every_page_of_what_one_reads_is_there(town: Town, app: App, site: str, skin: str) -> None:
    caller = visitor(town, app, site, skin)
    page = (articles if site == "commonplace" else stories)(town.world)[7]
    for path in ("/", "/search", "/search?q=kettles", f"/section/{page.kind}", f"/read/{page.slug}", "/kept"):
        found = caller.get(site, path)
        assert found.status == 200, path
        assert "built-in method" not in found.text
        assert "[[" not in found.text
    for path in ("/read/nothing", "/section/Nonsense", "/search?q=kettles&page=99"):
        assert caller.get(site, path).status == 404
    for kept in (1, 0):
        caller.post(site, "/kept", {"page": page.slug})
        assert len(rows(town, caller, f"{site}_kept")) == kept


def test_a_page_shows_its_facts_and_a_list_does_not(town: Town, app: App) -> None:
    caller = visitor(town, app, "commonplace", "column")
    brand = next(each for each in articles(town.world) if each.kind == "Brand")
    caller.get("commonplace", "/search", q=brand.title)
    assert not [fact for fact in town.shown(caller.token) if fact.thing == brand.slug]
    caller.get("commonplace", f"/read/{brand.slug}")
    shown = {fact.field: fact.value for fact in town.shown(caller.token) if fact.thing == brand.slug}
    assert shown.items() >= {name: brand.told()[name] for name in ("founder", "founded", "owner")}.items()


def test_the_encyclopaedia_agrees_with_itself_and_with_the_town(town: Town) -> None:
    every = articles(town.world)
    by_title = {each.title: each for each in every}
    assert len(by_title) == len(every), "no two pages have one title"
    for each in every:
        facts = each.told()
        for name in ("birthplace", "place of origin", "first house", "first flight from"):
            assert facts.get(name, "Lisbon") in COUNTRY
        if "founder" in facts:
            person = by_title[facts["founder"]].told()
            assert int(person["born"][-4:]) < int(facts["founded"])
    three = owners(town.world)
    owned = [by_title[brand].told()["owner"] for brand in BRANDS]
    assert [by_title[name].told()["brands"] for name in three] == [str(owned.count(name)) for name in three]


def test_another_world_has_other_people_and_other_facts() -> None:
    one, two = ({each.title for each in articles(World(seed)) if each.kind == "Person"} for seed in (1, 2))
    assert len(one & two) < len(one) / 2
    train = {each.title for each in articles(World().of("train")) if each.kind in ("Person", "Employer", "Owner")}
    assert not train & {each.title for each in articles(World())}
    assert {each.told().get("winner") for each in stories(World(1))} != {
        each.told().get("winner") for each in stories(World(2))
    }


def test_stories_are_dated_and_no_two_are_called_alike(town: Town) -> None:
    every = stories(town.world)
    assert len({each.title for each in every}) == len({each.slug for each in every}) == len(every) > 120
    assert all(date.fromisoformat(each.day) < town.world.today for each in every)
    for kind in KINDS:
        ranked = ranked_goods(town.world, kind)
        story = next(each for each in every if each.slug == f"test-{kind.slug}")
        assert story.told()["winner"] == ranked[0].name
        assert int(story.told()["points"]) > int(story.told()["runner-up's points"])


@pytest.mark.parametrize("skin", ["atlas", "contour", "pinboard"])
def test_places_are_found_by_zip_code_with_hours_and_a_map(town: Town, app: App, skin: str) -> None:
    caller, some = visitor(town, app, "waymark", skin), places(town.world)[5]
    page = caller.get("waymark", "/find", kind=some.kind, zip=some.zip, sort="near")
    assert page.status == 200
    assert page.text.count('class="pin"') == page.text.count('class="number"') > 1
    place = caller.get("waymark", f"/place/{some.id}").text
    assert some.phone in place
    assert all(day in place for day in DAYS)
    span = some.hours[1]
    assert span is None or clock(span[1]) in place
    assert "do not know this ZIP" in caller.get("waymark", "/find", zip="00000").text
    for path in ("/", "/kept"):
        assert caller.get("waymark", path).status == 200
    assert caller.get("waymark", "/place/1").status == 404
    caller.post("waymark", "/kept", {"place": some.id})
    assert [row["place"] for row in rows(town, caller, "waymark_kept")] == [some.id]


def test_the_nearest_comes_first(town: Town) -> None:
    for metro in metros(town.world):
        start = metro.districts[0]
        assert find_zip(town.world, start.zip) == start
        away = [miles for _, miles in found_places(town.facts["waymark"], "Pharmacy", start, "near")]
        assert away == sorted(away, key=lambda miles: miles or 0)
        rated = [row["rating"] for row, _ in found_places(town.facts["waymark"], "Library", start, "rating")]
        assert rated == sorted(rated, reverse=True)


def test_zip_codes_occur_once(town: Town) -> None:
    codes = [district.zip for metro in metros(town.world) for district in metro.districts]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"\d{5}", code) for code in codes)
