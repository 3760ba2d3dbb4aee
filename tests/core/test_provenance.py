"""Fingerprints: the same for the same thing, whatever the order of its keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workalike.core.provenance import fingerprint

values = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=6)


@given(values)
def test_order_does_not_matter(value: dict[str, object]) -> None:
    assert fingerprint(value) == fingerprint(dict(reversed(value.items())))


@given(values, values)
def test_other_things_have_other_fingerprints(one: dict[str, object], other: dict[str, object]) -> None:
    assert (fingerprint(one) == fingerprint(other)) == (one == other)
