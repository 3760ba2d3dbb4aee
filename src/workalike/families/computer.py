"""What agents with a computer tool of their service's share: a conversation of calls and results, with tools of our own
for what a screen without an address bar lacks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from workalike.core.actions import Action, Ask, Back, Terminate, Visit, kind
from workalike.core.errors import Inexpressible, Unreadable
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.dialects.reply import ParsedReply
from workalike.families.base import EMPTY, Family, worded
from workalike.families.turns import FamilySettings, Turn
from workalike.models.messages import (
    ComputerTool,
    Message,
    Part,
    Reply,
    Shot,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Untrusted,
    said,
)
from workalike.models.prompts import Value

COMPUTER = "computer"
_LOOKS = ("screenshot", "zoom")
_ONE_TEXT = {"visit_url": "url", "ask_user": "question"}


class ComputerSettings(FamilySettings, frozen=True, kw_only=True):
    """`tool` is the service's name for the version of its tool; `navigation` and `asking` say whether the tools of our
    own are offered (`ask_user` always where `critical` is `ask`); `acknowledge` whether safety checks are waved
    through, or put to whoever sits at the terminal, which ends the attempt where nobody does. Left open, they are put
    to somebody who is there, and waved through in evaluation."""

    tool: str = ""
    navigation: bool = True
    asking: bool = False
    acknowledge: bool | None = None


C = TypeVar("C", bound=ComputerSettings)
Shown = tuple[Text | Shot, ...]


class ComputerFamily(Family[C]):
    """Common ground of the OpenAI and Anthropic agents. The conversation only grows, and a reply is handed back as it
    came: services remember what a model thought before, and refuse it under another past. `pictured` says that a
    computer call can only be answered with a picture."""

    pictured: ClassVar[bool]

    @abstractmethod
    def read_calls(self, calls: Sequence[ToolCall], turn: Turn) -> tuple[Action, ...]:
        """What successive computer calls say to do."""

    @abstractmethod
    def read_ending(self, reply: Reply, turn: Turn) -> ParsedReply:
        """What a reply that calls nothing says: that it is over."""

    @abstractmethod
    def old_turns(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """The beginning of the conversation, up to the first turn whose screenshot is shown."""

    @abstractmethod
    def write_calls(self, actions: Sequence[Action], turn: Turn) -> list[ToolCall] | str:
        """The computer calls that do this, or the words that end it."""

    def lacks(self, told: ParsedReply) -> tuple[str, ...]:
        """An end is words, and nothing else."""
        mute = any(isinstance(action, Terminate) and not action.answer for action in told.actions)
        return ("action_text",) if mute and not (told.action_text or told.thought) else ()

    def write(self, told: ParsedReply, turn: Turn) -> Reply:
        """Pages are moved between with functions of ours, everything else is a computer call."""
        own = any(isinstance(action, Visit | Back | Ask) for action in told.actions)
        made = _own_calls(told.actions) if own else self.write_calls(told.actions, turn)
        if isinstance(made, str):
            return worded(made or told.action_text or told.thought or "")
        thought: tuple[Part, ...] = (Text(told.thought),) if told.thought else ()
        return Reply((*thought, *made), "calls")

    def tools(self, turn: Turn) -> tuple[Tool | ComputerTool, ...]:
        computer = ComputerTool(self.picture_size(turn.screen), self.settings.tool)
        return (computer, *(self._tool(name) for name in self._own()))

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        asking = self.words("computer/asking") if self.asks else ""
        made = [said("system", self.words("computer/system", asking=asking, **self.rules()))]
        made += self.old_turns(task, turns)
        first = self.first_shown(turns)
        for turn in turns[first:]:
            if turn.number != first:
                made.append(self.results(turns[turn.number - 1], turn, turns))
            made += self.replies(turn)
        return tuple(made)

    def replies(self, turn: Turn) -> tuple[Message, ...]:
        """What the model said on a turn, with the corrections on the way."""
        return turn.corrected if turn.reply is None else (*turn.corrected, Message("assistant", kept(turn.reply)))

    def read(self, reply: Reply, turn: Turn) -> ParsedReply:
        if reply.ending == "length" or (reply.ending == "other" and not reply.calls):
            raise Unreadable("the reply ends before a call or a conclusion", reply.text)
        if not reply.calls:
            return self.read_ending(reply, turn)
        actions = [action for made in self._by_call(reply.calls, turn) for action in made]
        thought = "\n\n".join(words for words in (reply.thinking, reply.text) if words)
        return ParsedReply(tuple(actions), thought or None)

    def _by_call(self, calls: Sequence[ToolCall], turn: Turn) -> list[tuple[Action, ...]]:
        """What each call says to do. Computer calls that follow each other are read together, since several may be one
        thing (a button held down, moved, let go): its actions then belong to the first of them."""
        made: list[tuple[Action, ...]] = []
        for computer, group in groupby(calls, lambda call: call.name == COMPUTER):
            same = list(group)
            if not computer:
                made += [(self._own_action(call),) for call in same]
                continue
            actions, done = self.read_calls(same, turn), 0
            for number in range(1, len(same) + 1):
                upto = max(done, len(self.read_calls(same[:number], turn)))
                made.append(actions[done:upto])
                done = upto
        return made

    def warnings(self, reply: Reply) -> tuple[str, ...]:
        if self.settings.acknowledge:
            return ()
        return tuple(check.message or check.code or check.id for call in reply.calls for check in call.checks)

    @property
    def waves_through(self) -> bool:
        return self.settings.acknowledge is not False

    def correction(self, reply: Reply, reason: str, turn: Turn) -> tuple[Message, ...]:
        """A call must be answered with a result, words with words."""
        form = self.words("computer/form")
        answer = self.words("correction", reason=reason, form=form)
        if not reply.calls:
            return (Message("assistant", kept(reply)), said("user", answer))
        shot = (turn.shot,) if turn.shot and self.pictured else ()
        results = [self._result(call, (Text(answer),), shot, error=True) for call in reply.calls]
        return (Message("assistant", kept(reply)), Message("user", tuple(results)))

    def results(self, before: Turn, now: Turn, turns: Sequence[Turn], shot: Shown | None = None) -> Message:
        """What the calls of one turn led to: the next screenshot, or what stands for it, with the last computer call
        (with all of them where nothing else will do), words with the others. What else there is to say goes into the
        last one, too, where there is room for words."""
        shot = _shots(now) if shot is None else shot
        calls = before.reply.calls if before.reply else ()
        if not calls:
            return Message("user", (*shot, *self.shown("computer/turn", now, turns)))
        words = self.shown("computer/turn", now, turns, user="")
        showing = next((call for call in reversed(calls) if call.name == COMPUTER), None)
        shown = [call.name == COMPUTER if self.pictured else call is showing for call in calls]
        came = [self._came(call, taken, now) for call, taken in zip(calls, self._taken(before, now), strict=True)]
        made = [
            self._result(call, said, shot if with_shot else (), error)
            for call, (said, error), with_shot in zip(calls, came, shown, strict=True)
        ]
        apart = () if any(shown) else shot
        if self.pictured:
            return Message("user", (*made, *apart, *words))
        last = (*made[-1].parts, *apart, Text("\n"), *_sayable(words))
        made[-1] = replace(made[-1], parts=last, error=made[-1].error and not any(isinstance(p, Shot) for p in last))
        return Message("user", tuple(made))

    def _taken(self, before: Turn, now: Turn) -> list[tuple[ActionResult, ...] | None]:
        """What became of each call; None where nobody could read them."""
        assert before.reply is not None
        if before.said is None:
            return [None for _ in before.reply.calls]
        left = list(now.percept.taken)
        return [tuple(left.pop(0) for _ in made if left) for made in self._by_call(before.reply.calls, before)]

    def _came(self, call: ToolCall, taken: tuple[ActionResult, ...] | None, now: Turn) -> tuple[tuple[Part, ...], bool]:
        """What a call came to in words, and whether that is a failure."""
        if taken is None:
            return (Text(self.words("computer/unread")),), True
        problem = next((each.error for each in taken if each.error), None)
        if problem:
            return self.parts("computer/failed", reason=Untrusted(problem, "browser")), True
        answer = next((each.result for each in taken if isinstance(each.action, Ask) and each.result), None)
        if answer is not None:
            return (Text(self.words("answer", answer=answer)),), False
        name, pointer = call.arguments.get("action"), now.percept.observation.pointer
        if name == "cursor_position" and pointer is not None:
            x, y = self.picture_size(now.screen).pixel(pointer)
            return (Text(f"X={x},Y={y}"),), False
        return (Text(self.words("computer/follows" if name in _LOOKS else "computer/done")),), False

    def first(self, task: Task, turns: Sequence[Turn], steps: Sequence[str] = ()) -> Message:
        """The task, with the first screenshot that is shown and the steps before it in words."""
        turn = turns[self.first_shown(turns)]
        earlier = self.words("computer/earlier", steps="\n".join(steps)) if steps else ""
        return self.opening(task, turn, _shots(turn), earlier)

    def opening(self, task: Task, turn: Turn, shot: Shown, earlier: str = "") -> Message:
        where: dict[str, Value] = {"address": self.address(turn), "beyond": self.beyond(turn)}
        return Message("user", self.parts("computer/first", shot=shot, task=self.task(task), earlier=earlier, **where))

    def _result(self, call: ToolCall, words: tuple[Part, ...], shot: Shown, error: bool = False) -> ToolResult:
        """A result with a picture says in words only what went wrong, and is no error: those take words alone."""
        if not shot:
            return ToolResult(call.id, call.name, _sayable(words), error, call.checks)
        return ToolResult(call.id, call.name, (*(_sayable(words) if error else ()), *shot), acknowledged=call.checks)

    def _own(self) -> list[str]:
        return ["visit_url", "go_back"] * self.settings.navigation + ["ask_user"] * self.asks

    @property
    def asks(self) -> bool:
        return self.settings.asking or self.settings.critical == "ask"

    def _tool(self, name: str) -> Tool:
        field = _ONE_TEXT.get(name)
        shape = {field: {"type": "string"}} if field else {}
        parameters = {"type": "object", "properties": shape, "required": list(shape)}
        return Tool(name, self.words(f"computer/{name}"), parameters)

    def _own_action(self, call: ToolCall) -> Action:
        if call.name not in self._own():
            raise Unreadable(f"there is no tool {call.name!r}", call.name)
        if call.name == "go_back":
            return Back()
        field = _ONE_TEXT[call.name]
        value = call.arguments.get(field)
        if not isinstance(value, str) or not value:
            raise Unreadable(f"{call.name} needs a text in `{field}`", call.unread or "")
        return Visit(value) if call.name == "visit_url" else Ask(value)


def _own_calls(actions: Sequence[Action]) -> list[ToolCall]:
    return [ToolCall(f"call_{number}", *_own_call(action)) for number, action in enumerate(actions, 1)]


def _own_call(action: Action) -> tuple[str, dict[str, str]]:
    match action:
        case Visit(url=url):
            return "visit_url", {"url": url}
        case Back():
            return "go_back", {}
        case Ask(question=question):
            return "ask_user", {"question": question}
        case _:
            raise Inexpressible("computer", "a mix", "moving between pages and acting on one are told apart here")


def step_line(turn: Turn) -> str:
    """A step that is no longer shown, in a few words."""
    done = ", ".join(kind(action) for action in turn.actions) or "nothing that could be read"
    words = " ".join((turn.said.thought or "").split())[:200] if turn.said else ""
    return f"{turn.number + 1}. {done}" + (f": {words}" if words else "")


def kept(reply: Reply) -> tuple[Part, ...]:
    """A reply as it is handed back: as it came; but nobody takes an empty one."""
    spoken = [part for part in reply.parts if not isinstance(part, Thinking)]
    return reply.parts if spoken else (*reply.parts, Text(EMPTY))


def _shots(turn: Turn) -> Shown:
    return () if turn.shot is None else (turn.shot,)


def _sayable(parts: Sequence[Part]) -> tuple[Text | Untrusted | Shot, ...]:
    return tuple(part for part in parts if isinstance(part, Text | Untrusted | Shot))
