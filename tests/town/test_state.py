"""The row-level difference between before and after."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.key import RowChange
from workalike.town.state import Table, blank, connect, difference, read_rows

TABLES = (Table("shop_cart", "sku TEXT, quantity INTEGER"), Table("shop_note", "text TEXT", "trace"))


def test_inserts_updates_and_deletes_show_whole_rows() -> None:
    base = blank(TABLES)
    base.execute("INSERT INTO shop_cart (sku, quantity) VALUES ('a', 1), ('b', 1)")
    base.commit()
    before = read_rows(base, TABLES)
    state = connect(base.serialize())
    state.execute("UPDATE shop_cart SET quantity = 3 WHERE sku = 'a'")
    state.execute("DELETE FROM shop_cart WHERE sku = 'b'")
    state.execute("INSERT INTO shop_cart (sku, quantity) VALUES ('c', 2)")
    assert difference(before, read_rows(state, TABLES)) == (
        RowChange("shop_cart", {"id": 1, "sku": "a", "quantity": 1}, {"id": 1, "sku": "a", "quantity": 3}),
        RowChange("shop_cart", {"id": 2, "sku": "b", "quantity": 1}, {}),
        RowChange("shop_cart", {}, {"id": 3, "sku": "c", "quantity": 2}),
    )


def test_what_was_undone_leaves_no_trace() -> None:
    base = blank(TABLES)
    state = connect(base.serialize())
    state.execute("INSERT INTO shop_cart (sku, quantity) VALUES ('a', 1)")
    state.execute("DELETE FROM shop_cart")
    assert difference(read_rows(base, TABLES), read_rows(state, TABLES)) == ()


Quantities = st.dictionaries(st.integers(1, 6), st.integers(1, 9), max_size=5)


@settings(max_examples=60)
@given(Quantities, Quantities)
def test_the_difference_is_what_it_takes_to_get_there(old: dict[int, int], new: dict[int, int]) -> None:
    before = {"t": {row: {"id": row, "n": count} for row, count in old.items()}}
    after = {"t": {row: {"id": row, "n": count} for row, count in new.items()}}
    changes = difference(before, after)  # type: ignore[arg-type]
    assert (changes == ()) == (old == new)
    replayed = dict(old)
    for change in changes:
        if not change.after:
            del replayed[int(change.before["id"])]  # type: ignore[arg-type]
        else:
            replayed[int(change.after["id"])] = int(change.after["n"])  # type: ignore[arg-type]
    assert replayed == new
