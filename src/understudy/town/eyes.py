"""Eyes for the oracle behind a server: the town's pages, started for it, report their visible elements here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from starlette.responses import HTMLResponse, Response

from understudy.core.observation import Element, Observation, Tab
from understudy.core.screen import Size
from understudy.env import world

SCRIPT, REPORT = "/-/eyes.js", "/-/eyes"
_TAG = f'<script src="{SCRIPT}" defer></script>'.encode()
MOST_BYTES = 4_000_000


class Report(msgspec.Struct, frozen=True):
    """What one tab shows."""

    tab: str
    url: str
    title: str
    size: Size
    scale: float
    elements: tuple[Element, ...]


class Eyes:
    """The latest report of every tab of every attempt; the tab that reported last is the one in front."""

    def __init__(self) -> None:
        self._tabs: dict[str, dict[str, Report]] = {}

    def take(self, token: str, body: bytes) -> bool:
        """Keep a report; False when it is none."""
        if len(body) > MOST_BYTES:
            return False
        try:
            report = msgspec.json.decode(body, type=Report)
        except msgspec.DecodeError:
            return False
        tabs = self._tabs.setdefault(token, {})
        tabs.pop(report.tab, None)
        tabs[report.tab] = report
        return True

    def see(self, token: str) -> Observation | None:
        """What an attempt's browser shows, as far as its pages have said."""
        reports = list(self._tabs.get(token, {}).values())
        if not reports:
            return None
        front = reports[-1]
        return Observation(
            size=front.size,
            scale=front.scale,
            url=front.url,
            title=front.title,
            tabs=tuple(Tab(each.url, each.title, each is front) for each in reports),
            elements=tuple(msgspec.structs.replace(each, mark=number) for number, each in enumerate(front.elements, 1)),
        )

    def forget(self, token: str) -> None:
        self._tabs.pop(token, None)


def open_eyes(response: Response) -> Response:
    """A page with the script in it; anything else as it is."""
    if not isinstance(response, HTMLResponse) and "text/html" not in response.headers.get("content-type", ""):
        return response
    body = bytes(response.body)
    if b"</head>" not in body:
        return response
    fresh = Response(body.replace(b"</head>", _TAG + b"</head>", 1), response.status_code)
    fresh.raw_headers = [
        *((name, value) for name, value in response.raw_headers if name != b"content-length"),
        (b"content-length", str(len(fresh.body)).encode()),
    ]
    return fresh


@cache
def script() -> bytes:
    """The browser environment's way of finding elements, with the part that reports them."""
    return world.looking_script((files("understudy.town") / "static" / "eyes.js").read_text(encoding="utf-8")).encode()
