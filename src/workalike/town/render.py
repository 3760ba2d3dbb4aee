"""Pages from templates, and the files beside them. A skin's templates win over its site's, those over the ground's."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from workalike.town.site import Site, Skin

GROUND = Path(__file__).parent
CANARY = "workalike-town-canary 7d1c5f0e-2b64-4e0b-9a57-c41f3a8e6d92"
"""Stands in the source of every page and in every exported row: whoever trains on what contains it trains on the
benchmark."""
STAR = "\uf005"
"""A star, in the town's font of signs."""


@cache
def environment(folders: tuple[Path, ...]) -> Environment:
    """The Jinja environment over these template folders, first wins. Everything is escaped."""
    made = Environment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["STAR"] = STAR
    made.filters |= {"money": money, "long_date": long_date, "short_date": short_date, "plural": plural}
    return made


def folders(site: Site, skin: Skin) -> tuple[Path, ...]:
    """Where a skin's templates are looked for."""
    own = [site.folder / "templates" / (skin.layout or skin.name), site.folder / "templates"]
    shared = [folder / "templates" for folder in site.also_folders]
    return (*own, *shared, GROUND / "templates")


@cache
def static_file(folders: tuple[Path, ...], name: str) -> tuple[bytes, str] | None:
    """A file of a `static` folder with its media type, or None. Names that climb out of the folder find nothing."""
    for folder in folders:
        with suppress(OSError, ValueError):  # no name of a file: too long, or with a zero byte in it
            path = (folder / "static" / name).resolve()
            if path.is_file() and path.is_relative_to((folder / "static").resolve()):
                return path.read_bytes(), guess_type(path.name)[0] or "application/octet-stream"
    return None


def static_folders(site: Site) -> tuple[Path, ...]:
    return (site.folder, *site.also_folders, GROUND)


def money(cents: int) -> str:
    """
    >>> money(129900)
    '$1,299.00'
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def long_date(day: date) -> str:
    """
    >>> long_date(date(2026, 5, 4))
    'Monday, May 4, 2026'
    """
    return f"{day:%A}, {day:%B} {day.day}, {day.year}"


def short_date(day: date) -> str:
    """
    >>> short_date(date(2026, 5, 4))
    'Mon, May 4'
    """
    return f"{day:%a}, {day:%b} {day.day}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """
    >>> plural(1, "item"), plural(3, "item")
    ('1 item', '3 items')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
