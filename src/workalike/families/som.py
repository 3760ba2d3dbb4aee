"""Set-of-marks: any model, shown numbered marks on a screenshot and the list of what they are on, or the list alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from workalike.core.contracts import Wants
from workalike.core.observation import Element, Observation
from workalike.core.screen import Size
from workalike.core.spaces import FittedPixels
from workalike.core.task import Task
from workalike.dialects import som
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family, answered, merged, recent, short_address, worded
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import Message, Part, Reply, Sampling, Text, Untrusted, said
from workalike.models.prompts import Value

LONGEST_NAME = 100


class SomSettings(FamilySettings, frozen=True, kw_only=True):
    """`pictures` off leaves the list of elements alone; `elements` is how many of them at most; `most` bounds the
    picture's size."""

    screenshots: int = 1
    pictures: bool = True
    elements: int = 250
    most: Size = Size(1568, 1568)


class Som(Family[SomSettings]):
    """The card's set-of-marks agents, with whatever model."""

    name = "som"
    sampling = Sampling()  # reasoning models take no temperature, and their thoughts count as output

    @cached_property
    def wants(self) -> Wants:
        return Wants(picture=self.settings.pictures, elements=True)

    @property
    def asks(self) -> bool:
        return True

    def picture_size(self, screen: Size) -> Size:
        return FittedPixels(self.settings.most).picture(screen)

    @cached_property
    def sized(self) -> bool:
        return False

    def marked(self, seen: Observation) -> tuple[Element, ...]:
        return tuple(element for element in seen.elements or () if element.mark is not None)

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        made = [
            self.system((), self._system),
            self.once(turns[0], task.instruction, lambda: said("user", self.words("som/task", task=self.task(task)))),
        ]
        first = recent(turns, self.settings.screenshots)
        made += self.so_far(turns[:first], "gone", lambda turn: (self._gone(turn, turns), self.replied(turn)))
        for turn in turns[first:]:
            listed: dict[str, Value] = {"tabs": self._tabs(turn), "elements": self._elements(turn)}
            made.append(self.seen("som/turn", turn, turns, **listed, number=str(turn.number + 1)))
            if turn.reply is not None:
                made.append(self.replied(turn))
        return merged(made)

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        return answered(som.read_reply(reply.text, turn.percept.observation.elements or ()))

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        told = replace(told, actions=scrolls_in("notches", told.actions))
        return worded(som.write_reply(told, turn.percept.observation.elements or ()))

    def _system(self) -> str:
        shown = self.words("som/pictured") if self.settings.pictures else ""
        return self.words("som/system", shown=shown, **self.rules())

    def _gone(self, turn: Turn, turns: Sequence[Turn]) -> Message:
        return Message("user", self.shown("som/past", turn, turns, number=str(turn.number + 1)))

    def _tabs(self, turn: Turn) -> tuple[Part, ...]:
        tabs = turn.percept.observation.tabs
        if len(tabs) < 2:
            return ()
        lines = [
            f"{n}. {_line(tab.title)} {short_address(tab.url)}{' (this one)' * tab.active}"
            for n, tab in enumerate(tabs)
        ]
        return (*self.parts("som/tabs", tabs=Untrusted("\n".join(lines), "tabs")), Text("\n"))

    def _elements(self, turn: Turn) -> Untrusted:
        marked = self.marked(turn.percept.observation)
        lines = [describe(element) for element in marked[: self.settings.elements]]
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
