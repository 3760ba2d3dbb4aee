"""Eyes for the oracle behind a server: the town's pages, started for it, report their visible elements here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from starlette.responses import HTMLResponse, Response

from workalike.core.observation import Dialog, Element, Observation, TabInfo
from workalike.core.screen import Size
from workalike.env.browser import world

SCRIPT, REPORT = "/-/eyes.js", "/-/eyes"
_TAG = f'<script src="{SCRIPT}" defer></script>'.encode()
MOST_BYTES = 4_000_000


class PageReport(msgspec.Struct, frozen=True):
    """What one tab shows; `page` tells the pages of a tab apart, `number` the reports of a page: they may arrive in
    another order."""

    tab: str
    page: float
    url: str
    title: str
    size: Size
    scale: float
    elements: tuple[Element, ...]
    number: int = 0
    dialog: Dialog | None = None


class Gone(msgspec.Struct, frozen=True):
    """A page's farewell: its tab was closed, unless another page of the tab has reported, or will."""

    left: str
    page: float


class _Tabs:
    """The latest report of each tab of one attempt, the newest last; their order of opening; and pages that left."""

    def __init__(self) -> None:
        self.latest: dict[str, PageReport] = {}
        self.order: dict[str, None] = {}
        self.left: set[Gone] = set()

    def take(self, report: PageReport) -> None:
        if Gone(report.tab, report.page) in self.left:  # the farewell has overtaken it
            return
        before = self.latest.get(report.tab)
        if before is not None and before.page == report.page and before.number > report.number:
            return
        self.order.setdefault(report.tab)
        self.latest.pop(report.tab, None)
        self.latest[report.tab] = report

    def leave(self, gone: Gone) -> None:
        self.left.add(gone)
        if gone.left in self.latest and self.latest[gone.left].page == gone.page:
            del self.latest[gone.left]


class Eyes:
    """What every tab of every attempt shows. The tab that reported last is the one in front."""

    def __init__(self) -> None:
        self._tabs: dict[str, _Tabs] = {}

    def take(self, token: str, body: bytes) -> bool:
        """Keep a report; False when it is none."""
        if len(body) > MOST_BYTES:
            return False
        try:
            said = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
            kind: type[PageReport] | type[Gone] = Gone if "left" in said else PageReport
            report = msgspec.json.decode(body, type=kind)
        except msgspec.DecodeError:
            return False
        tabs = self._tabs.setdefault(token, _Tabs())
        if isinstance(report, Gone):
            tabs.leave(report)
        else:
            tabs.take(report)
        return True

    def see(self, token: str) -> Observation | None:
        """What an attempt's browser shows, as far as its pages have said; its time is when the page began, so that one
        that is loaded again is another."""
        tabs = self._tabs.get(token)
        if tabs is None or not tabs.latest:
            return None
        front = next(reversed(tabs.latest.values()))
        reports = [tabs.latest[name] for name in tabs.order if name in tabs.latest]
        return Observation(
            size=front.size,
            scale=front.scale,
            url=front.url,
            title=front.title,
            dialog=front.dialog,
            time=front.page,
            tabs=tuple(TabInfo(each.url, each.title, each is front) for each in reports),
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
    return world.looking_script((files("workalike.town") / "eyes.js").read_text(encoding="utf-8")).encode()
