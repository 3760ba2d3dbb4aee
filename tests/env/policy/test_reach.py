"""What may be reached is decided by name first, then by every address a name resolves to."""

from __future__ import annotations

import ipaddress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.errors import BadInput, Refused
from workalike.env.policy.reach import Policy, is_document, is_public, matches

TOWN = Policy(hosts={"*.town.localhost": "127.0.0.1:8080", "api.local:9000": "[::1]:90"})


def test_own_hosts_are_served_where_the_policy_says() -> None:
    assert TOWN.own("shop.town.localhost", 80) == ("127.0.0.1", 8080)
    assert TOWN.own("SHOP.town.localhost.", 80) == ("127.0.0.1", 8080)
    assert TOWN.own("town.localhost", 80) == ("127.0.0.1", 8080)
    assert TOWN.own("api.local", 9000) == ("::1", 90)
    for host, port in (("shop.town.localhost", 443), ("nottown.localhost", 80), ("api.local", 80)):
        assert TOWN.own(host, port) is None


def test_without_the_public_web_nothing_else_passes() -> None:
    with pytest.raises(Refused, match="none of the hosts"):
        TOWN.check_host("example.com", 443)
    Policy(public=True).check_host("example.com", 443)


def test_lists_of_the_user() -> None:
    policy = Policy(public=True, allow=("*.example.com",), block=("bad.example.com",))
    policy.check_host("www.example.com", 443)
    for host in ("example.org", "bad.example.com", "BAD.example.com."):
        with pytest.raises(Refused):
            policy.check_host(host, 443)


PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "168.63.129.16", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::", "192.0.2.1",
    "198.18.0.1", "2001:db8::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(Refused, match="not on the public internet"):
        Policy(public=True).check_addresses("x.example", ["93.184.216.34", address])


# Ranges of IPv6 that are not the public internet, or carry an IPv4 address inside and are what that one is.
RANGES = [
    ("fec0::1", False), ("feff::1", False), ("64:ff9b:1::808:808", False), ("3fff::1", False), ("4000::1", False),
    ("100::1", False), ("5f00::1", False),
    ("::10.0.0.1", False), ("::127.0.0.1", False), ("::8.8.8.8", True),
    ("::ffff:0:10.0.0.1", False), ("::ffff:0:169.254.169.254", False), ("::ffff:0:8.8.8.8", True),
    ("::ffff:192.168.0.1", False), ("::ffff:8.8.8.8", True),
    ("64:ff9b::10.0.0.1", False), ("64:ff9b::169.254.169.254", False), ("64:ff9b::8.8.8.8", True),
    ("2002:c0a8:1::1", False), ("2002:a9fe:a9fe::1", False), ("2002:808:808::1", True),
    # Teredo: the server's address, and the client's with every bit turned
    ("2001:0:808:808::f5ff:fffe", False), ("2001:0:a00:1::f7f7:f7f7", False), ("2001:0:808:808::f7f7:f7f7", True),
]  # fmt: skip


@pytest.mark.parametrize(("address", "public"), RANGES)
def test_ranges_of_ipv6(address: str, public: bool) -> None:
    assert is_public(address) == public


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001:81b::200e"]
)
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_changes_nothing(address: ipaddress.IPv4Address) -> None:
    assert is_public(f"::ffff:{address}") == is_public(str(address))
    for prefix in ("64:ff9b::", "::", "::ffff:0:0:0"):
        wrapped = int(ipaddress.IPv6Address(prefix)) | int(address)
        assert is_public(str(ipaddress.IPv6Address(wrapped))) == is_public(str(address))


SHOWN = ("http://a/", "HTTPS://a/", "about:blank", "about:blank#x", "about:srcdoc", "")
NOT_SHOWN = (
    *("about:version", "file:///a", "data:text/html,a", "blob:http://a/b", "javascript:1", "chrome://gpu"),
    *("view-source:http://a/", "filesystem:http://a/b", "ftp://a/", "intent://a"),
)


@pytest.mark.parametrize(("url", "allowed"), [*((url, True) for url in SHOWN), *((url, False) for url in NOT_SHOWN)])
def test_which_documents_are_shown(url: str, allowed: bool) -> None:
    assert is_document(url) == allowed


def test_patterns() -> None:
    assert matches("anything", "*")
    assert not matches("evil-example.com", "*.example.com")
    assert not matches("example.com.evil", "example.com")


@pytest.mark.parametrize("place", ["127.0.0.1", "nowhere", "127.0.0.1:x", ":80", "127.0.0.1:99999"])
def test_a_place_that_is_none_is_told_at_once(place: str) -> None:
    with pytest.raises(BadInput, match=r"write an address and a port"):
        Policy(hosts={"a.local": place})


def test_the_guard_is_for_live_sites() -> None:
    assert [policy.guards for policy in (TOWN, Policy(public=True), Policy(public=True, guard=False))] == [
        False,
        True,
        False,
    ]


def test_a_policy_survives_being_written_down() -> None:
    policy = Policy(hosts={"a.local": "127.0.0.1:1"}, public=True, block=("x",))
    assert msgspec.json.decode(msgspec.json.encode(policy), type=Policy) == policy
