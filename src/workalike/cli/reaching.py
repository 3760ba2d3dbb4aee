"""`--reach`: hosts of one's own that a browser may reach beside the public web, and a word where one was missing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import TYPE_CHECKING

from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.core.trajectory import Notice, Trajectory


def add_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--reach", action="append", metavar="HOST=ADDRESS", help="a host of your own: where it is served"
    )


def hosts(given: list[str] | None) -> dict[str, str]:
    """What was given with `--reach`, as a policy takes it."""
    return dict(map(_host, given or ()))


def _host(text: str) -> tuple[str, str]:
    host, equals, place = text.partition("=")
    if not equals or not host or not place:
        raise BadInput(f"--reach takes HOST=ADDRESS:PORT, such as shop.localhost=127.0.0.1:3000, not {text!r}")
    return host, place


def remedies(trajectory: Trajectory) -> list[str]:
    """How to reach the hosts that were refused because they are not on the public internet, a line for each."""
    notices = [notice for step in trajectory.steps for notice in step.notices]
    return list(dict.fromkeys(_remedies([*notices, *trajectory.notices])))


def _remedies(notices: Iterable[Notice]) -> Iterable[str]:
    for notice in notices:
        target, _, reason = notice.text.partition(": ")
        if notice.kind == "refused" and ("public internet" in reason or "this machine" in reason):
            yield f"{target} was refused; if it is your own, let it be reached with --reach {target}={_place(target)}"


def _place(target: str) -> str:
    """The address to be given: a name is known by the user only."""
    host, _, port = target.rpartition(":")
    return target if host.replace(".", "").isdigit() else f"127.0.0.1:{port}" if host == "localhost" else "ADDRESS:PORT"
