"""A real service on loopback. One server serves all tests; each gets a path of its own on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.keys import Keys
from workalike.models.messages import Reply, Request, said
from workalike.models.names import Api
from workalike.models.prices import Price, Prices
from workalike.models.served import Models, ServedModel
from workalike.models.server.app import application
from workalike.models.server.asked import Answerer, Fault
from workalike.models.server.counting import Books
from workalike.models.server.misbehaving import scripted
from workalike.runtime.serving import serving_apart

QUICK = ServiceLimits(timeout=60.0, retries=4, first_wait=0.01, longest_wait=0.05)
APIS: tuple[Api, ...] = ("chat", "responses", "messages")
HELLO = Request((said("system", "Be brief."), said("user", "Hello?")))
SECRET = "sk-thisisaverysecretkeyindeed0123456789"
PRICED = Prices({"m": Price(input=2.0, output=8.0, cached=0.5)})


class Service(msgspec.Struct):
    """A running service: where it is, what it was asked, what it counted."""

    url: str
    books: Books
    asked: list[Asked]

    @property
    def v1(self) -> str:
        return f"{self.url}/v1"


Serve = Callable[..., Service]


class _Paths:
    """Several applications on one server, told apart by the first part of the path."""

    def __init__(self) -> None:
        self.apps: list[ASGIApp] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, number, rest = scope["path"].split("/", 2)
        await self.apps[int(number)]({**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}, receive, send)


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[str, _Paths]]:
    paths = _Paths()
    with serving_apart(paths) as url:
        yield url, paths


@pytest.fixture
def serve(server: tuple[str, _Paths]) -> Serve:
    """Start a service that answers from a script, or by a function."""
    url, paths = server

    def start(*outcomes: Reply | Fault | str, answer: Answerer | None = None) -> Service:
        books, asked = Books(), list[Asked]()
        inner = answer or scripted(outcomes)

        async def noted(each: Asked) -> Reply | Fault:
            asked.append(each)
            return await inner(each)

        paths.apps.append(application(noted, books))
        return Service(f"{url}/{len(paths.apps) - 1}", books, asked)

    return start


def shared(limits: ServiceLimits = QUICK, **settings: object) -> Models:
    return Models(keys=Keys({"WORKALIKE_API_KEY": SECRET}), limits=limits, **settings)  # type: ignore[arg-type]


def opened(models: Models, service: Service, api: Api = "chat", **settings: object) -> ServedModel:
    return models.open(f"m@{service.v1}", api=api, **settings)  # type: ignore[arg-type]
