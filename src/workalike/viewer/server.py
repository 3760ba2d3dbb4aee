"""The viewer's server. What it shows came off web pages and out of models: the page gets it as data, and everything is
answered under a content policy that lets no foreign script, style or address in. Each part of the viewer is a module
that adds its routes."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workalike.core.errors import BadInput
from workalike.runtime.own_hosts import OwnHosts
from workalike.viewer import by_hand, datasets, home, labels, review, runs, standalone, trajectories
from workalike.viewer.library import Library
from workalike.viewer.replies import PAGE, complain, refuse, static_reply
from workalike.viewer.token import TokenGate

PARTS = (home, runs, datasets, trajectories, standalone, by_hand, labels, review)
"""The modules whose `routes(library)` make up the viewer."""


def make_app(library: Library, token: str | None = None) -> Starlette:
    """The application that shows a library. Only loopback's own names are answered, so that no page elsewhere can reach
    it by a name of its own that leads here; with a token it answers under any name, and only to who has it."""
    guards = [Middleware(TokenGate, token=token)] if token else [Middleware(OwnHosts)]
    return Starlette(
        routes=[
            Route("/", _page),
            Route("/static/{name}", _static),
            *(route for part in PARTS for route in part.routes(library)),
        ],
        middleware=guards,
        exception_handlers={BadInput: complain, HTTPException: refuse},
    )


def _page(request: Request) -> Response:
    return static_reply(PAGE)


def _static(request: Request) -> Response:
    return static_reply(request.path_params["name"])
