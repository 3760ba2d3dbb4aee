"""Hosts of one's own, as they are given with `--reach`."""

from __future__ import annotations

import pytest

from workalike.cli.reaching import hosts
from workalike.core.errors import BadInput
from workalike.env.policy.reach import Policy


@pytest.mark.parametrize(
    ("given", "host", "port", "place"),
    [
        ("shop.localhost=127.0.0.1:3000", "shop.localhost", 80, ("127.0.0.1", 3000)),
        ("shop.localhost:3000=127.0.0.1:3001", "shop.localhost", 3000, ("127.0.0.1", 3001)),
        ("*.town.localhost:8400", "marlow.town.localhost", 8400, ("127.0.0.1", 8400)),
        ("http://search.town.localhost:8400/", "search.town.localhost", 8400, ("127.0.0.1", 8400)),
        ("http://shop.localhost=127.0.0.1:3000", "shop.localhost", 80, ("127.0.0.1", 3000)),
        ("https://shop.localhost=127.0.0.1:3000", "shop.localhost", 443, ("127.0.0.1", 3000)),
        ("localhost:3000", "localhost", 3000, ("127.0.0.1", 3000)),
        ("192.168.1.5:3000", "192.168.1.5", 3000, ("192.168.1.5", 3000)),
        ("shop.lan:3000", "shop.lan", 3000, ("shop.lan", 3000)),
    ],
)
def test_a_host_is_given_as_it_is_printed(given: str, host: str, port: int, place: tuple[str, int]) -> None:
    policy = Policy(hosts=hosts([given]))
    assert policy.own(host, port) == place
    assert policy.own(host, port + 1) is None


@pytest.mark.parametrize("given", ["*.town.localhost:8400", "*.town.localhost=127.0.0.1:8400"])
def test_a_host_stands_for_its_address_with_and_without_the_port(given: str) -> None:
    policy = Policy(hosts=hosts([given]))
    assert policy.own("kestrel.town.localhost", 80) == policy.own("kestrel.town.localhost", 8400) == ("127.0.0.1", 8400)


def test_what_was_given_goes_before_what_follows_from_it() -> None:
    policy = Policy(hosts=hosts(["*.localhost:3000", "shop.localhost=127.0.0.1:3001"]))
    assert policy.own("shop.localhost", 80) == ("127.0.0.1", 3001)
    assert policy.own("shop.localhost", 3000) == ("127.0.0.1", 3000)


def test_another_machine_may_serve_something_else_without_the_port() -> None:
    assert Policy(hosts=hosts(["shop.lan:3000"])).own("shop.lan", 80) is None


@pytest.mark.parametrize(
    "given",
    ["nowhere", "*.lan:3000", "=127.0.0.1:3000", "shop.localhost=", "http://", ":3000", "shop:http=127.0.0.1:3000"],
)
def test_what_says_too_little_is_refused(given: str) -> None:
    with pytest.raises(BadInput, match="--reach takes HOST:PORT"):
        hosts([given])
