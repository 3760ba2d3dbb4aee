"""Training messages out of trajectories, in the order the published models were trained on.

    system · (screenshot · # Step i: what was done) … · screenshot and # Task Instruction: · # Step n: to be learned

Earlier steps are told at the history's level, the last few with their screenshots; the step to learn is told at its own
level, with its code. What cannot be made into an example is counted by reason, never skipped in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workalike.core.actions import Opaque
from workalike.core.errors import DialectError
from workalike.core.screen import Size
from workalike.core.trajectory import Step, Trajectory
from workalike.dataset.examples import Example, Level, Message, Recipe, Seen, Words
from workalike.dialects import pyautogui
from workalike.dialects.gestures import scrolls_in
from workalike.dialects.values import DEFAULT_SCREEN
from workalike.formats.agentnet_trajectories import THEIRS
from workalike.models.prompts import Prompts

_PARTS: dict[Level, tuple[tuple[str, str], ...]] = {
    "l1": (("Action", "action_text"),),
    "l2": (("Thought", "thought"), ("Action", "action_text")),
    "l3": (("Observation", "observation_text"), ("Thought", "thought"), ("Action", "action_text")),
}


class OpenCUA:
    """Makes the examples of the published models. `left_out` counts the steps that gave none, by reason."""

    def __init__(self, recipe: Recipe, prompts: Prompts | None = None) -> None:
        self.recipe, self.prompts = recipe, prompts or Prompts()
        self.left_out: Counter[str] = Counter()
        self._systems = {
            level: Message("system", (Words(self.prompts.get(f"dataset/system_{level}").text),))
            for level in recipe.levels
        }
        self._instruction = self.prompts.get("dataset/instruction")

    def examples(self, trajectory: Trajectory) -> Iterator[Example]:
        """One example for every step that is worth learning."""
        recipe = self.recipe
        pictures = [_picture(step) for step in trajectory.steps]
        looks = [None if picture is None else Message("user", (picture,)) for picture in pictures]
        past = [_told(step, number, recipe.history_level, None) for number, step in enumerate(trajectory.steps, 1)]
        asked = Words(self._instruction.fill(instruction=instruction_of(trajectory, recipe.instruction)))
        as_published = THEIRS in trajectory.extra and recipe.coordinates == "fractions"
        for place, step in enumerate(trajectory.steps):
            level = recipe.level_of(trajectory.id, place)
            target = self._target(step, place, level, as_published)
            picture = pictures[place]
            if target is None:
                continue
            if picture is None:
                self.left_out["no picture"] += 1
                continue
            history = self._history(past, looks, place)
            now = Message("user", (picture, asked))
            yield Example(trajectory.id, place, (self._systems[level], *history, now, target), level)

    def _target(self, step: Step, place: int, level: Level, as_published: bool) -> Message | None:
        reason = self._unfit(step, level)
        if reason is None:
            code = step.reply if as_published else self._code(step)
            if code is not None:
                return _told(step, place + 1, level, code, trained=True)
            reason = "code has no such form"
        self.left_out[reason] += 1
        return None

    def _unfit(self, step: Step, level: Level) -> str | None:
        recipe = self.recipe
        if step.correct is False and not recipe.wrong:
            return "judged wrong"
        if step.redundant is True and not recipe.redundant:
            return "judged redundant"
        if not step.actions:
            return "no action"
        if any(isinstance(taken.action, Opaque) for taken in step.actions):
            return "unreadable code"
        missing = [name for name, field in _PARTS[level] if not getattr(step, field)]
        if missing:
            return f"no {missing[0].lower()} for {level}"
        if step.observation.size is None and recipe.coordinates in ("pixels", "qwen2.5"):
            return "screen size unknown"
        return None

    def _code(self, step: Step) -> str | None:
        size = step.observation.size or DEFAULT_SCREEN
        try:
            actions = scrolls_in("notches", [taken.action for taken in step.actions])
            return pyautogui.format(actions, size, self.recipe.space)
        except DialectError:
            return None

    def _history(self, past: list[Message], looks: list[Message | None], place: int) -> list[Message]:
        turns: list[Message] = []
        for earlier in range(max(0, place - self.recipe.history), place):
            look = looks[earlier] if earlier > place - self.recipe.pictures else None
            turn = past[earlier]
            if look is None:
                turns.append(turn)
            else:
                turns += (look, turn) if self.recipe.order == "before" else (turn, look)
        return turns


def instruction_of(trajectory: Trajectory, field: str) -> str:
    """The words in which the task is put: the instruction, or another published wording of it."""
    published = trajectory.extra.get(THEIRS)
    other = published.get(field) if isinstance(published, dict) and field != "instruction" else None
    return other if isinstance(other, str) and other else trajectory.task.instruction


def _told(step: Step, number: int, level: Level, code: str | None, trained: bool = False) -> Message:
    """A step in words; a text that it lacks is left out of the history."""
    texts = ((name, getattr(step, field)) for name, field in _PARTS[level])
    parts = [f"## {name}:\n{text.strip()}\n" for name, text in texts if text]
    if code is not None:
        parts.append(f"## Code:\n```python\n{code}\n```\n")
    return Message("assistant", (Words(f"# Step {number}:\n" + "\n".join(parts)),), trained)


def _picture(step: Step) -> Seen | None:
    return None if step.observation.picture is None else Seen(step.observation.picture)


def screen_of(step: Step) -> Size | None:
    """The size of the screen a step was taken on, where it is known."""
    picture = step.observation.picture
    return step.observation.size or (picture.size if picture else None)
