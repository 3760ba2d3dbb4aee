"""A request's head in the form browsers send to a proxy: where it goes, what is passed on, how long its body is."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import msgspec

# A target as browsers write it; what reads addresses would drop tabs and the like, and pass on another one.
_REQUEST = re.compile(r"([!-~]+) ([!-~]+) (HTTP/1\.[01])")
_STRAY = re.compile(rb"[\r\n\0]")
_HOP = (b"proxy-connection:", b"proxy-authorization:")


class Head(msgspec.Struct, frozen=True):
    """A request's first lines as far as a proxy must understand them."""

    method: str
    host: str
    port: int
    forward: bytes
    body: int
    endless: bool

    @property
    def is_tunnel(self) -> bool:
        return self.method == "CONNECT"


def parse_head(text: bytes) -> Head:
    """Read a request's head in the form browsers send to a proxy; raises `ValueError` with what is wrong with it."""
    lines = text.split(b"\r\n")
    asked = _REQUEST.fullmatch(lines[0].decode("latin-1"))
    if asked is None or any(map(_STRAY.search, lines)):
        raise ValueError("The request line is not one, or a header has characters that none may have.")
    method, target, version = asked.groups()
    if method == "CONNECT":
        place = urlsplit(f"//{target}")
        if not place.hostname or not place.port:
            raise ValueError("A tunnel needs a host and a port.")
        return Head(method, place.hostname, place.port, b"", 0, False)
    url = urlsplit(target)
    if url.scheme not in ("http", "ws") or not url.hostname:
        raise ValueError("A proxy takes whole http: addresses only.")
    path = target.partition("://")[2][len(url.netloc) :]
    path = path if path.startswith("/") else f"/{path}"
    kept = [line for line in lines[1:] if not line.lower().startswith(_HOP)]
    forward = b"\r\n".join([f"{method} {path} {version}".encode("latin-1"), *kept]) + b"\r\n\r\n"
    length, endless = _framing(kept)
    return Head(method, url.hostname, url.port or 80, forward, length, endless)


def _framing(lines: list[bytes]) -> tuple[int, bool]:
    """How long the body is; `endless` where everything that follows on this connection belongs to this request."""
    lengths: set[bytes] = set()
    endless = False
    for line in lines:
        name, _, value = line.partition(b":")
        match name.strip().lower():
            case b"content-length":
                lengths.add(value.strip())
            case b"transfer-encoding" | b"upgrade":
                endless = True
    if len(lengths) > 1 or not all(length.isdigit() for length in lengths):
        raise ValueError("The length of the body is not one number.")
    return (0 if endless else int(next(iter(lengths), b"0"))), endless
