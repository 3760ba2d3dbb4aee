"""Training examples out of trajectories: each step is replayed through a family, and becomes the request by which its
agent would have asked for it, with the reply that says what was done.

Whatever a family shows of the past (screenshots, replies, what became of actions, facts, warnings) is in it, for it is
put together by the very same functions. A past step that the family has no form for is told in plain words. What cannot
be made into an example is counted by reason, never skipped in silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from workalike.core.actions import Opaque, Terminate, Write, points
from workalike.core.contracts import Percept
from workalike.core.errors import Inexpressible
from workalike.core.observation import Observation
from workalike.core.screen import Size
from workalike.core.trajectory import ActionResult, Notice, Step, Trajectory
from workalike.core.wording import in_words
from workalike.dataset.defects import WARNINGS, Defect, code_defects, is_plain_name, without_effect
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.mending import mend_code
from workalike.dataset.wellformed import CONTROL, has_fence, says_nothing
from workalike.dialects.reply import ParsedReply
from workalike.families import FAMILIES, family
from workalike.families.base import EMPTY, Family, worded
from workalike.families.turns import Turn
from workalike.formats.agentnet_trajectories import THEIRS
from workalike.models.messages import Reply
from workalike.models.prompts import Prompts
from workalike.store.layers import SUMMARY

REPLIES = "replies"
"""Where a step's `extra` holds what a model really replied on it, as `dataset.sources` finds it in the transcript."""
_AGENT_S_OWN = ("loop", "unreadable", "safety_check")
_TEXTS = {"observation_text": "observation", "thought": "thought", "action_text": "action"}
_CODE = re.compile(r"```python\n(.*?)\n```", re.DOTALL)
_CHAT = re.compile(r"<\|[\w/-]{1,40}\|>|</?tool_(?:call|response)>")
_HEAD = re.compile(r"^[ \t]*#{1,2} (?:(?:Observation|Thought|Action|Code):|Step \d+:)", re.MULTILINE)


class _Told:
    """What a step says: as a reply would, with what is wrong with its texts, by their names."""

    def __init__(self, step: Step, says: Iterable[str], doubted: bool) -> None:
        self.spoilt: dict[str, str] = {}
        self._doubted = doubted
        texts = {name: self._sound(name, getattr(step, name)) for name in says}
        self.reply = ParsedReply(tuple([taken.action for taken in step.actions]), **texts)
        self._step = step

    def _sound(self, name: str, text: str | None) -> str | None:
        """A text that can stand in a reply; one that would break its form is told nowhere."""
        if text is None or says_nothing(text):
            return None
        reason = broken(text) if self._doubted else None
        if reason is not None:
            self.spoilt[name] = reason
            return None
        return plain_lines(text).strip()

    def by(self, made: Family[Any]) -> ParsedReply:
        """What the family is to say. The sentence for the action, where it lacks one, is made by rule."""
        if "action_text" not in made.lacks(self.reply):
            return self.reply
        return replace(self.reply, action_text=self.by_rule)

    @property
    def by_rule(self) -> str:
        """What was done, in words that nobody wrote."""
        return " ".join(map(in_words, self._step.actions))


class FamilyExamples:
    """Makes examples in a family's own words. `left_out` counts the steps that gave none, by reason; `told` the
    examples with something in them that a reader should know of."""

    def __init__(self, recipe: Recipe, prompts: Prompts | None = None) -> None:
        self.recipe, self.left_out, self.told = recipe, Counter[str](), Counter[str]()
        prompts = prompts or Prompts()
        self.families = {
            level: family(recipe.family, recipe.settings(level), prompts) for level in recipe.levels or ("",)
        }
        self.sized = any(made.sized for made in self.families.values())

    def examples(self, trajectory: Trajectory) -> Iterator[Example]:
        """One example for every step that is worth learning."""
        instruction = plain_lines(instruction_of(trajectory, self.recipe.instruction))
        reason = unfit_instruction(instruction)
        if reason is not None:
            self.left_out[reason] += len(trajectory.steps)
            return
        task = replace(trajectory.task, instruction=instruction)
        theirs = THEIRS in trajectory.extra
        replays = {level: _Replay(made, trajectory) for level, made in self.families.items()}
        says = {"action_text", *(name for made in self.families.values() for name in made.says)}
        doubted = _may_be_broken(trajectory, says)
        before: tuple[ActionResult, ...] = ()
        for place, step in enumerate(trajectory.steps):
            level, told = self.recipe.level_of(trajectory.id, place), _Told(step, says, doubted)
            percept = Percept(_seen(step, self.sized or not theirs), taken=before, notices=_notices(step))
            before = step.actions
            for replay in replays.values():
                replay.look(percept)
            replay = replays[level]
            request = replay.family.request(task, replay.turns)
            history = replay.notes.copy()
            for each in replays.values():
                each.go_on(step, told)
            reason = self._unfit(replay, step, told) or wrong_code(step, theirs) or replay.problem
            reply = replay.turns[-1].reply
            if reason is not None or reply is None:
                self.left_out[reason or "no reply"] += 1
                continue
            self.told.update(history)
            self.told["actions told by rule"] += replay.by_rule
            self.told["code spelled anew"] += theirs and _anew(replay.family, reply, step)
            label = getattr(replay.family.settings, "level", self.recipe.family)
            yield Example(trajectory.id, place, request, reply, label, replay.by_rule)

    def _unfit(self, replay: _Replay, step: Step, told: _Told) -> str | None:
        """Why a step is not to be learned, or cannot be shown."""
        if step.correct is False and not self.recipe.wrong:
            return "judged wrong"
        if step.redundant is True and not self.recipe.redundant:
            return "judged redundant"
        if low := self.recipe.worthless(step):
            return low
        if not step.actions:
            return "no action"
        if any(isinstance(taken.action, Opaque) for taken in step.actions):
            return "unreadable code"
        if any(taken.error for taken in step.actions):
            return "its action failed"
        if leaves_screen(step):
            return "a place off the screen"
        return replay.untold(told) or replay.unseen(step)


class _Replay:
    """A trajectory as an agent of a family would have gone through it. `by_rule` and `problem` are of the last turn:
    whether its action is told by rule, and why it has no words, or none that can be learned; `notes` say what its past
    holds that a reader should know of."""

    def __init__(self, made: Family[Any], trajectory: Trajectory) -> None:
        self.family, self.turns = made, list[Turn]()
        self.notes: set[str] = set()
        self.by_rule = False
        self.problem: str | None = None
        agent = trajectory.provenance.settings.get("agent") if trajectory.provenance else None
        known = FAMILIES.get(agent) if isinstance(agent, str) else None
        self._own = bool(made.api and known and known[1] == type(made).__name__)

    def look(self, percept: Percept) -> None:
        self.turns.append(self.family.look(self.turns, percept))

    def go_on(self, step: Step, told: _Told) -> None:
        """Take what was done for the family's own. A service's replies are handed back as they came, which no words of
        ours can stand for; so they are taken from the transcript where this family's agent made it."""
        turn, replies = self.turns[-1], step.extra.get(REPLIES) if self._own else None
        self.by_rule, self.problem = False, None
        if replies:
            for number, reply in enumerate(replies, 1):
                self.problem = self.family.hear(turn, reply, again=number < len(replies))
            self.problem = self.problem and "a reply that could not be read"
            return
        if not step.actions:
            turn.reply = worded(step.reply or told.reply.action_text or told.reply.thought or EMPTY)
            return
        said = told.by(self.family)
        self.by_rule = said is not told.reply
        error = self.family.recall(turn, said)
        if error is not None:
            turn.reply = worded(said.action_text or said.thought or told.by_rule)
            self.problem = (
                f"no words for {error.kind}" if isinstance(error, Inexpressible) else "words nobody could read"
            )
            self.notes.add("examples with a history in plain words")
        elif self.by_rule:
            self.notes.add("examples with a history told by rule")
        self.problem = self.problem or _broken_code(step, turn.reply)

    def untold(self, told: _Told) -> str | None:
        """What a reply would lack, or what it would break on."""
        spoilt = next((told.spoilt[name] for name in self.family.says if name in told.spoilt), None)
        lacking = self.family.lacks(told.by(self.family))
        if spoilt or not lacking:
            return spoilt
        return f"no {_TEXTS[lacking[0]]} for {self.family.settings.level}"

    def unseen(self, step: Step) -> str | None:
        """What the family wants to see and a step does not show."""
        wants, seen = self.family.wants, self.turns[-1].percept.observation
        if wants.picture and seen.picture is None:
            return no_picture(step)
        if wants.elements and seen.elements is None:
            return "no elements"
        return "screen size unknown" if self.family.sized and seen.size is None else None


def _may_be_broken(trajectory: Trajectory, names: Iterable[str]) -> bool:
    """Whether any of its texts may be `broken`: one look at all of them spares nearly every one its own."""
    texts = [text for step in trajectory.steps for name in names if (text := getattr(step, name))]
    joined = "\n".join(texts)
    return "<" in joined or "#" in joined or has_fence(joined) or CONTROL.search(joined) is not None


def _seen(step: Step, sized: bool) -> Observation:
    """What is shown: no picture by an unsafe name, and the size where it is known and fits one. The screen that
    somebody else's metadata tells need not be the picture's: without `sized` it is left out."""
    seen, size = step.observation, screen_of(step) if sized else None
    if size is not None and not 0 < max(size.width, size.height) <= 200 * min(size.width, size.height):
        size = None  # no picture of such a size can be seen
    picture = seen.picture if seen.picture is not None and is_plain_name(seen.picture.name) else None
    return seen if size == seen.size and picture is seen.picture else replace(seen, picture=picture, size=size)


def _notices(step: Step) -> tuple[Notice, ...]:
    """What the agent was told of; the notices of its own came later."""
    return tuple(notice for notice in step.notices if notice.kind not in _AGENT_S_OWN) if step.notices else ()


def _broken_code(step: Step, reply: Reply | None) -> str | None:
    """Why what is typed or answered cannot be learned: it holds what the form around it is made of."""
    spoken = [taken.action for taken in step.actions if isinstance(taken.action, Write | Terminate)]
    typed = [action.text if isinstance(action, Write) else action.answer or "" for action in spoken]
    if not typed:
        return None
    if reply and any("```" in text for text in typed) and "```python" in reply.text:
        return "a fence within the code"
    return next((reason for reason in map(unwritable, typed) if reason), None)


def _anew(made: Family[Any], reply: Reply, step: Step) -> bool:
    """Whether published code, which is the step's reply, is written otherwise where it could be written the same."""
    found = _CODE.search(reply.text) if step.reply and not made.sized else None
    return found is not None and found[1] != step.reply


def instruction_of(trajectory: Trajectory, field: str) -> str:
    """The words in which the task is put: the instruction, or another published wording of it."""
    said = (trajectory.extra.get(name) for name in (SUMMARY, THEIRS) if field != "instruction")
    other = next((each[field] for each in said if isinstance(each, dict) and each.get(field)), None)
    return other if isinstance(other, str) and other else trajectory.task.instruction


def unfit_instruction(instruction: str) -> str | None:
    """Why nobody can be asked in these words."""
    if says_nothing(instruction):
        return "no instruction"
    return unwritable(instruction)


def broken(text: str) -> str | None:
    """Why a text cannot stand in what is learned: it would end its part, or the whole of it, before its end."""
    if has_fence(text):
        return "a fence within a text"
    if "# " in text and _HEAD.search(text):
        return "a head of the form within a text"
    return unwritable(text)


def unwritable(text: str) -> str | None:
    """What no trainer's template survives, wherever it stands."""
    if "<" in text and _CHAT.search(text):
        return "a chat token within a text"
    return "a control character within a text" if CONTROL.search(text) else None


def wrong_code(step: Step, theirs: bool) -> str | None:
    """What is wrong with what a step does, as `dataset validate` says it; published code, which is the reply, is looked
    at as it would be mended."""
    found: Iterable[Defect] = without_effect(taken.action for taken in step.actions)
    if theirs and step.reply:
        found = code_defects(mend_code(step.reply)[0])
    kind = next((defect.kind for defect in found if defect.kind not in WARNINGS), None)
    return None if kind is None else f"code: {kind}"


def no_picture(step: Step) -> str:
    """Why a step has no picture to show."""
    return (
        "no picture" if not (step.observation.picture and step.observation.picture.name) else "an unsafe picture name"
    )


def leaves_screen(step: Step) -> bool:
    """Whether a step does something where no screen is."""
    return any(not point.on_screen for taken in step.actions for point in points(taken.action))


def plain_lines(text: str) -> str:
    """A text with plain line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def screen_of(step: Step) -> Size | None:
    """The size of the screen a step was taken on, where it is known."""
    picture = step.observation.picture
    return step.observation.size or (picture.size if picture else None)
