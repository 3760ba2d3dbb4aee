"""`--reach`: hosts of one's own that a browser may reach beside the public web, and a word where one was missing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import TYPE_CHECKING

from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.core.trajectory import Notice, Trajectory

_PORTS = {"http": 80, "https": 443}


def add_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--reach",
        action="append",
        metavar="HOST:PORT",
        help="a host of your own, as *.town.localhost:8400, or where it is served, as shop.localhost=127.0.0.1:3000",
    )


def hosts(given: list[str] | None) -> dict[str, str]:
    """What was given with `--reach`, as a policy takes it. A name that is served elsewhere, on this machine say, stands
    for its address with and without the port it is served at: http://localhost/ as well as http://localhost:3000/."""
    told = dict(map(_host, given or ()))
    found = dict(told)
    for host, place in told.items():
        served = place.rpartition(":")[2]
        name = host.removesuffix(f":{served}")
        if place != host and ":" not in name and served.isdecimal():
            found.setdefault(name, place)
            found.setdefault(f"{name}:{served}", place)
    return found


def _host(text: str) -> tuple[str, str]:
    given, equals, place = text.partition("=")
    host = _netloc(given)
    place = place if equals else _itself(host)
    _, colon, port = host.rpartition(":")
    if not host or not place or (colon and not port.isdecimal()):
        raise BadInput(
            f"--reach takes HOST:PORT, such as localhost:3000, or HOST=ADDRESS:PORT, such as "
            f"shop.localhost=127.0.0.1:3000, not {text!r}"
        )
    return host, place


def _netloc(given: str) -> str:
    """The host of an address, which may be written whole: `http://shop.localhost:3000/` is `shop.localhost:3000`."""
    scheme, _, rest = given.rpartition("://")
    host = rest.partition("/")[0]
    return f"{host}:{_PORTS[scheme]}" if scheme in _PORTS and host and ":" not in host else host


def _itself(host: str) -> str:
    """Where a host with a port is served when that is not said: names under `localhost` are this machine."""
    name, _, port = host.rpartition(":")
    if name == "localhost" or name.endswith(".localhost"):
        return f"127.0.0.1:{port}"
    return "" if not name or name.startswith("*") else host


def notices(trajectory: Trajectory) -> list[Notice]:
    """Everything that happened besides the actions."""
    return [*(notice for step in trajectory.steps for notice in step.notices), *trajectory.notices]


def remedies(told: Iterable[Notice]) -> list[str]:
    """How to reach the hosts that were refused because they are not on the public internet, a line for each."""
    return list(dict.fromkeys(_remedies(told)))


def _remedies(told: Iterable[Notice]) -> Iterable[str]:
    for notice in told:
        target, _, reason = notice.text.partition(": ")
        if notice.kind == "refused" and ("public internet" in reason or "this machine" in reason):
            yield f"{target} was refused; if it is your own, let it be reached with --reach {target}={_place(target)}"


def _place(target: str) -> str:
    """The address to be given: a name is known by the user only."""
    host, _, port = target.rpartition(":")
    return target if host.replace(".", "").isdigit() else f"127.0.0.1:{port}" if host == "localhost" else "ADDRESS:PORT"
