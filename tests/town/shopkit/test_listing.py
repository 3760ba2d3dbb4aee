"""Shelves: search, filters, order and pages."""

from __future__ import annotations

import pytest

from workalike.town.kit.listing import with_query
from workalike.town.shopkit.listing import PER_PAGE, match_words, read_ask, run_ask, suggest
from workalike.town.town import Town


def find(town: Town, *items: tuple[str, str], category: str | None = None) -> list[dict[str, object]]:
    found = run_ask(town.facts["marlow"], read_ask(items, category))
    return [dict(row) for row in found.products]


def test_every_word_must_occur_and_the_last_may_be_unfinished(town: Town) -> None:
    names = [str(row["name"]) for row in find(town, ("q", "rain jack"))]
    assert names
    assert all("Rain Jacket" in name for name in names)
    assert find(town, ("q", "rain zeppelin")) == []
    assert match_words("...") is None or find(town, ("q", '"; DROP')) == []


def test_a_products_own_name_finds_it(town: Town) -> None:
    rows = town.facts["marlow"].execute("SELECT name, slug FROM product ORDER BY id").fetchall()[::37]
    for row in rows:
        found = run_ask(town.facts["marlow"], read_ask([("q", row["name"])]))
        assert row["slug"] in {each["slug"] for each in found.products}, row["name"]


def test_filters_narrow_and_facets_count(town: Town) -> None:
    facts = town.facts["marlow"]
    whole = run_ask(facts, read_ask((), "kettles"))
    for brand, count in whole.brands:
        assert run_ask(facts, read_ask([("brand", brand)], "kettles")).total == count
    for name, values in whole.specs.items():
        for value, count in values:
            assert run_ask(facts, read_ask([(f"spec.{name}", value)], "kettles")).total == count
    cheap = find(town, ("max", "60"), ("min", "30"), ("stock", "1"), category="kettles")
    assert all(3000 <= int(str(row["price"])) <= 6000 and row["stock"] for row in cheap)


@pytest.mark.parametrize(
    ("sort", "column", "sign"), [("price-low", "price", 1), ("price-high", "price", -1), ("rating", "rating", -1)]
)
def test_orders(town: Town, sort: str, column: str, sign: int) -> None:
    values = [sign * float(str(row[column])) for row in find(town, ("sort", sort), category="jackets")]
    assert values == sorted(values)


def test_pages_follow_one_another_without_gap(town: Town) -> None:
    facts = town.facts["marlow"]
    whole = run_ask(facts, read_ask((), "jackets"))
    assert whole.pages == -(-whole.total // PER_PAGE)
    seen = [
        row["id"]
        for page in range(1, whole.pages + 1)
        for row in run_ask(facts, read_ask((), "jackets", page=page)).products
    ]
    assert len(seen) == len(set(seen)) == whole.total


def test_nonsense_in_an_address_is_left_out() -> None:
    ask = read_ask([("page", "x"), ("min", "-3"), ("rating", "many"), ("sort", "upside-down"), ("brand", " ")])
    assert (ask.page, ask.low, ask.rating, ask.sort, ask.brands) == (1, None, None, "featured", ())


def test_suggestions_lead_to_products(town: Town) -> None:
    found = suggest(town.facts["marlow"], "kett")
    assert found
    assert all("Kettle" in each["name"] for each in found)
    assert suggest(town.facts["marlow"], "k") == []


def test_a_changed_query_starts_on_its_first_page() -> None:
    assert with_query([("q", "mug"), ("page", "4"), ("sort", "name")], sort="rating") == "?q=mug&sort=rating"
