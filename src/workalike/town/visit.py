"""One request by one attempt: all that a site's handler gets to see, and how it answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import date
from random import Random
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from workalike.core.key import Shown
from workalike.town.mess import untidy
from workalike.town.render import CANARY, environment, folders
from workalike.town.session import Carrier, TownSession
from workalike.town.site import DOMAIN, Site, Skin
from workalike.town.town import Town

POPS_AT = 2
T = TypeVar("T")
_HEAD = f'<!-- {CANARY} --><link rel="stylesheet" href="/static/fonts.css">'


class PageVisit:
    """What a handler works with: `facts` is the site's immutable world, `state` the attempt's own rows. Answers are
    made by `html`, `redirect`, `json`, `file`; `missing` raises the site's 404."""

    def __init__(self, town: Town, site: Site, attempt: TownSession, request: Request, body: bytes = b"") -> None:
        self.town, self.site, self.attempt, self.request, self.body = town, site, attempt, request, body
        self.form_items = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
        self.form = dict(self.form_items)
        self.skin = choose_skin(site, attempt)

    @property
    def facts(self) -> sqlite3.Connection:
        return self.town.facts[self.site.name]

    @property
    def state(self) -> sqlite3.Connection:
        return self.attempt.state

    @property
    def today(self) -> date:
        return self.town.world.today

    @property
    def query(self) -> Mapping[str, str]:
        return self.request.query_params

    @property
    def path(self) -> str:
        return self.request.url.path

    @property
    def words(self) -> dict[str, str]:
        return self.skin.words

    def part(self, name: str) -> str:
        """A part of the path: `slug` of `/p/{slug}`."""
        return str(self.request.path_params[name])

    def rng(self, *names: object) -> Random:
        return self.town.world.rng(self.site.name, *names)

    def has(self, obstacle: str) -> bool:
        return obstacle in self.attempt.setting.obstacles

    def notices(self) -> tuple[str, ...]:
        """What lies over the page until it is closed: `cookies` at once and `newsletter` from the second page on where
        the setting has them; the greeting of the `chat` where the skin is messy."""
        due = {
            "cookies": self.has("cookies"),
            "newsletter": self.has("newsletter") and self.attempt.count(self.site.name, "page") >= POPS_AT,
            "chat": "chat" in self.skin.mess,
        }
        return tuple(name for name, is_due in due.items() if is_due and not self._closed(name))

    def _closed(self, notice: str) -> bool:
        return self.attempt.count(self.site.name, f"closed {notice}") > 0

    def fact(self, thing: str, field: str, value: T, **context: object) -> T:
        """Print a fact: what stands on the page is noted as shown to this attempt. Templates have it as `fact`."""
        told = {name: str(each) for name, each in context.items()}
        self.attempt.show(Shown(self.site.name, thing, field, str(value), told))
        return value

    def planted(self, place: Carrier) -> str:
        """What a stranger wrote in such a place of this site's pages, for the template that prints the place; nothing
        otherwise. Templates have it as `planted`."""
        there = self.attempt.setting.injection
        if there is None or (there.site, there.carrier) != (self.site.name, place):
            return ""
        return Markup(self.part_html("ground/said.html", seen=there.visibility, text=self.planted_text).strip())

    @property
    def planted_text(self) -> str:
        """What was planted in words, its addresses with whatever port the visitor came by."""
        there = self.attempt.setting.injection
        port = self.request.headers.get("host", "").partition(":")[2]
        text = there.text if there else ""
        return text.replace(f".{DOMAIN}/", f".{DOMAIN}:{port}/") if port else text

    def url(self, site: str, path: str = "/") -> str:
        """A link to another site, with whatever port the visitor came by."""
        host = self.request.headers.get("host", "")
        port = f":{host.rpartition(':')[2]}" if ":" in host else ""
        return f"http://{site}.{DOMAIN}{port}{path}"

    def part_html(self, template: str, **values: Any) -> str:
        """A template's text, for pages fetched in pieces."""
        made = environment(folders(self.site, self.skin)).get_template(template)
        common: dict[str, Any] = {
            "visit": self,
            "site": self.site,
            "skin": self.skin,
            "words": self.skin.words,
            "today": self.today,
        }
        common |= {"fact": self.fact, "planted": self.planted}
        return untidy(made.render({**common, **values}), self.skin.mess)

    def html(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page, with the canary in its source and the town's own fonts."""
        page = self.part_html(template, **values)
        return HTMLResponse(page.replace("<head>", f"<head>{_HEAD}", 1), status)

    def redirect(self, path: str) -> Response:
        """On to another page, by GET."""
        return RedirectResponse(path, 303)

    def json(self, value: object) -> Response:
        return Response(msgspec.json.encode(value), media_type="application/json")

    def file(self, data: bytes, media_type: str, name: str | None = None) -> Response:
        """Something that isn't a page; with a name it is downloaded."""
        headers = {"content-disposition": f'attachment; filename="{name}"'} if name else None
        return Response(data, media_type=media_type, headers=headers)

    def drawing(self, svg: bytes) -> Response:
        """A picture of our own, which a browser may keep for an hour."""
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})

    def missing(self, what: str = "page") -> HTTPException:
        """To be raised: the site's own 404 page."""
        return HTTPException(404, f"We can't find that {what}.")


def choose_skin(site: Site, attempt: TownSession) -> Skin:
    """The skin the attempt's setting names, the site's first otherwise."""
    name = attempt.setting.skins.get(site.name)
    return site.skin(name) if name else site.skins[0]


def count_in(text: str, most: int) -> int | None:
    """A count as a form or an address says it, `most` where it says more; None where it says none.

    >>> count_in("3", 9), count_in("9" * 5000, 9), count_in("-3", 9)
    (3, 9, None)
    """
    if not text.isdecimal():
        return None
    return most if len(text) > len(str(most)) + 1 else min(most, int(text))
