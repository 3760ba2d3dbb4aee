"""What an attempt may reach, decided before it starts. Pure decisions; `proxy` enforces them on every connection."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import cached_property
from urllib.parse import urlsplit

import msgspec

from workalike.core.contracts import Reach
from workalike.core.errors import BadInput, Refused

IRREVERSIBLE = (
    r"/(place|submit|confirm|complete|finali[sz]e)[-_/]?(order|purchase|payment|booking|reservation)",
    r"/(order|checkout|purchase|payment|booking|reservation)s?/(place|submit|confirm|complete|pay|process|finali[sz]e)",
    r"/(delete|close|deactivate|cancel)[-_/]?(my[-_]?)?(account|subscription|membership|profile)",
    r"/(unsubscribe|wire[-_]?transfer|send[-_]?money|donate/(submit|confirm|complete))",
)
DOCUMENTS = ("http:", "https:")
EMPTY_PAGES = ("about:blank", "about:srcdoc")
_METADATA = {ipaddress.ip_address(text) for text in ("168.63.129.16", "169.254.169.254", "fd00:ec2::254")}
# All there is of the public internet in IPv6; what is not set aside in it is not public elsewhere either.
_UNICAST = ipaddress.IPv6Network("2000::/3")
_DOCUMENTATION = ipaddress.IPv6Network("3fff::/20")
# Addresses whose last 32 bits are those of another: compatible, mapped, translated (SIIT), and behind NAT64.
_CARRYING = [ipaddress.IPv6Network(text) for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")]
_WEB_PORTS = {80: "http", 443: "https"}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Policy(Reach, frozen=True, omit_defaults=True, dict=True):
    """What may be reached, and the decisions that follow from it.

    >>> town = Policy(hosts={"*.town.localhost": "127.0.0.1:8080"})
    >>> town.own("shop.town.localhost", 80)
    ('127.0.0.1', 8080)
    """

    irreversible: tuple[str, ...] = IRREVERSIBLE

    @classmethod
    def of(cls, reach: Reach) -> Policy:
        """The decisions on what a sandbox says may be reached."""
        return reach if isinstance(reach, Policy) else cls(**msgspec.structs.asdict(reach))

    def __post_init__(self) -> None:
        for pattern, place in self.hosts.items():
            _split_place(pattern, place)

    @cached_property
    def _places(self) -> dict[str, tuple[str, int]]:
        return {pattern: _split_place(pattern, place) for pattern, place in self.hosts.items()}

    @property
    def guards(self) -> bool:
        """Whether irreversible steps are stopped: only on live sites, a benchmark's own can be reset."""
        return self.public and self.guard

    def own(self, host: str, port: int) -> tuple[str, int] | None:
        """Where one of the benchmark's own hosts is really served. A pattern without a port stands for port 80."""
        pattern = self._pattern(host, port)
        return None if pattern is None else self._places[pattern]

    @cached_property
    def unguarded(self) -> tuple[str, ...]:
        """The patterns of hosts of one's own, where nothing is irreversible."""
        return tuple(each for each in self.hosts if not any(matches(each.split(":")[0], name) for name in self.live))

    def is_unguarded(self, host: str, port: int) -> bool:
        """Whether a host is no live site but one's own."""
        return self._pattern(host, port) in self.unguarded

    def _pattern(self, host: str, port: int) -> str | None:
        for pattern in self._places:
            name, _, wanted = pattern.partition(":")
            if port == int(wanted or 80) and matches(host, name):
                return pattern
        return None

    def check_host(self, host: str, port: int) -> None:
        """Refuse a host by its name; one that passes must still pass by its address."""
        if any(matches(host, pattern) for pattern in self.block):
            raise Refused(f"{host} is on the list of blocked hosts")
        if not self.public:
            raise Refused(f"{_shown(host, port)} is none of the hosts this attempt may reach")
        if self.allow and not any(matches(host, pattern) for pattern in self.allow):
            raise Refused(f"{host} is not on the list of allowed hosts")

    def check_addresses(self, host: str, addresses: Iterable[str]) -> None:
        """Refuse a host when any address it resolves to is not on the public internet."""
        for text in addresses:
            if not is_public(text):
                raise Refused(f"{host} is at {text}, which is not on the public internet")

    def check_document(self, url: str) -> None:
        """Refuse a document that no server of the web serves: `file:`, `chrome:`, `data:`, `blob:`, …"""
        if not is_document(url):
            raise Refused(f"addresses that begin with {url.partition(':')[0]}: are not opened, only http: and https:")


def matches(host: str, pattern: str) -> bool:
    """Whether a host name fits a pattern.

    >>> matches("a.b.example", "*.b.example"), matches("b.example", "*.b.example"), matches("x", "*")
    (True, True, True)
    """
    host, pattern = host.lower().rstrip("."), pattern.lower().rstrip(".")
    if pattern == "*":
        return True
    if pattern.startswith("*."):
        return host == pattern[2:] or host.endswith(pattern[1:])
    return host == pattern


def target_of(url: str) -> str:
    """Host and port of an address, as a refusal names them.

    >>> target_of("http://shop.example/cart"), target_of("https://[::1]/")
    ('shop.example:80', '[::1]:443')
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{f'[{host}]' if ':' in host else host}:{parts.port or (80 if parts.scheme == 'http' else 443)}"


def is_document(url: str) -> bool:
    """Whether a page or frame may show this address."""
    return url.lower().startswith(DOCUMENTS) or url.split("#")[0].split("?")[0] in EMPTY_PAGES or not url


def is_public(text: str) -> bool:
    """Whether an address is on the public internet; addresses that carry others inside are judged by these."""
    return all(map(_is_public, _inner(ipaddress.ip_address(text.partition("%")[0]))))


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and (address not in _UNICAST or address in _DOCUMENTATION):
        return False
    return address.is_global and not address.is_multicast and address not in _METADATA


def _inner(address: Address) -> tuple[Address, ...]:
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if any(address in network for network in _CARRYING):
        return (ipaddress.IPv4Address(int(address) & 0xFFFFFFFF),)
    if address.sixtofour:
        return (address.sixtofour,)
    return address.teredo or (address,)


def _split_place(pattern: str, place: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{place}")
        if parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise BadInput(f"the host {pattern!r} is to be served at {place!r}: write an address and a port, as 127.0.0.1:8080")


def _shown(host: str, port: int) -> str:
    return host if port in _WEB_PORTS else f"{host}:{port}"
