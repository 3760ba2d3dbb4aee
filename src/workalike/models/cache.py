"""Replies by request *and* by draw, so that repeats, tries, votes and re-asks stay independent of each other."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput, DiskFailed
from workalike.core.provenance import fingerprint
from workalike.models.messages import Message, Reply, Request, SampleKey
from workalike.models.names import Endpoint
from workalike.store.files import PRIVATE_FILE, make_folder


def cache_key(endpoint: Endpoint, request: Request, referred: tuple[Message, ...], draw: SampleKey) -> str:
    """What a reply is kept under. `referred` are the request's messages with their pictures by reference."""
    asked = (endpoint.api, endpoint.url, endpoint.name, referred, request.tools, request.sampling, request.schema, draw)
    return fingerprint(asked)


class Cache:
    """A file of replies. Several processes may use it; a crash loses at most the reply being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            make_folder(path.parent, private=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
            self._file = sqlite3.connect(path, timeout=30.0, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA secure_delete=ON")
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply BLOB NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise BadInput(f"{path} cannot serve as a cache of replies ({error}): delete it or name another") from error

    def get(self, key: str) -> Reply | None:
        row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            return msgspec.json.decode(row[0], type=Reply)
        except msgspec.MsgspecError:
            return None

    def put(self, key: str, reply: Reply) -> None:
        try:
            self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, msgspec.json.encode(reply)))
        except sqlite3.Error as error:
            raise DiskFailed(f"cannot write {self._path}: {error}; free some space and start again") from error

    def drop(self, key: str) -> None:
        """Forget a reply for good."""
        self._file.execute("DELETE FROM replies WHERE key = ?", (key,))
        self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._file.close()
