"""A question to a person, on disk: a folder of its own, in which the reply is awaited.

question.md          what is asked, with its pictures beside it (1.png, 2.jpg, …); written last, so never there in part
reply.md  done       the reply, and the empty file that says it is whole
withdrawn.md         the page under this name: nobody waits for its reply any more
lock                 in the folder of all questions: who asks there

A page without `done` beside it is one that waits. Whoever may read the folder sees what an agent saw, so all of it is
made for its user alone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path

from workalike.store.files import PRIVATE_FOLDER, disk_errors, make_folder, write_file
from workalike.store.locks import Lock

PAGE, REPLY, DONE, WITHDRAWN, LOCK = "question.md", "reply.md", "done", "withdrawn.md", "lock"
EVERY_SECONDS = 0.2
"""How often it is looked whether a reply is there: no event tells of a file on every system and every disk."""


class Questions:
    """The folder of all questions of a run. One process asks there at a time; what a killed one left unanswered is
    withdrawn by the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: Lock | None = None

    def begin(self, topic: str, name: str) -> Question:
        """A new question: what it is about (a path), and its name there, with a number where that is taken."""
        parent = self._open() / topic
        with disk_errors(parent):
            _make_private(parent)
            for number in count(1):
                place = parent / (name if number == 1 else f"{name}-{number}")
                try:
                    place.mkdir(PRIVATE_FOLDER)
                    return Question(place)
                except FileExistsError:
                    continue
        raise AssertionError("some number is free")

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _open(self) -> Path:
        if self._lock is None:
            with disk_errors(self.folder):
                _make_private(self.folder)
            self._lock = Lock(self.folder / LOCK, "asking by hand", self.folder)
            for left in list(waiting(self.folder)):
                left.withdraw()
        return self.folder


class Question:
    """One question, from its page to its reply."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def page(self) -> Path:
        return self.folder / PAGE

    def ask(self, page: str, pictures: Mapping[str, bytes]) -> None:
        """Put the question: the pictures, then the page that shows them."""
        for name, data in pictures.items():
            write_file(self.folder / name, data, private=True)
        write_file(self.page, page.encode("utf-8", "replace"), private=True)

    async def reply(self, tell: Callable[[str], None]) -> bytes:
        """What was replied, once it is said to be whole. Whoever gives up waiting withdraws the question."""
        told = False
        try:
            while True:
                if (self.folder / DONE).exists():
                    try:
                        return (self.folder / REPLY).read_bytes()
                    except OSError as error:
                        if not told:
                            tell(f"{self.folder / REPLY} cannot be read ({error.strerror}), though {DONE} is there")
                        told = True
                await asyncio.sleep(EVERY_SECONDS)
        except BaseException:
            self.withdraw()
            raise

    def change(self, change: Callable[[str], str]) -> None:
        """Write the words of the question and of its reply anew."""
        for path in (self.page, self.folder / REPLY):
            text = path.read_text("utf-8", "replace") if path.is_file() else ""
            if change(text) != text:
                write_file(path, change(text).encode("utf-8", "replace"), private=True)

    def withdraw(self) -> None:
        with suppress(OSError):  # the page is gone: so is the question
            os.replace(self.page, self.folder / WITHDRAWN)


def waiting(folder: Path) -> Iterator[Question]:
    """The questions below a folder that wait for a reply."""
    for page in sorted(folder.rglob(PAGE)):
        if not (page.parent / DONE).exists():
            yield Question(page.parent)


def is_questions(folder: Path) -> bool:
    """Whether a folder is one of questions: somebody asks there, or has asked."""
    return (folder / LOCK).is_file() and next(folder.rglob(PAGE), next(folder.rglob(WITHDRAWN), None)) is not None


def _make_private(folder: Path) -> None:
    """Make a folder that only its user may enter, below whatever is there."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir():
        _make_private(folder.parent)
    if folder.exists():
        make_folder(folder)  # says that there is a file in its place
    folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
