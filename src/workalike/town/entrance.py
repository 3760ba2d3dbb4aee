"""The town's door for other people's browsers: a proxy whose user name says which attempt a browser belongs to.

Few harnesses can put a header on their browser's requests; nearly all can be given a proxy with a user and a password.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable

from msgspec.structs import replace

from workalike.core.errors import Refused
from workalike.env.policy.proxy import Proxy, Stranger
from workalike.env.policy.proxy_head import Head
from workalike.env.policy.reach import Policy
from workalike.town.server import HEADER

ASKED = "Give this proxy the attempt's name as the user name; any password will do."


class Entrance(Proxy):
    """Lets a browser into the town, and nowhere else, as the attempt that `find` knows by the proxy's user name."""

    def __init__(self, policy: Policy, find: Callable[[str], str | None]) -> None:
        super().__init__(policy)
        self._find = find

    def admit(self, head: Head, text: bytes) -> Head:
        """The request with the attempt's token on it."""
        name = user_name(text)
        if name is None:
            raise Stranger(ASKED)
        token = self._find(name)
        if token is None:
            raise Refused(f"no attempt called {name!r} is open: open one with POST /attempts at the model's address")
        if head.is_tunnel:
            raise Refused(f"the town is served without TLS: go to http://{head.host}/")
        first, *others = head.forward.split(b"\r\n")
        kept = [line for line in others if not line.lower().startswith(f"{HEADER}:".encode())]
        return replace(head, forward=b"\r\n".join([first, f"{HEADER}: {token}".encode(), *kept]))


def user_name(text: bytes) -> str | None:
    """The user's name that a request's head gives to the proxy, if it does.

    >>> user_name(b"GET / HTTP/1.1\\r\\nProxy-Authorization: Basic d29ya2VyLTE6eA==")
    'worker-1'
    """
    for line in text.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"proxy-authorization":
            scheme, _, given = value.strip().partition(b" ")
            if scheme.lower() == b"basic":
                return _decoded(given).partition(":")[0] or None
    return None


def _decoded(given: bytes) -> str:
    try:
        return base64.b64decode(given, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return ""
