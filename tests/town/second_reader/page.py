"""Pages as somebody reads them who knows nothing of how they were made: over HTTP, from their HTML alone."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

VOID = ("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")


class Node:
    """An element with its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Node | None = None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.inside: list[Node | str] = []

    @property
    def text(self) -> str:
        """All the words in it, in one line."""
        parts = [part if isinstance(part, str) else part.text for part in self.inside]
        return " ".join(" ".join(parts).split())

    def every(self, selector: str) -> list[Node]:
        """All elements below that a selector fits: `tag`, `.class` or `tag.class`, one after another for nesting."""
        first, _, rest = selector.partition(" ")
        found = [node for node in self._below() if node.fits(first)]
        return [inner for node in found for inner in node.every(rest)] if rest else found

    def one(self, selector: str) -> Node:
        found = self.every(selector)
        assert found, f"there is no {selector} in {self.text[:200]!r}"
        return found[0]

    def fits(self, selector: str) -> bool:
        tag, _, name = selector.partition(".")
        return (not tag or tag == self.tag) and (not name or name in self.attributes.get("class", "").split())

    def _below(self) -> Iterator[Node]:
        for part in self.inside:
            if isinstance(part, Node):
                yield part
                yield from part._below()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Node("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.inside.append(node)
        if tag not in VOID:
            self.here = node

    def handle_endtag(self, tag: str) -> None:
        node: Node | None = self.here
        while node is not None and node.tag != tag:
            node = node.parent
        if node is not None and node.parent is not None:
            self.here = node.parent

    def handle_data(self, data: str) -> None:
        self.here.inside.append(data)


class Visitor:
    """Somebody who looks around on the sites, with a cookie like anybody else."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""

    def get(self, site: str, path: str, **query: object) -> Node:
        return self._ask(site, "GET", path + ("?" + urlencode(query, doseq=True) if query else ""))

    def post(self, site: str, path: str, form: Mapping[str, str | list[str]]) -> Node:
        return self._ask(site, "POST", path, urlencode(form, doseq=True))

    def json(self, site: str, path: str, **query: object) -> str:
        return self._ask(site, "GET", path + "?" + urlencode(query)).text

    def _ask(self, site: str, method: str, path: str, body: str = "") -> Node:
        for _ in range(6):
            connection = http.client.HTTPConnection("127.0.0.1", self._port)
            headers = {"Host": f"{site}.town.localhost", "Cookie": self._cookie, "Accept": "text/html"}
            headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            connection.request(method, path, body or None, headers)
            reply = connection.getresponse()
            text = reply.read().decode()
            connection.close()
            given = reply.headers.get("Set-Cookie")
            self._cookie = given.partition(";")[0] if given else self._cookie
            if reply.status not in (302, 303):
                break
            where = urlsplit(reply.headers["Location"])
            method, body, path = "GET", "", where.path + (f"?{where.query}" if where.query else "")
        builder = _Builder()
        builder.feed(text)
        return builder.root
