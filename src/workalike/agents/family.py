"""What the families of agents have in common: each turns an attempt so far into a request, and a reply into actions.

A family is settings and pure functions; the talking is done by `ModelAgent`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from msgspec.structs import replace

from workalike.agents.shots import shot
from workalike.agents.speech import Speech, speak
from workalike.agents.turns import Manner, Turn, memorised
from workalike.core.actions import Ask, Terminate, kind
from workalike.core.contracts import Sight, Wants
from workalike.core.errors import Inexpressible
from workalike.core.observation import Dialog
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Taken
from workalike.dialects.reply import Reply as Said
from workalike.models.messages import (
    ComputerTool,
    Message,
    Part,
    Picture,
    Reply,
    Request,
    Sampling,
    Text,
    Tool,
    ToolCall,
    Untrusted,
    said,
)
from workalike.models.names import Api
from workalike.models.prompts import Prompts, Value
from workalike.models.server.asked import Asked

M = TypeVar("M", bound=Manner)
LONGEST_RESULT = 8_000
EMPTY = "(an empty reply)"


class Family(ABC, Generic[M]):
    """One family of models. `api` is the one it needs, if it needs one; `sampling` are its own defaults."""

    name: ClassVar[str]
    api: ClassVar[Api | None] = None
    sampling: ClassVar[Sampling] = Sampling(temperature=0.0, max_tokens=2048)

    def __init__(self, manner: M, prompts: Prompts) -> None:
        self.manner, self.prompts = manner, prompts

    @property
    def wants(self) -> Wants:
        return Wants()

    @abstractmethod
    def messages(self, task: Task, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """What is said to the model, the last turn being the one to decide on."""

    @abstractmethod
    def read(self, reply: Reply, turn: Turn) -> Said:
        """What a reply says to do; raises `Unreadable`."""

    @property
    @abstractmethod
    def speech(self) -> Speech:
        """What its words are called where others speak them."""

    def in_own_words(self, told: Said, turn: Turn) -> Reply:
        """What somebody else did on a turn, as a model of this family would have said it; in plain words where it has
        no form for that."""
        asked = Asked(self.api or "chat", "", Request((), self.tools(turn)))
        try:
            reply = speak(told, self.speech, turn.screen, turn.sight.observation.elements or (), asked)
        except Inexpressible:
            return Reply((Text(told.action_text or told.thought or EMPTY),))
        parts = [
            replace(each, id=f"{each.id}_{turn.number}") if isinstance(each, ToolCall) else each for each in reply.parts
        ]
        return replace(reply, parts=tuple(parts))

    def tools(self, turn: Turn) -> tuple[Tool | ComputerTool, ...]:
        return ()

    def picture_size(self, screen: Size) -> Size:
        """How big the pictures are that the model is sent."""
        return screen

    def request(self, task: Task, turns: Sequence[Turn]) -> Request:
        return Request(self.messages(task, turns), self.tools(turns[-1]), self.sampling)

    def shot(self, sight: Sight) -> Picture | None:
        """The screenshot as it is sent."""
        seen = sight.observation
        if sight.picture is None or seen.size is None:
            return None
        return shot(
            sight.picture, seen, self.picture_size(seen.size), form=self.manner.picture, quality=self.manner.quality
        )

    def first_shown(self, turns: Sequence[Turn]) -> int:
        """The number of the first turn whose screenshot is still shown."""
        return recent(turns, self.manner.screenshots)

    def warnings(self, reply: Reply) -> tuple[str, ...]:
        """What the service warns of in a reply, and somebody should see before it is carried out."""
        return ()

    @property
    def waves_through(self) -> bool:
        """Whether such warnings are passed over where nobody is there to see them."""
        return True

    def correction(self, reply: Reply, reason: str, turn: Turn) -> tuple[Message, ...]:
        """An unreadable reply, and what is said to it."""
        form = self.words(f"{self.name}/form")
        return (said("assistant", self.spoken(reply)), said("user", self.words("correction", reason=reason, form=form)))

    # What follows are the pieces that prompts are put together from. Each is empty or ends with a line end.

    def words(self, prompt: str, **values: str) -> str:
        return self.prompts.get(f"agents/{prompt}").fill(**values)

    def parts(self, prompt: str, **values: Value) -> tuple[Part, ...]:
        return self.prompts.get(f"agents/{prompt}").parts(**values)

    def rules(self) -> dict[str, str]:
        """The rules that stand in every system prompt."""
        return {"untrusted": self.words("untrusted"), "critical": self.words(f"critical_{self.manner.critical}")}

    def spoken(self, reply: Reply) -> str:
        """A reply as it stands in the history; a very long one is cut."""
        words = reply.text or EMPTY
        longest = self.manner.longest_reply
        return words if len(words) <= longest else f"{words[:longest]}…"

    def task(self, task: Task) -> str:
        """The task, with what the agent may know of the user and which files it may use."""
        facts = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in task.persona.items())
        files = ", ".join(file.name for file in task.files)
        about = f"\n\n{self.words('persona', facts=facts)}" if facts else ""
        given = f"\n\n{self.words('files', files=files)}" if files else ""
        return f"{task.instruction}{about}{given}"

    def scene(self, turn: Turn, turns: Sequence[Turn]) -> dict[str, Value]:
        """What a turn's message may show: the screenshot, the address, what became of the last actions, the user's
        answers, memorised facts, an open dialog, a warning of a loop."""
        facts = memorised(turns[: turn.number]) if self.manner.facts else ()
        noted = Untrusted("\n".join(f"- {fact}" for fact in facts), "your notes")
        return {
            "shot": () if turn.shot is None else (turn.shot,),
            "address": self.address(turn),
            "news": self.news(turn),
            "user": self.answers(turn),
            "facts": (*self.parts("facts", facts=noted), Text("\n")) if facts else (),
            "warning": f"{self.words('loop')}\n" if turn.warned else "",
        }

    def address(self, turn: Turn) -> tuple[Part, ...]:
        """Where the browser is, without the query and cut short: all of it is the page's to choose."""
        where = short_address(turn.sight.observation.url or "")
        if not where:
            return ()
        shown: Part = Untrusted(where, "address") if self.manner.fence_address else Text(where)
        return (*self.parts("address", address=shown), Text("\n"))

    def news(self, turn: Turn) -> tuple[Part, ...]:
        """What became of the last actions and what else happened, in the environment's words."""
        lines = [*map(_outcome, turn.sight.taken), *(f"- {notice.text}" for notice in turn.sight.notices)]
        dialog = turn.sight.observation.dialog
        told = "\n".join([line for line in lines if line] + ([_dialog(dialog)] if dialog else []))
        return (*self.parts("news", news=Untrusted(told, "browser")), Text("\n")) if told else ()

    def answers(self, turn: Turn) -> str:
        """What the user answered to questions."""
        given = [taken.result for taken in turn.sight.taken if isinstance(taken.action, Ask) and taken.result]
        return "".join(f"{self.words('answer', answer=answer)}\n" for answer in given)


def answered(read: Said) -> Said:
    """For families whose calls have no place for an answer: what is said at the end is the answer."""
    words = read.action_text or read.thought
    actions = tuple(
        replace(action, answer=words) if isinstance(action, Terminate) and action.answer is None else action
        for action in read.actions
    )
    return replace(read, actions=actions)


def recent(turns: Sequence[Turn], screenshots: int) -> int:
    """The number of the first turn whose screenshot is still shown."""
    return max(0, len(turns) - screenshots)


def short_address(url: str, most: int = 100) -> str:
    """An address without its query and fragment, in one line and cut short.

    >>> short_address("https://shop.example/a b?q=1#top")
    'https://shop.example/a%20b'
    """
    bare = url.split("#", 1)[0].split("?", 1)[0]
    line = "%20".join(bare.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def merged(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Neighbouring messages of the same side made one, a blank line apart, for services that insist on turns."""
    made: list[Message] = []
    for message in messages:
        if made and made[-1].role == message.role:
            made[-1] = Message(message.role, (*made[-1].parts, Text("\n\n"), *message.parts))
        else:
            made.append(message)
    return tuple(made)


def _outcome(taken: Taken) -> str:
    """What an action came to, where there is something to say; the user's answers are told elsewhere."""
    if taken.error:
        return f"- {kind(taken.action)} failed: {taken.error}"
    if taken.result and not isinstance(taken.action, Ask):
        return f"- {kind(taken.action)}: {taken.result[:LONGEST_RESULT]}"
    return ""


def _dialog(dialog: Dialog) -> str:
    files = f" (files: {', '.join(dialog.options)})" if dialog.options else ""
    return f"- a dialog is open ({dialog.kind}): {dialog.message}{files}"
