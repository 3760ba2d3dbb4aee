"""What the families of models have in common: each turns an attempt so far into a request, a reply into actions, and
actions into the reply that would say them.

A family is settings and pure functions. An agent talks with a model by them (`agents/agent.py`), and training examples
are what it would have been asked and should have said (`dataset/messages.py`): one family for acting and for training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import replace

from workalike.core.actions import Ask, Terminate, kind
from workalike.core.contracts import Percept, Wants
from workalike.core.errors import DialectError
from workalike.core.observation import Dialog, Element, ImageRef, Observation
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.dialects.reply import ParsedReply
from workalike.families.loops import newly_looping
from workalike.families.turns import FamilySettings, Turn, memorised
from workalike.models.messages import (
    ComputerTool,
    Message,
    Part,
    Reply,
    Request,
    Sampling,
    Shot,
    Text,
    Tool,
    ToolCall,
    Untrusted,
    said,
)
from workalike.models.names import Api
from workalike.models.prompts import Prompts, Value

M = TypeVar("M", bound=FamilySettings)
T = TypeVar("T")
LONGEST_RESULT = 8_000
EMPTY = "(an empty reply)"
LEAST_BEYOND = 0.05
"""What is less of a screen is a margin."""


class Family(ABC, Generic[M]):
    """One family of models. `api` is the one it needs, if it needs one, because its replies are calls of a service's
    own computer tool; `sampling` are its own defaults; `says` names the texts of a step that its replies tell."""

    name: ClassVar[str]
    api: ClassVar[Api | None] = None
    sampling: ClassVar[Sampling] = Sampling(temperature=0.0, max_tokens=2048)

    def __init__(self, settings: M, prompts: Prompts) -> None:
        self.settings, self.prompts = settings, prompts
        self._systems: dict[object, Message] = {}

    @cached_property
    def wants(self) -> Wants:
        return Wants()

    @cached_property
    def says(self) -> tuple[str, ...]:
        return ("thought",)

    @cached_property
    def sized(self) -> bool:
        """Whether what it is shown, or says, depends on the size of the screen."""
        return True

    @abstractmethod
    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """What is said to the model, the last turn being the one to decide on."""

    @abstractmethod
    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        """What a reply says to do; raises `Unreadable`."""

    @abstractmethod
    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        """The reply by which a model of this family would say it: scrolls in its unit, an answer where it has a place
        for one. Raises `Inexpressible`."""

    def lacks(self, told: ParsedReply) -> tuple[str, ...]:
        """The texts without which a reply would not be whole."""
        return ()

    def look(self, turns: Sequence[Turn], percept: Percept) -> Turn:
        """The next turn of an attempt, as far as it is seen."""
        bare = percept if percept.picture is None else replace(percept, picture=None)
        turn = Turn(len(turns), bare, self.shot(percept))
        turn.warned = self.settings.loops and newly_looping(turns)
        return turn

    def hear(self, turn: Turn, reply: Reply, again: bool = False) -> str | None:
        """Take a reply for the turn's; why it cannot be read, where it cannot. It then goes into the turn with its
        correction where it is asked `again`. A service's own refusal is an end, not a mistake in writing."""
        turn.reply, turn.said = reply, None
        try:
            refused = reply.ending == "refused" and not reply.calls
            why = reply.text or "The model's service refused to answer."
            turn.said = ParsedReply((Terminate("failure", why),)) if refused else self.read(reply, turn)
        except DialectError as error:
            reason = f"it was cut off at its longest ({error})" if reply.ending == "length" else str(error)
            if again:
                turn.corrected += self.correction(reply, reason, turn)
            return reason
        return None

    def recall(self, turn: Turn, told: ParsedReply) -> DialectError | None:
        """Take what somebody else did on a turn for the model's own: said in its words and read from them, or in plain
        ones where it has no form for that, with the reason."""
        try:
            reply = self.write(told, turn)
            calls = {part.id: f"{part.id}_{turn.number}" for part in reply.calls}
            named = (replace(p, id=calls[p.id]) if isinstance(p, ToolCall) else p for p in reply.parts)
            turn.reply = replace(reply, parts=tuple(named)) if calls else reply
            turn.said = self.read(turn.reply, turn)
        except DialectError as error:
            turn.reply, turn.said = worded(told.action_text or told.thought or EMPTY), told
            return error
        return None

    def tools(self, turn: Turn) -> tuple[Tool | ComputerTool, ...]:
        return ()

    def picture_size(self, screen: Size) -> Size:
        """How big the pictures are that the model is sent."""
        return screen

    def request(self, task: Task, turns: Sequence[Turn]) -> Request:
        return Request(self.messages(task, turns), self.tools(turns[-1]), self.sampling)

    def shot(self, percept: Percept) -> Shot | None:
        """The screenshot that is sent."""
        seen = percept.observation
        source = seen.picture or (ImageRef.of(percept.picture, seen.size) if percept.picture else None)
        if source is None or not self.wants.picture:
            return None
        size, marked = seen.size and self.picture_size(seen.size), self.marked(seen)
        screen = seen.size if marked else None
        return Shot(source, size, screen, marked, self.settings.picture, self.settings.quality)

    def marked(self, seen: Observation) -> tuple[Element, ...]:
        """The elements whose numbers are drawn on it."""
        return ()

    def first_shown(self, turns: Sequence[Turn]) -> int:
        """The number of the first turn whose screenshot is still shown."""
        return recent(turns, self.settings.screenshots)

    def warnings(self, reply: Reply) -> tuple[str, ...]:
        """What the service warns of in a reply, and somebody should see before it is carried out."""
        return ()

    @property
    def asks(self) -> bool:
        """Whether it has a way to ask the user."""
        return False

    @property
    def waves_through(self) -> bool:
        """Whether such warnings are passed over where nobody is there to see them."""
        return True

    def correction(self, reply: Reply, reason: str, turn: Turn) -> tuple[Message, ...]:
        """An unreadable reply, and what is said to it."""
        form = self.words(f"{self.name}/form")
        return (said("assistant", self.spoken(reply)), said("user", self.words("correction", reason=reason, form=form)))

    def system(self, of: object, make: Callable[[], str]) -> Message:
        """The system prompt, put together once for whatever it depends `of`."""
        if of not in self._systems:
            self._systems[of] = said("system", make())
        return self._systems[of]

    def once(self, turn: Turn, form: object, make: Callable[[], T]) -> T:
        """What is said about a turn in a form that stays the same however the attempt goes on: put together once."""
        known: T | None = turn.told.get((self, form))
        if known is None:
            known = turn.told[self, form] = make()
        return known

    def so_far(self, turns: Sequence[Turn], form: object, tell: Callable[[Turn], tuple[T, ...]]) -> tuple[T, ...]:
        """What is said of turns that will not be told otherwise any more, from the first one on: mostly what was said a
        step ago, and one turn more."""
        if not turns:
            return ()
        known: tuple[T, ...] | None = turns[-1].told.get((self, form))
        if known is None:
            before = turns[-2].told.pop((self, form), None) if len(turns) > 1 else ()
            new = turns if before is None else turns[-1:]
            known = turns[-1].told[self, form] = (*(before or ()), *(each for turn in new for each in tell(turn)))
        return known

    def replied(self, turn: Turn) -> Message:
        """What the model said on a turn that is over."""
        return self.once(turn, "reply", lambda: said("assistant", self.spoken(turn.reply or Reply(()))))

    # What follows are the pieces that prompts are put together from. Each is empty or ends with a line end.

    def words(self, prompt: str, **values: str) -> str:
        return self.prompts.get(f"agents/{prompt}").fill(**values)

    def parts(self, prompt: str, **values: Value) -> tuple[Part, ...]:
        return self.prompts.get(f"agents/{prompt}").parts(**values)

    def rules(self) -> dict[str, str]:
        """The rules that stand in every system prompt; a family that could ask is told where nobody would answer, and
        not to ask there at a critical point."""
        unheard = f" {self.words('nobody')}" if self.asks and not self.settings.answers else ""
        in_vain = self.settings.critical == "ask" and not self.settings.answers
        critical = self.words("critical_stop" if in_vain else f"critical_{self.settings.critical}")
        return {"untrusted": self.words("untrusted"), "critical": f"{critical}{unheard}"}

    def spoken(self, reply: Reply) -> str:
        """A reply as it stands in the history; a very long one is cut."""
        words = reply.text or EMPTY
        longest = self.settings.longest_reply
        return words if len(words) <= longest else f"{words[:longest]}…"

    def task(self, task: Task) -> str:
        """The task, with what the agent may know of the user and which files it may use."""
        facts = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in task.persona.items())
        files = ", ".join(file.name for file in task.files)
        about = f"\n\n{self.words('persona', facts=facts)}" if facts else ""
        given = f"\n\n{self.words('files', files=files)}" if files else ""
        return f"{task.instruction}{about}{given}"

    def shown(self, prompt: str, turn: Turn, turns: Sequence[Turn], **more: Value) -> tuple[Part, ...]:
        """A message about a turn, with as much of its scene as the prompt asks for: the screenshot, the address, what
        there is to scroll to, what became of the last actions, the user's answers, memorised facts, an open dialog, a
        warning of a loop."""
        asked = self.prompts.get(f"agents/{prompt}")
        wanted = asked.holes if asked.holes <= _SCENE.keys() | more.keys() else _SCENE.keys()
        scene = {name: _SCENE[name](self, turn, turns) for name in wanted if name in _SCENE and name not in more}
        return asked.parts(**scene, **more)

    def seen(self, prompt: str, turn: Turn, turns: Sequence[Turn], **more: Value) -> Message:
        """The same as a message of its own, in a prompt that says no more later than now."""
        return self.once(turn, prompt, lambda: Message("user", self.shown(prompt, turn, turns, **more)))

    def facts(self, past: Sequence[Turn]) -> tuple[Part, ...]:
        """What was memorised so far."""
        facts = memorised(past) if self.settings.facts else ()
        if not facts:
            return ()
        noted = Untrusted("\n".join(f"- {fact}" for fact in facts), "your notes")
        return (*self.parts("facts", facts=noted), Text("\n"))

    def located(self, url: str) -> str:
        """An address as the model is shown it."""
        return short_address(url)

    def address(self, turn: Turn) -> tuple[Part, ...]:
        """Where the browser is, in short: all of it is the page's to choose."""
        where = self.located(turn.percept.observation.url or "")
        if not where:
            return ()
        shown: Part = Untrusted(where, "address") if self.settings.fence_address else Text(where)
        return (*self.parts("address", address=shown), Text("\n"))

    def beyond(self, turn: Turn) -> str:
        """How much more of the page there is than is shown."""
        more = turn.percept.observation.beyond
        sides = (
            {"above": more.above, "below": more.below, "to the left": more.left, "to the right": more.right}
            if more
            else {}
        )
        told = ", ".join(f"{_screens(much)} {side}" for side, much in sides.items() if much >= LEAST_BEYOND)
        return f"{self.words('beyond', more=told)}\n" if told else ""

    def news(self, turn: Turn) -> tuple[Part, ...]:
        """What became of the last actions and what else happened, in the environment's words."""
        lines = [*map(_outcome, turn.percept.taken), *(f"- {notice.text}" for notice in turn.percept.notices)]
        dialog = turn.percept.observation.dialog
        told = "\n".join([line for line in lines if line] + ([_dialog(dialog)] if dialog else []))
        return (*self.parts("news", news=Untrusted(told, "browser")), Text("\n")) if told else ()

    def answers(self, turn: Turn) -> str:
        """What the user answered to questions."""
        given = [taken.result for taken in turn.percept.taken if isinstance(taken.action, Ask) and taken.result]
        return "".join(f"{self.words('answer', answer=answer)}\n" for answer in given)


_SCENE: dict[str, Callable[[Family[Any], Turn, Sequence[Turn]], Value]] = {
    "shot": lambda made, turn, turns: () if turn.shot is None else (turn.shot,),
    "address": lambda made, turn, turns: made.address(turn),
    "beyond": lambda made, turn, turns: made.beyond(turn),
    "news": lambda made, turn, turns: made.news(turn),
    "user": lambda made, turn, turns: made.answers(turn),
    "facts": lambda made, turn, turns: made.facts(turns[: turn.number]),
    "warning": lambda made, turn, turns: f"{made.words('loop')}\n" if turn.warned else "",
}


def answered(read: ParsedReply) -> ParsedReply:
    """For families whose end has no place for an answer, or may do without: the whole of what is said with it is the
    answer."""
    if not any(isinstance(action, Terminate) and action.answer is None for action in read.actions):
        return read
    said = dict.fromkeys(part for part in (read.observation_text, read.thought, read.action_text) if part)
    words = "\n\n".join(said) or None
    actions = tuple(
        replace(action, answer=words) if isinstance(action, Terminate) and action.answer is None else action
        for action in read.actions
    )
    return replace(read, actions=actions)


def answer_as_thought(told: ParsedReply) -> ParsedReply:
    """The other way round: the answer told as the last thought."""
    answer = next((a.answer for a in told.actions if isinstance(a, Terminate) and a.answer is not None), None)
    if answer is None:
        return told
    bare = tuple(replace(a, answer=None) if isinstance(a, Terminate) else a for a in told.actions)
    return replace(told, actions=bare, thought=answer, action_text=answer)


def worded(words: str) -> Reply:
    """A reply that is words alone."""
    return Reply((Text(words),))


def recent(turns: Sequence[Turn], screenshots: int) -> int:
    """The number of the first turn whose screenshot is still shown."""
    return max(0, len(turns) - screenshots)


def short_address(url: str, most: int = 160) -> str:
    """An address in one line, shortened in the middle: its beginning says where, its end often what.

    >>> short_address("https://shop.example/find?q=a b&from=home", 32)
    'https://shop.example/…&from=home'
    """
    line = "%20".join(url.split())
    end = most // 3
    return line if len(line) <= most else f"{line[: most - end - 1]}…{line[-end:]}"


def _screens(much: float) -> str:
    return f"{much:.1f} screen{'s' * (f'{much:.1f}' != '1.0')}"


def merged(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Neighbouring messages of the same side made one, a blank line apart, for services that insist on turns."""
    made: list[Message] = []
    for message in messages:
        if made and made[-1].role == message.role:
            made[-1] = Message(message.role, (*made[-1].parts, Text("\n\n"), *message.parts))
        else:
            made.append(message)
    return tuple(made)


def _outcome(taken: ActionResult) -> str:
    """What an action came to, where there is something to say; the user's answers are told elsewhere."""
    if taken.error:
        return f"- {kind(taken.action)} failed: {taken.error}"
    if taken.result and not isinstance(taken.action, Ask):
        return f"- {kind(taken.action)}: {taken.result[:LONGEST_RESULT]}"
    return ""


def _dialog(dialog: Dialog) -> str:
    files = f" (files: {', '.join(dialog.options)})" if dialog.options else ""
    return f"- a dialog is open ({dialog.kind}): {dialog.message}{files}"
