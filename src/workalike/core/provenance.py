"""Where a thing came from: enough to make it again, and nothing private."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from workalike import __version__


class Provenance(msgspec.Struct, frozen=True, omit_defaults=True):
    """What made something, when, with which settings, from which inputs. `prompts` and `inputs` map names to hashes."""

    by: str
    version: str = __version__
    time: str | None = None
    model: str | None = None
    settings: dict[str, Any] = {}
    prompts: dict[str, str] = {}
    inputs: dict[str, str] = {}


def fingerprint(value: Any) -> str:
    """A hash of any value of ours that does not depend on the order of keys.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
