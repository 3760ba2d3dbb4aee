"""Names on maps: none lies over another one or over a sign, and each is on the map."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from workalike.town.caller import Caller
from workalike.town.kit.places import MapBox, MapMark, place_labels
from workalike.town.server import App
from workalike.town.session import Setting
from workalike.town.sites.alderbrook.pages import MAP, SCALE
from workalike.town.town import Town
from workalike.town.world import Split, World


def test_a_name_stands_on_the_right_unless_something_is_there() -> None:
    alone, wall = MapMark("Quay", 0, 0, 1, 1), MapBox(1, -1, 9, 1)
    whole = MapBox(-20, -20, 20, 20)
    assert place_labels([alone], whole)["Quay"].anchor == "start"
    assert place_labels([alone], whole, [wall])["Quay"].anchor == "end"


@pytest.mark.parametrize("split", ["test", "train"])
def test_the_city_s_names_can_all_be_read(split: Split) -> None:
    facts = Town(World().of(split)).facts["alderbrook"]
    marks = [MapMark("Central Station", 0, 0, 1.2, 1.8)]
    for table, reach, size in (("hall", 1.2, 1.6), ("garage", 0.9, 1.4)):
        rows = facts.execute(f"SELECT * FROM {table} ORDER BY name")
        marks += [MapMark(row["name"], row["x"], row["y"], reach, size) for row in rows]
    boxes = [label.box for label in place_labels(marks, MAP, [SCALE]).values()]
    assert not [pair for pair in combinations([*boxes, SCALE], 2) if pair[0].overlap(pair[1])]
    ends = [(mark.x - mark.reach, mark.y - mark.reach, mark.x + mark.reach, mark.y + mark.reach) for mark in marks]
    assert not [box for box in boxes for end in ends if box.overlap(MapBox(*end))]
    assert all(box.overlap(MAP) == pytest.approx(box.area) for box in boxes)


def test_one_hotel_is_no_hotels(town: Town, app: App) -> None:
    rows = town.facts["aldergate"].execute("SELECT city FROM hotel GROUP BY city HAVING count(*) = 1")
    city = rows.fetchone()["city"]
    caller = Caller(app, town.open(Setting()).token)
    page = caller.get("search", "/", q=f"Aldergate Hotels in {city}").text
    assert re.search(rf"\b1 hotel in {city}", page)
    assert not re.search(r"\b1 hotels", page)
