"""Set-of-marks: any model, shown numbered marks on a screenshot and the list of what they are on, or the list alone."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.agents.family import Family, merged, recent
from workalike.agents.shots import shot
from workalike.agents.speech import Speech
from workalike.agents.turns import Manner, Turn
from workalike.core.contracts import Sight, Wants
from workalike.core.observation import Element
from workalike.core.screen import Size
from workalike.core.spaces import FittedPixels
from workalike.core.task import Task
from workalike.dialects import som
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import Message, Part, Picture, Reply, Sampling, Text, Untrusted, said

LONGEST_NAME = 100


class SomManner(Manner, frozen=True, kw_only=True):
    """`pictures` off leaves the list of elements alone; `elements` is how many of them at most; `most` bounds the
    picture's size."""

    screenshots: int = 1
    pictures: bool = True
    elements: int = 250
    most: Size = Size(1568, 1568)


class Som(Family[SomManner]):
    """The card's set-of-marks agents, with whatever model."""

    name = "som"
    sampling = Sampling()  # reasoning models take no temperature, and their thoughts count as output

    @property
    def wants(self) -> Wants:
        return Wants(picture=self.manner.pictures, elements=True)

    @property
    def speech(self) -> Speech:
        return "som"

    def picture_size(self, screen: Size) -> Size:
        return FittedPixels(self.manner.most).picture(screen)

    def shot(self, sight: Sight) -> Picture | None:
        seen = sight.observation
        if sight.picture is None or seen.size is None or not self.manner.pictures:
            return None
        size = self.picture_size(seen.size)
        return shot(sight.picture, seen, size, marks=True, form=self.manner.picture, quality=self.manner.quality)

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        shown = self.words("som/pictured") if self.manner.pictures else ""
        made = [
            said("system", self.words("som/system", shown=shown, **self.rules())),
            said("user", self.words("som/task", task=self.task(task))),
        ]
        first = recent(turns, self.manner.screenshots)
        for turn in turns:
            made.append(Message("user", self._seen(turn, turns, whole=turn.number >= first)))
            if turn.reply is not None:
                made.append(said("assistant", self.spoken(turn.reply)))
        return merged(made)

    def read(self, reply: Reply, turn: Turn) -> Said:
        return som.read_reply(reply.text, turn.sight.observation.elements or ())

    def _seen(self, turn: Turn, turns: Sequence[Turn], whole: bool) -> tuple[Part, ...]:
        scene = self.scene(turn, turns)
        number = str(turn.number + 1)
        if not whole:
            return self.parts("som/past", **scene, number=number)
        return self.parts("som/turn", **scene, tabs=self._tabs(turn), elements=self._elements(turn), number=number)

    def _tabs(self, turn: Turn) -> tuple[Part, ...]:
        tabs = turn.sight.observation.tabs
        if len(tabs) < 2:
            return ()
        lines = [f"{n}. {_line(tab.title)} {_line(tab.url)}{' (this one)' * tab.active}" for n, tab in enumerate(tabs)]
        return (*self.parts("som/tabs", tabs=Untrusted("\n".join(lines), "tabs")), Text("\n"))

    def _elements(self, turn: Turn) -> Untrusted:
        marked = [element for element in turn.sight.observation.elements or () if element.mark is not None]
        lines = [describe(element) for element in marked[: self.manner.elements]]
        left = len(marked) - len(lines)
        return Untrusted("\n".join([*lines, *([f"(and {left} more)"] if left else [])]) or "(nothing)", "elements")


def describe(element: Element) -> str:
    """One line on an element: its mark, what it is, what it is called, what it holds.

    >>> describe(Element("textbox", "To", mark=3, value="Lisbon", states=("focused",)))
    '[3] textbox "To" = "Lisbon" (focused)'
    """
    value = "" if element.value is None else f' = "{_line(element.value)}"'
    states = f" ({', '.join(element.states)})" if element.states else ""
    return f'[{element.mark}] {element.role} "{_line(element.name)}"{value}{states}'


def _line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"
