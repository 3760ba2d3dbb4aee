"""What agents with a computer tool of their service's share: a conversation of calls and results, with tools of our own
for what a screen without an address bar lacks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from understudy.agents.family import Family, recent
from understudy.agents.turns import Manner, Turn
from understudy.core.actions import Action, Ask, Back, Visit, kind
from understudy.core.errors import Unreadable
from understudy.core.task import Task
from understudy.dialects.reply import Reply as Said
from understudy.models.messages import (
    ComputerTool,
    Message,
    Part,
    Reply,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    said,
)

COMPUTER = "computer"
_ONE_TEXT = {"visit_url": "url", "ask_user": "question"}


class ComputerManner(Manner, frozen=True, kw_only=True):
    """`tool` is the service's name for the version of its tool; `navigation` and `asking` say whether the tools of our
    own are offered (`ask_user` always where `critical` is `ask`); `acknowledge` whether safety checks are waved
    through, or put to the user first."""

    tool: str = ""
    navigation: bool = True
    asking: bool = False
    acknowledge: bool = True


C = TypeVar("C", bound=ComputerManner)


class ComputerFamily(Family[C]):
    """Common ground of the OpenAI and Anthropic agents."""

    @abstractmethod
    def read_calls(self, calls: Sequence[ToolCall], turn: Turn) -> tuple[Action, ...]:
        """What successive computer calls say to do."""

    @abstractmethod
    def read_ending(self, reply: Reply, turn: Turn) -> Said:
        """What a reply that calls nothing says: that it is over."""

    @abstractmethod
    def old_turns(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """The beginning of the conversation, up to the first turn whose screenshot is shown."""

    def tools(self, turn: Turn) -> tuple[Tool | ComputerTool, ...]:
        computer = ComputerTool(self.picture_size(turn.screen), self.manner.tool)
        return (computer, *(self._tool(name) for name in self._own()))

    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        asking = self.words("computer/asking") if self._asks else ""
        made = [said("system", self.words("computer/system", asking=asking, **self.rules()))]
        made += self.old_turns(task, turns)
        first = recent(turns, self.manner.screenshots)
        for turn in turns[first:]:
            if turn.number != first:
                made.append(self.results(turns[turn.number - 1], turn, turns))
            if turn.reply is not None:
                made.append(Message("assistant", self.kept(turn.reply)))
        return tuple(made)

    def read(self, reply: Reply, turn: Turn) -> Said:
        if not reply.calls:
            if reply.ending in ("length", "other"):
                raise Unreadable("the reply ends before a call or a conclusion", reply.text)
            return self.read_ending(reply, turn)
        actions: list[Action] = []
        for computer, calls in groupby(reply.calls, lambda call: call.name == COMPUTER):
            same = list(calls)
            actions += self.read_calls(same, turn) if computer else [self._own_action(call) for call in same]
        checks = [check.message or check.code or check.id for call in reply.calls for check in call.checks]
        if checks and not self.manner.acknowledge:
            actions.insert(0, Ask("\n".join(checks)))
        thought = "\n\n".join(words for words in (reply.thinking, reply.text) if words)
        return Said(tuple(actions), thought or None)

    def correction(self, reply: Reply, reason: str) -> tuple[Message, ...]:
        """A call must be answered with a result, words with words."""
        form = self.words("computer/form")
        answer = self.words("correction", reason=reason, form=form)
        if not reply.calls:
            return (said("assistant", self.spoken(reply)), said("user", answer))
        results = [ToolResult(call.id, call.name, (Text(answer),), error=True) for call in reply.calls]
        return (Message("assistant", self.kept(reply)), Message("user", tuple(results)))

    def results(self, before: Turn, now: Turn, turns: Sequence[Turn]) -> Message:
        """What the calls of one turn led to: the next screenshot with the last computer call, words for the others."""
        scene = self.scene(now, turns)
        words = self.parts("computer/turn", **scene)
        calls = before.reply.calls if before.reply else ()
        if not calls:
            return Message("user", (*_parts(scene["shot"]), *words))
        showing = next((call.id for call in reversed(calls) if call.name == COMPUTER), None)
        made = [self._result(call, _parts(scene["shot"]) if call.id == showing else ()) for call in calls]
        shown_apart = _parts(scene["shot"]) if showing is None else ()
        return Message("user", (*made, *shown_apart, *words))

    def kept(self, reply: Reply) -> tuple[Part, ...]:
        """A reply as it is handed back, its words in one piece; nobody takes an empty one."""
        words = next((part for part in reply.parts if isinstance(part, Text)), None)
        parts = [part for part in reply.parts if part is words or not isinstance(part, Text)]
        whole = tuple(Text(self.spoken(reply)) if part is words else part for part in parts)
        spoken = [part for part in whole if not isinstance(part, Thinking)]
        return whole if spoken else (*whole, Text(self.spoken(reply)))

    def first(self, task: Task, turns: Sequence[Turn], steps: Sequence[str] = ()) -> Message:
        """The task, with the first screenshot that is shown and the steps before it in words."""
        turn = turns[recent(turns, self.manner.screenshots)]
        earlier = self.words("computer/earlier", steps="\n".join(steps)) if steps else ""
        shot = _parts(self.scene(turn, turns)["shot"])
        return Message("user", self.parts("computer/first", shot=shot, task=self.task(task), earlier=earlier))

    def _result(self, call: ToolCall, shot: tuple[Part, ...]) -> ToolResult:
        inner = tuple(part for part in shot if not isinstance(part, Thinking | ToolCall | ToolResult))
        done = (Text(self.words("computer/done")),)
        return ToolResult(call.id, call.name, inner or done, acknowledged=call.checks)

    def _own(self) -> list[str]:
        return ["visit_url", "go_back"] * self.manner.navigation + ["ask_user"] * self._asks

    @property
    def _asks(self) -> bool:
        return self.manner.asking or self.manner.critical == "ask"

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


def step_line(turn: Turn) -> str:
    """A step that is no longer shown, in a few words."""
    done = ", ".join(kind(action) for action in turn.actions) or "nothing that could be read"
    words = " ".join((turn.said.thought or "").split())[:200] if turn.said else ""
    return f"{turn.number + 1}. {done}" + (f": {words}" if words else "")


def _parts(value: object) -> tuple[Part, ...]:
    return value if isinstance(value, tuple) else ()
