"""Irreversible steps on live sites: which requests are stopped, and what the agent is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from workalike.core.errors import BadInput, Refused
from workalike.core.trajectory import ActionResult
from workalike.env.policy.reach import Policy

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
Confirm = Callable[[str], bool]
"""The user, asked whether an irreversible step may be taken; raises `Refused` where nobody is there to ask."""


class Unconfirmed(Refused):
    """Nobody was there to confirm an irreversible step. `taken` is the action as it may be written down."""

    def __init__(self, sentence: str, taken: ActionResult) -> None:
        super().__init__(sentence)
        self.taken = taken


class Guard:
    """Judges requests by the policy's list of irreversible steps (regular expressions on path and query). Hosts of
    one's own are no live sites: to them everything passes. Where it `holds` them, a request waits until the user has
    been asked; with `leave` everything passes."""

    def __init__(self, policy: Policy, holds: bool = False) -> None:
        self.holds, self.leave = holds, False
        self.patterns, self.own, self._policy = policy.irreversible, policy.unguarded, policy
        self._patterns = [_compiled(pattern) for pattern in policy.irreversible]

    def problem(self, method: str, url: str, is_document: bool) -> str | None:
        """Why a request is stopped, or None. What only reads data in the background passes."""
        if self.leave or (not is_document and method not in _CHANGING):
            return None
        parts = urlsplit(url)
        if self._policy.is_unguarded(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)):
            return None
        place = f"{parts.path}?{parts.query}" if parts.query else parts.path
        for pattern in self._patterns:
            if pattern.search(place):
                return f"{parts.netloc}{parts.path} looks like an irreversible step, which on live sites is the user's"
        return None


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise BadInput(f"the pattern {pattern!r} of irreversible steps is no regular expression: {error}") from error
