"""A process that asks by hand, for tests that play the model."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from workalike.models.questions import Question, waiting


class Asking:
    """A real process that asks by hand, and what it says."""

    def __init__(self, words: list[str], questions: Path, said: Path) -> None:
        self.questions, self._out, self._err = questions, said.with_suffix(".out"), said.with_suffix(".err")
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workalike.cli", *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )

    @property
    def said(self) -> str:
        """On standard error: which questions wait, among others."""
        return self._err.read_text()

    def asked(self, number: int = 1) -> list[Question]:
        """The questions that wait, once there are so many of them."""
        while self.process.poll() is None:
            found = list(waiting(self.questions)) if self.questions.is_dir() else []
            told = [each for each in found if str(each.page) in self.said]  # what a killed process left was told by it
            if len(told) == number:
                return told
            time.sleep(0.02)
        raise AssertionError(f"it ended before it asked: {self.said}")

    def page(self) -> tuple[str, str]:
        """The address of the page that it serves, and the key of its questions there."""
        told = next(word for word in self.said.split() if word.startswith("http://")).rstrip(",")
        address, _, key = told.partition("/#/questions/")
        return address, key

    def finished(self, code: int = 0) -> str:
        """What it says in the end."""
        assert self.process.wait(120) == code, self.said
        return self._out.read_text()


@contextmanager
def asking(words: list[str], questions: Path, said: Path) -> Iterator[Asking]:
    """Such a process, for as long as it is needed; what it says goes into files of this name."""
    made = Asking(words, questions, said)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()


def got(url: str, data: bytes | None = None) -> tuple[int, bytes]:
    """What a page of ours replies."""
    try:
        with urllib.request.urlopen(url, data) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, b""


def reply_at(page: tuple[str, str], question: Question, questions: Path, text: str) -> None:
    """As the page in a browser does."""
    address, key = page
    place = quote(question.folder.relative_to(questions).as_posix(), safe="")
    assert got(f"{address}/api/reply/{key}?place={place}", text.encode())[0] == 204


def reply(question: Question, text: str) -> None:
    """As a slow hand would: a part, the rest, and then that it is whole."""
    half = len(text) // 2
    with (question.folder / "reply.md").open("w") as file:
        file.write(text[:half])
        file.flush()
        file.write(text[half:])
    (question.folder / "done").touch()
