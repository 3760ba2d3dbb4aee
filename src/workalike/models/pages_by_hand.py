"""A request as a page for a person: roles as headings, words exactly as a model is sent them, pictures beside it.

All words stand in blocks of code: tags and lists show as they are, and nothing that a web page said can become a link,
a picture from elsewhere or a heading of ours."""

from __future__ import annotations

import re

import msgspec

from workalike.core.observation import extension
from workalike.models.calls_by_hand import described
from workalike.models.fences import Fence
from workalike.models.messages import Part, Picture, Request, Text, Thinking, ToolCall, ToolResult, Untrusted
from workalike.models.prompts import Prompts
from workalike.models.questions import DONE, REPLY

_TICKS = re.compile(r"`+")


class Page(msgspec.Struct, frozen=True):
    """A question to be written down: its words, and its pictures by name."""

    text: str
    pictures: dict[str, bytes]


def page(title: str, request: Request, prompts: Prompts, awaited: bool = True) -> Page:
    """The page of a request, with how to reply to it at its end, and when the reply is read."""
    drawn = _Drawn()
    for message in request.messages:
        drawn.pieces.append(f"## {message.role}")
        drawn.add(message.parts)
        drawn.end_words()
    read = f"When it is whole, make an empty file `{DONE}` beside it (`touch {DONE}`): only then is it read."
    how = prompts.get("models/by_hand_reply").fill(
        reply=REPLY, read=read if awaited else "It is read when you go on.", calls=described(request, prompts)
    )
    return Page("\n\n".join([f"# {title}", *drawn.pieces, how.strip()]) + "\n", drawn.pictures)


class _Drawn:
    """A page on its way to paper: words are gathered until something else comes between."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.pictures: dict[str, bytes] = {}
        self._words = ""
        self._fence = Fence()

    def add(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            match part:
                case Text() | Untrusted():
                    self._words += self._fence.render(part)
                case Thinking(text=text):
                    self._note("thinks", text)
                case ToolCall(name=name, arguments=arguments):
                    self._note(f"calls {name}", part.unread or msgspec.json.encode(arguments).decode())
                case ToolResult(name=name, parts=inner):
                    self._note(f"result of {name}", "")
                    self.add(inner)
                case Picture(data=data):
                    self._picture(data)
                case _:
                    pass

    def end_words(self) -> None:
        if self._words.strip():
            self.pieces.append(block(self._words.strip("\n")))
        self._words = ""

    def _note(self, label: str, words: str) -> None:
        self.end_words()
        self._words = f"({label}) {words}\n"

    def _picture(self, data: bytes) -> None:
        self.end_words()
        name = f"{len(self.pictures) + 1}.{extension(data)}"
        self.pictures[name] = data
        self.pieces.append(f"![{name}]({name})")


def block(words: str) -> str:
    """Words as a block of code, whatever stands in them.

    >>> print(block("a ``` b"))
    ````
    a ``` b
    ````
    """
    ticks = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(words)), default=0))
    return f"{ticks}\n{words}\n{ticks}"
