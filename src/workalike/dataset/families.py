"""Training messages in the words of a model family (fara, uitars, qwen, som), so that what was solved can be learned
from.

    system · user (task, screenshot) · assistant (reply) · user (screenshot) · assistant (reply) …

Only the last few screenshots are shown; an older one is a line that says so. A past step that has no form in the family
is told in plain words. Only the last reply is learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from workalike.core.actions import Action, Opaque, Terminate
from workalike.core.errors import Inexpressible
from workalike.core.observation import Observation
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.examples import Example, Message, Recipe, Seen, Words
from workalike.dataset.messages import instruction_of
from workalike.dialects import fara, qwen, som, uitars
from workalike.dialects.gestures import scrolls_by, scrolls_in
from workalike.dialects.reply import Reply
from workalike.models.prompts import Prompts

Writer = Callable[[Reply, Observation], str]


class NoSize(Exception):
    """A place cannot be written without knowing the screen."""


def _sized(write: Callable[..., str], *more: object) -> Writer:
    def written(reply: Reply, seen: Observation) -> str:
        size = seen.size or (seen.picture.size if seen.picture else None)
        if size is None:
            raise NoSize
        return write(reply, size, *more)

    return written


WRITERS: dict[str, Writer] = {
    "fara": _sized(fara.write_reply, fara.FARA_7B),
    "fara-1.5": _sized(fara.write_reply, fara.FARA_15),
    "qwen": _sized(qwen.write_reply, qwen.QWEN_3),
    "qwen-2.5": _sized(qwen.write_reply, qwen.QWEN_25),
    "uitars": _sized(uitars.write_reply),
    "som": lambda reply, seen: som.write_reply(reply, seen.elements or ()),
}
_ANSWER_IN_THOUGHT = ("fara", "qwen-2.5")
_PROMPTS = {"fara-1.5": "fara", "qwen-2.5": "qwen"}


class InFamily:
    """Makes examples in a family's own form. `left_out` counts the steps that gave none, by reason."""

    def __init__(self, recipe: Recipe, prompts: Prompts | None = None) -> None:
        self.recipe, self.prompts = recipe, prompts or Prompts()
        self.left_out: Counter[str] = Counter()
        self._write = WRITERS[recipe.family]
        system = self.prompts.get(f"dataset/system_{_PROMPTS.get(recipe.family, recipe.family)}").text
        self._system = Message("system", (Words(system),))
        self._unseen = Words(self.prompts.get("dataset/no_picture").text)
        self._task = self.prompts.get("dataset/family_task")

    def examples(self, trajectory: Trajectory) -> Iterator[Example]:
        """One example for every step whose past can be told in the family's words."""
        task = Words(self._task.fill(instruction=instruction_of(trajectory, self.recipe.instruction)))
        replies: list[Message | None] = []
        for place, step in enumerate(trajectory.steps):
            reason, reply = self._reply(step)
            replies.append(reply or _in_plain_words(step))
            reason = reason or self._unfit(step)
            first = max(0, place - self.recipe.history)
            if reason is None and None in replies[first:place]:
                reason = "its history has no such form"
            if reason is not None or reply is None:
                self.left_out[reason or "no such form"] += 1
                continue
            turns = self._turns(trajectory, replies, first, place, task)
            yield Example(trajectory.id, place, (self._system, *turns), self.recipe.family)

    def _turns(
        self, trajectory: Trajectory, replies: list[Message | None], first: int, place: int, task: Words
    ) -> Iterator[Message]:
        for earlier in range(first, place + 1):
            shown = self._picture(trajectory.steps[earlier]) if earlier > place - self.recipe.pictures else None
            seen = shown or self._unseen
            yield Message("user", (task, seen) if earlier == first else (seen,))
            reply = replies[earlier]
            assert reply is not None
            yield Message("assistant", reply.parts, trained=earlier == place)

    def _reply(self, step: Step) -> tuple[str | None, Message | None]:
        actions = tuple(taken.action for taken in step.actions)
        if not actions:
            return "no action", None
        if any(isinstance(action, Opaque) for action in actions):
            return "unreadable code", None
        try:
            text = self._write(self._said(step), step.observation)
        except NoSize:
            return "screen size unknown", None
        except Inexpressible as error:
            return f"no words for {error.kind}", None
        return None, Message("assistant", (Words(text),))

    def _said(self, step: Step) -> Reply:
        """The step as a reply. A family whose call has no place for an answer tells it as the last thought."""
        actions = self._fitting(tuple(taken.action for taken in step.actions))
        answer = next((each.answer for each in actions if isinstance(each, Terminate) and each.answer), None)
        if answer is None or self.recipe.family not in _ANSWER_IN_THOUGHT:
            return Reply(actions, step.thought)
        bare = [replace(each, answer=None) if isinstance(each, Terminate) else each for each in actions]
        return Reply(tuple(bare), answer)

    def _fitting(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """Scrolls in the unit of the family; one that names only a direction scrolls by its own amount."""
        if self.recipe.family == "uitars":
            return scrolls_by(uitars.NOTCHES, actions)
        return scrolls_in("pixels", actions) if self.recipe.family.startswith(("fara", "qwen")) else actions

    def _unfit(self, step: Step) -> str | None:
        if step.observation.picture is None:
            return "no picture"
        if step.correct is False and not self.recipe.wrong:
            return "judged wrong"
        if step.redundant is True and not self.recipe.redundant:
            return "judged redundant"
        if any(taken.error for taken in step.actions):
            return "its action failed"
        return None

    def _picture(self, step: Step) -> Seen | None:
        if step.observation.picture is None:
            return None
        marked = step.observation.elements or () if self.recipe.family == "som" else ()
        return Seen(step.observation.picture, tuple(element for element in marked if element.mark is not None))


def _in_plain_words(step: Step) -> Message | None:
    """A past step that the family has no words for, told as it was described; None where nobody described it."""
    told = step.action_text or step.thought
    return Message("assistant", (Words(told),)) if told else None
