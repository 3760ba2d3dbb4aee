"""Editions: the pinned ones that everybody has, and private ones, whose seed only their owner knows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.town.world import World, edition

SHORTEST = 16
"""How many characters a secret seed has at least."""
FROZEN = Path(__file__).parent / "frozen"


class PrivateEdition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A town that nobody can prepare for, as its file says: how it is called, a secret seed, its date, which share of
    every category's templates it draws from, and how many tasks of which categories (all, where nothing is said)."""

    name: str
    seed: str
    today: date
    share: float = 1.0
    counts: dict[str, int] = {}

    @property
    def world(self) -> World:
        return World(self.seed, self.today)


class Digests(msgspec.Struct, frozen=True):
    """What two people compare to know that they have the same edition. `keys` tells nothing about a key, so that it can
    be published before an edition is used, and checked by whoever is shown the keys afterwards."""

    tasks: str
    keys: str
    pages: str = ""
    world: str = ""
    static: str = ""


def read_edition(path: Path) -> PrivateEdition:
    """The edition that a file describes."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=PrivateEdition)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}): name a file that describes an edition") from error
    except msgspec.DecodeError as error:
        raise BadInput(
            f"{path} describes no edition ({error}): write JSON with a name, a secret seed, today and, if you like, "
            "share and counts"
        ) from error
    if len(found.seed) < SHORTEST:
        raise BadInput(f"the seed of {path} is too easily guessed: give it at least {SHORTEST} characters")
    if not 0 < found.share <= 1:
        raise BadInput(f"the share of {path} must be above 0 and at most 1, not {found.share:g}")
    return found


def world_of(name: str, today: str | None = None, private: PrivateEdition | None = None) -> World:
    """The world of a benchmark's name, or of a private edition."""
    if private is None:
        return edition(name, today)
    if today is not None:
        raise BadInput(f"the edition {private.name} has a date of its own: leave --today out, or change its file")
    return private.world


def digest_of(parts: Iterable[bytes]) -> str:
    """One digest of many parts in their order."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def digest_tasks(tasks: Iterable[Task]) -> str:
    return digest_of(msgspec.json.encode(task) for task in tasks)


def digest_keys(keys: Iterable[Key]) -> str:
    return digest_of(msgspec.json.encode(key) for key in keys)


def frozen(name: str) -> Digests | None:
    """The digests that a pinned edition was frozen with; None where it has not been yet."""
    path = FROZEN / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=Digests) if path.is_file() else None
