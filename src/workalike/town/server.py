"""The one server of all sites: which site by the host's name, which attempt by its cookie or header."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from workalike.town.eyes import REPORT, SCRIPT, Eyes, open_eyes, script
from workalike.town.fonts import font_file, stylesheet
from workalike.town.obstacles import failure, note_closed, note_subscribed, wall
from workalike.town.planting import DOCUMENT, document, picture, plant
from workalike.town.render import static_file, static_folders
from workalike.town.session import Setting, TownSession
from workalike.town.site import DOMAIN, Handler, Site
from workalike.town.town import Town
from workalike.town.visit import PageVisit, count_in

COOKIE = "attempt"
HEADER = "x-town-attempt"
MOST_VISITORS = 200
Endpoint = Callable[[Request], Awaitable[Response]]


class App:
    """The ASGI application. A visitor without a token becomes an attempt of its own, so that one can look around;
    `visitors` is what such a one meets. With `eyes`, every page tells them what it shows. `names` are
    what the header may call attempts by, besides their tokens; addresses and cookies want tokens."""

    domains = (DOMAIN,)

    def __init__(
        self,
        town: Town,
        eyes: Eyes | None = None,
        visitors: Setting = Setting(),
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.town, self.eyes, self.visitors = town, eyes, visitors
        self._names = {} if names is None else names
        self.routes = {site.name: _routes(town, site) for site in town.sites.values()}
        self._visitors: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        site = self.town.sites.get(_label(request))
        if site is None:
            return PlainTextResponse(f"There is no such site. Start at http://search.{DOMAIN}/", 404)
        called = request.headers.get(HEADER)
        known = self.town.find(self._names.get(called, called) if called else request.cookies.get(COOKIE, ""))
        if COOKIE in request.query_params:
            return self._take_token(request, known)
        if request.url.path.startswith("/static/"):
            return _static(site, request.url.path.removeprefix("/static/"))
        attempt = known or self._visitor()
        if self.eyes is not None and request.url.path in (SCRIPT, REPORT):
            return await _look(self.eyes, attempt, request)
        response = await self._page(site, attempt, request)
        if self.eyes is not None:
            response = open_eyes(response)
        if known is None:
            _set_cookie(response, attempt.token)
        return response

    async def _page(self, site: Site, attempt: TownSession, request: Request) -> Response:
        request.scope["attempt"] = attempt
        visit = PageVisit(self.town, site, attempt, request, await request.body())
        walled = wall(visit)
        if walled is not None:
            return walled
        for route in self.routes[site.name]:
            match, child = route.matches(request.scope)
            if match is Match.FULL:
                request.scope.update(child)
                return await route.endpoint(request)  # type: ignore[no-any-return]
        return _missing(visit, "We can't find that page.")

    def _take_token(self, request: Request, known: TownSession | None) -> Response:
        """`?attempt=TOKEN` on any page becomes the cookie of all sites, and vanishes from the address. A browser that
        is in an attempt stays in it, and what is no attempt's token leads nowhere: only visitors may still choose."""
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != COOKIE]
        response = RedirectResponse("/" + request.url.path.lstrip("/") + ("?" + urlencode(rest) if rest else ""), 303)
        wanted = self.town.find(request.query_params[COOKIE])
        if wanted is not None and (known is None or known.token in self._visitors):
            _set_cookie(response, wanted.token)
        return response

    def _visitor(self) -> TownSession:
        attempt = self.town.open(self.visitors)
        self._visitors.append(attempt.token)
        if len(self._visitors) > MOST_VISITORS:
            self.town.close(self._visitors.pop(0))
        return attempt


async def _look(eyes: Eyes, attempt: TownSession, request: Request) -> Response:
    if request.url.path == SCRIPT:
        return Response(script(), media_type="text/javascript")
    return Response(status_code=204 if eyes.take(attempt.token, await request.body()) else 400)


def _font(name: str) -> tuple[bytes, str] | None:
    """The sheet that names the town's fonts, and the fonts."""
    if name == "fonts.css":
        return stylesheet(), "text/css"
    data = font_file(name.removeprefix("fonts/")) if name.startswith("fonts/") else None
    return (data, f"font/{name.rpartition('.')[2]}") if data is not None else None


def _label(request: Request) -> str:
    host, _, port = request.headers.get("host", "").lower().partition(":")
    if port and not 0 < (count_in(port, 65536) or 0) < 65536:
        return ""
    return host.removesuffix("." + DOMAIN) if host.endswith("." + DOMAIN) else ""


def _set_cookie(response: Response, token: str) -> None:
    response.set_cookie(COOKIE, token, domain=DOMAIN, path="/", httponly=True, samesite="lax")


def _routes(town: Town, site: Site) -> list[Route]:
    own = [
        Route(page.path, _endpoint(town, site, page.handler), methods=list(page.methods), name=page.path)
        for page in site.pages
    ]
    told = {"/-/close": note_closed, "/-/subscribe": note_subscribed}
    planted = {"/-/planted.png": picture, f"/-/{DOCUMENT}": document}
    ground = [Route(path, _endpoint(town, site, answer), methods=["POST"]) for path, answer in told.items()]
    ground += [Route(path, _endpoint(town, site, answer)) for path, answer in planted.items()]
    return [*ground, *own]


def _endpoint(town: Town, site: Site, handler: Handler) -> Endpoint:
    async def answer(request: Request) -> Response:
        visit = PageVisit(town, site, request.scope["attempt"], request, await request.body())
        response = _handle(visit, handler)
        response.headers.setdefault("cache-control", "no-store")
        return response

    return answer


def _handle(visit: PageVisit, handler: Handler) -> Response:
    """Run a handler in one transaction: a page that fails leaves no half-made rows."""
    try:
        response = failure(visit) or handler(visit)
        visit.state.commit()
        return plant(visit, response)
    except HTTPException as gone:
        visit.state.rollback()
        return _missing(visit, gone.detail) if gone.status_code == 404 else PlainTextResponse(gone.detail, 400)
    except BaseException:
        visit.state.rollback()
        raise


def _missing(visit: PageVisit, detail: str) -> Response:
    return visit.html("missing.html", 404, detail=detail)


def _static(site: Site, name: str) -> Response:
    found = _font(name) or static_file(static_folders(site), name)
    if found is None:
        return PlainTextResponse("no such file", 404)
    return Response(found[0], media_type=found[1], headers={"cache-control": "max-age=3600"})
