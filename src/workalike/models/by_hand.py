"""A model by hand: questions are written as files, answers are read from files. Just another client.

A question is `KEY.md` (what was asked, in order) with its pictures beside it as `KEY-1.png`, …; its answer is `KEY.md`
or `KEY.txt` in the folder of answers: words, or calls in JSON where tools are offered. The key is that of the request
and its draw, so the order of asking does not matter, and a run over answers given so far writes out what they led to.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.observation import extension
from workalike.core.trajectory import Usage
from workalike.models.cache import cache_key
from workalike.models.calls_by_hand import described, read_answer
from workalike.models.fences import Fence
from workalike.models.interface import Model, Unanswered
from workalike.models.keys import Keys
from workalike.models.messages import (
    Draw,
    Message,
    Part,
    Picture,
    Reply,
    Request,
    Sampling,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Untrusted,
    by_reference,
)
from workalike.models.names import Api, Endpoint
from workalike.store.files import write_file

_NOWHERE = Endpoint("by hand", "by hand", "chat", "", "")


class ByHand:
    """Reads answers from one folder and writes unanswered questions to another; either may be left out."""

    def __init__(self, questions: Path | None = None, answers: Path | None = None, keys: Keys | None = None) -> None:
        if answers is not None and not answers.is_dir():
            raise BadInput(f"there is no folder {answers} to read answers from")
        self.name, self.usage = "by hand", Usage()
        self._questions, self._answers, self._keys = questions, answers, keys or Keys.load()
        self.asked = 0

    async def reply(self, request: Request, draw: Draw = Draw()) -> Reply:
        key = cache_key(_NOWHERE, request, tuple(map(by_reference, request.messages)), draw)[:16]
        answer = self._answer(key)
        if answer is not None:
            return read_answer(answer, request, key)
        self.asked += 1
        if self._questions is None:
            raise Unanswered(f"{self._answers} holds no answer {key}.md")
        path = write_question(self._questions, key, request, draw, self._keys)
        raise Unanswered(f"the question is in {path}; answer it in a file of the same name in a folder for --answers")

    async def close(self) -> None:
        pass

    def _answer(self, key: str) -> str | None:
        for ending in (".md", ".txt"):
            path = self._answers / f"{key}{ending}" if self._answers else None
            if path is not None and path.is_file():
                return path.read_text("utf-8").strip()
        return None


class Hands:
    """Opens the model by hand, whichever is asked for."""

    def __init__(self, questions: Path | None = None, answers: Path | None = None) -> None:
        self.model, self.usage = ByHand(questions, answers), Usage()

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Model:
        return self.model


def write_question(folder: Path, key: str, request: Request, draw: Draw, keys: Keys) -> Path:
    """A question as a page to read, its pictures beside it."""
    page = _Page(folder, key)
    for message in request.messages:
        page.add(message)
    path = folder / f"{key}.md"
    lines = [f"(draw {msgspec.json.encode(draw).decode()})", *page.lines, *described(request)]
    write_file(path, keys.redact("\n\n".join(lines) + "\n").encode("utf-8", "replace"))
    return path


class _Page:
    """A question on its way to paper."""

    def __init__(self, folder: Path, key: str) -> None:
        self.lines: list[str] = []
        self._folder, self._key, self._fence, self._pictures = folder, key, Fence(), 0

    def add(self, message: Message) -> None:
        self.lines.append(f"# {message.role}")
        self.lines += [self._line(part) for part in message.parts]

    def _line(self, part: Part) -> str:
        match part:
            case Text() | Untrusted():
                return self._fence.render(part)
            case Thinking(text=text):
                return f"(thinking) {text}"
            case Picture(data=data):
                self._pictures += 1
                name = f"{self._key}-{self._pictures}.{extension(data)}"
                write_file(self._folder / name, data)
                return f"![]({name})"
            case ToolCall(name=called, arguments=arguments):
                return f"(calls {called}) {msgspec.json.encode(arguments).decode()}"
            case ToolResult(parts=parts):
                return "\n\n".join(["(result)", *map(self._line, parts)])
            case _:
                return ""
