"""How the browser is set up: everything an attempt may want different, with defaults that suit most."""

from __future__ import annotations

import re
from urllib.parse import quote_plus

import msgspec

from workalike.core.errors import BadInput
from workalike.core.screen import VIEWPORT, Size

MOST_SIDE, MOST_PIXELS = 16_384, 64_000_000
"""Device pixels of a viewport, a side and in all: beyond, a picture fails or takes a gigabyte and half a minute."""
_LOCALE = re.compile(
    r"[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*"
    r"(-u(-[A-Za-z0-9]{2,8})+)?"
)


class BrowserSettings(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Screen, place and manner of the browser. `endpoint` attaches to a running browser over CDP instead of
    starting one; `upstream` is a proxy of the user's that everything allowed is sent through. Bounds are in
    seconds: `load` for a page to load, `settle` for what an action set off in the network and for animations that
    end, `quiet` for layout."""

    viewport: Size = VIEWPORT
    scale: float = 1.0
    locale: str = "en-US"
    timezone: str | None = None
    geolocation: tuple[float, float] | None = None
    user_agent: str | None = None
    dark: bool = False
    headed: bool = False
    executable: str | None = None
    endpoint: str | None = None
    upstream: str | None = None
    upstream_resolves: bool = False
    listen: str = "127.0.0.1"
    search: str = "https://duckduckgo.com/?q={query}"
    load: float = 15.0
    settle: float = 3.0
    quiet: float = 0.5
    wait: float = 1.0
    most_wait: float = 60.0
    most_tabs: int = 12
    most_download: int = 50_000_000
    most_text: int = 20_000
    most_height: int = 12_000

    def __post_init__(self) -> None:
        if "{query}" not in self.search:
            raise BadInput(f"the search address {self.search!r} needs {{query}} where the words go")
        if not 0.25 <= self.scale <= 4:
            raise BadInput(f"a device scale of {self.scale} is not possible: choose one from 0.25 to 4")
        sides = (self.viewport.width * self.scale, self.viewport.height * self.scale)
        if max(sides) > MOST_SIDE or sides[0] * sides[1] > MOST_PIXELS:
            raise BadInput(
                f"a viewport of {self.viewport.width}x{self.viewport.height} at scale {self.scale:g} is more than a "
                f"browser can show: take at most {MOST_SIDE:,} pixels a side and {MOST_PIXELS // 10**6} million in all"
            )
        if not _LOCALE.fullmatch(self.locale):
            raise BadInput(f"there is no locale {self.locale!r}; name one such as en-US, de or zh-Hans-CN")
        if self.timezone is not None and not _is_zone(self.timezone):
            raise BadInput(f"there is no time zone {self.timezone!r}; name one such as Europe/Paris")

    def search_url(self, query: str) -> str:
        return self.search.replace("{query}", quote_plus(query))


def _is_zone(name: str) -> bool:
    """Whether a time zone is known; where this machine knows none at all, the browser is left to say so."""
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return not available_timezones()
    return True
