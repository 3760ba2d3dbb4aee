"""A real service on loopback for every test that wants one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import msgspec
import pytest

from understudy.models.line import Limits
from understudy.models.messages import Reply
from understudy.models.server.app import application
from understudy.models.server.asked import Answerer, Asked, Fault
from understudy.models.server.counting import Books
from understudy.models.server.misbehaving import scripted
from understudy.models.server.serving import serving

QUICK = Limits(timeout=5.0, retries=4, first_wait=0.01, longest_wait=0.05)


class Service(msgspec.Struct):
    """A running server: where it is, what it was asked, what it counted."""

    url: str
    books: Books
    asked: list[Asked]

    @property
    def v1(self) -> str:
        return f"{self.url}/v1"


Serve = Callable[..., Service]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server that answers from a script, or by a function."""
    with ExitStack() as stack:

        def start(*outcomes: Reply | Fault | str, answer: Answerer | None = None) -> Service:
            books, asked = Books(), list[Asked]()
            inner = answer or scripted(outcomes)

            async def noted(each: Asked) -> Reply | Fault:
                asked.append(each)
                return await inner(each)

            url = stack.enter_context(serving(application(noted, books)))
            return Service(url, books, asked)

        yield start
