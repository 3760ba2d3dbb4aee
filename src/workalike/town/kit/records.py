"""Records that sites keep and people come back to: numbers, looking one up, cancelling it, the document to download."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from starlette.responses import Response

from workalike.town.pdf import pdf
from workalike.town.state import insert
from workalike.town.visit import PageVisit

_SIGNS = "ACDEFGHJKLMNPQRTUVWXY3479"


def scattered_number(prefix: str, count: int) -> str:
    """Numbers look scattered and yet follow from how many records there are.

    >>> scattered_number("MF", 1)
    'MF107919'
    """
    return f"{prefix}{100_000 + (count * 7919) % 899_981}"


def scattered_letters(prefix: str, count: int) -> str:
    """The same in letters and digits, four of them."""
    left, text = 700_001 + count * 75_869_237 % 24_300_000, ""
    for _ in range(4):
        left, at = divmod(left, len(_SIGNS))
        text += _SIGNS[at]
    return prefix + text


def count_rows(state: sqlite3.Connection, table: str) -> int:
    return int(state.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def find_record(visit: PageVisit, table: str, number: str, also: str = "1", *values: object) -> sqlite3.Row | None:
    """A record by its number, and by whatever else must hold."""
    query = f"SELECT * FROM {table} WHERE number = ? AND {also}"
    return visit.state.execute(query, (number, *values)).fetchone()  # type: ignore[no-any-return]


def cancel_record(visit: PageVisit, table: str, number: str) -> None:
    visit.state.execute(f"UPDATE {table} SET status = 'Cancelled' WHERE number = ?", (number,))


def look_up(visit: PageVisit) -> tuple[str, bool]:
    """The number that a form asks for, and whether the name beside it is that of its booking; who knows both may see it
    from then on."""
    number, name = visit.form.get("number", "").strip().upper(), visit.form.get("name", "").strip().lower()
    row = find_record(visit, f"{visit.site.name}_booking", number) if number else None
    known = row is not None and bool(name) and row["name"].lower().split()[-1] == name
    if known:
        insert(visit.state, f"{visit.site.name}_seen", {"number": number})
    return number, known


def own_booking(visit: PageVisit) -> sqlite3.Row:
    """The booking that the address names: only who made it, or named its guest, gets to see it."""
    known = f"number IN (SELECT number FROM {visit.site.name}_seen)"
    row = find_record(visit, f"{visit.site.name}_booking", visit.part("number"), known)
    if row is None:
        raise visit.missing("booking")
    return row


def cancel_own(visit: PageVisit) -> Response:
    number = own_booking(visit)["number"]
    cancel_record(visit, f"{visit.site.name}_booking", number)
    return visit.redirect(f"/booking/{number}")


def document(visit: PageVisit, title: str, lines: Iterable[str], name: str) -> Response:
    """A record to download and print."""
    return visit.file(pdf(title, list(lines)), "application/pdf", name)
