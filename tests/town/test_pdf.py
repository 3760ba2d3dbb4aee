"""Documents to download."""

from __future__ import annotations

import re

from workalike.town.pdf import pdf


def test_a_document_is_well_formed_and_always_the_same() -> None:
    made = pdf("Ticket (return)", ["Seat 12A", "Gate \\ 4", "Café"])
    assert made == pdf("Ticket (return)", ["Seat 12A", "Gate \\ 4", "Café"])
    start = int(re.search(rb"startxref\n(\d+)", made)[1])  # type: ignore[index]
    assert made[start : start + 4] == b"xref"
    for place, number in zip(re.findall(rb"(\d{10}) 00000 n", made), range(1, 6), strict=True):
        assert made[int(place) :].startswith(b"%d 0 obj" % number)
    length = int(re.search(rb"/Length (\d+)", made)[1])  # type: ignore[index]
    assert len(re.search(rb"stream\n(.*?)\nendstream", made, re.DOTALL)[1]) == length  # type: ignore[index]
    assert rb"Ticket \(return\)" in made
