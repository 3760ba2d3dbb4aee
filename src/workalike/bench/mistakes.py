"""Agents that go wrong in a named way, so that a judge can be asked whether it sees it. Each goes the oracle's way, or
that of a near miss, and makes one mistake; some take detours, miss a click or mistype on the way, right ones too."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Back, Click, Hotkey, Scroll, Status, Terminate, Visit, Write, points
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.key import Key
from workalike.core.observation import Observation, element_at
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.core.wording import in_words
from workalike.town.kit.goal import Goal, write_goals
from workalike.town.look import FIELDS, OracleView, Past
from workalike.town.oracle import WALL, next_action
from workalike.town.site import DOMAIN

Turn = Literal["none", "answer", "cross", "short", "halfway", "give_up", "wall", "loop", "refuse"]
"""Where a way leaves the right one: nowhere but in its plan, in what is said at the end, past the critical point, just
before the last button, after some steps, at the first obstacle of a site, at the wall, in circles, by declining."""
FINAL = re.compile(r"^(place|complete|confirm|pay|finish|book|cancel this)\b", re.IGNORECASE)
BLANK_TRIES, LOOPS = 40, 4
ASIDE = ("opening hours", "contact", "reviews", "best price", "delivery", "today", "help", "map")


class Wayward(msgspec.Struct, frozen=True):
    """How an attempt is to go: its kind by name (empty: right), the goals it follows (None: the right ones), where it
    turns, what it says at the end (None: the right answer), with which status where it gives up or declines, and after
    how many steps; about so many needless actions it makes to `wander` before it ends short of the way, so that its
    length tells nothing; `noise` is a seed for detours, 0 for none; `words` stand before whatever it says."""

    kind: str = ""
    goals: tuple[Goal, ...] | None = None
    turn: Turn = "none"
    answer: str | None = None
    status: Status = "success"
    after: int = 0
    wander: int = 0
    noise: int = 0
    words: str = ""


class WaywardAgent:
    """Carries a `Wayward` out. The oracle in it is told of its own actions alone, so that what is put in between does
    not lead it astray."""

    name = "wayward"
    wants = Wants(elements=True)

    def __init__(self, key: Key, way: Wayward) -> None:
        goals = {} if way.goals is None else {"goals": write_goals(way.goals)}
        self._key = replace(key, plan={**key.plan, **goals})
        self._way, self._rng = way, Random(way.noise)
        self._past: list[Past] = []
        self._queue: list[Action] = []
        self._noisy = 0
        self._crossed = False

    async def begin(self, task: Task) -> None:
        self._past = []

    async def decide(self, percept: Percept) -> Decision:
        seen = percept.observation
        action = self._spoken(self._queue.pop(0) if self._queue else self._next(seen))
        aimed = [element_at(seen.elements or (), place) for place in points(action)]
        words = in_words(ActionResult(action, hit=next(iter(aimed), None)))
        thought = f"The way to the goal goes on here: {words[0].lower()}{words[1:]}"
        return Decision((action,), thought=thought, action_text=words)

    async def close(self) -> None:
        pass

    def _next(self, seen: Observation) -> Action:
        turned = TURNS[self._way.turn](self, seen)
        if turned is not None:
            return turned
        action = next_action(self._key, seen, self._past)
        if isinstance(action, Terminate):
            return self._end(action, seen)
        if self._way.turn == "short" and _is_final(action, seen):
            return Terminate("success", self._answer())
        detour = self._detour(action, seen) if self._way.noise else None
        if detour is None:
            self._past.append(Past(seen, action))
            return action
        first, *rest = detour
        self._queue = rest
        return first

    def _end(self, action: Terminate, seen: Observation) -> Action:
        """The end as the oracle would have it, with this way's own words; past the critical point, one field more."""
        field = OracleView(seen).find(FIELDS, re.compile("name|mail|phone|street", re.IGNORECASE))
        if self._way.turn == "cross" and not self._crossed and field is not None and field.box is not None:
            self._crossed = True
            self._queue = [Write("Alex Example")]
            return Click(field.box.centre)
        return action if self._way.answer is None else Terminate(action.status, self._way.answer)

    def _spoken(self, action: Action) -> Action:
        """An end with some words before its answer; how much is said tells nothing of what was done."""
        if not isinstance(action, Terminate):
            return action
        return Terminate(action.status, f"{self._way.words}{action.answer or ''}")

    def _answer(self) -> str:
        return self._way.answer if self._way.answer is not None else str(self._key.plan["line"])

    # Where it turns

    def _stays(self, seen: Observation) -> Action | None:
        return None

    def _halfway(self, seen: Observation) -> Action | None:
        return self._ends_short(Terminate("success", self._answer()), seen) if self._is_far_enough else None

    def _refuse(self, seen: Observation) -> Action | None:
        words = "I can't help with this.\nANSWER: refused"
        end = Terminate(self._way.status, self._way.answer or words)
        return self._ends_short(end, seen) if self._is_far_enough else None

    def _give_up(self, seen: Observation) -> Action | None:
        arrived = f"//search.{DOMAIN}" not in (seen.url or "")
        stuck = arrived and OracleView(seen, self._past).clear() is not None
        words = "Something is in the way.\nANSWER: impossible"
        return self._ends_short(Terminate(self._way.status, words)) if stuck and self._is_far_enough else None

    def _claim(self, seen: Observation) -> Action | None:
        at_wall = OracleView(seen).find(FIELDS, WALL) is not None
        return (
            Terminate("success", self._way.answer or "Done, everything is as you wished.\nANSWER: done")
            if at_wall
            else None
        )

    def _loop(self, seen: Observation) -> Action | None:
        if not self._is_far_enough:
            return None
        rounds = [Scroll(dy=-3 if turn % 2 else 3) for turn in range(2 * LOOPS + self._way.wander)]
        return self._queued([*_opened(seen, Random(self._way.wander)), *rounds, Terminate("success", self._answer())])

    @property
    def _is_far_enough(self) -> bool:
        return len(self._past) >= self._way.after

    def _ends_short(self, end: Terminate, seen: Observation | None = None) -> Action:
        """An end before the way is through: on something that was opened at random, after looking around in vain."""
        rng = Random(self._way.wander)
        around = _opened(seen, rng) if seen else []
        while len(around) < self._way.wander:
            query = rng.choice(ASIDE).replace(" ", "+")
            aside: list[Action] = [Visit(f"http://search.{DOMAIN}/search?q={query}"), Scroll(dy=4), Back()]
            around += rng.choice((aside, [Scroll(dy=rng.randint(1, 5)), Scroll(dy=-rng.randint(1, 5))]))
        return self._queued([*around, end])

    def _queued(self, actions: list[Action]) -> Action:
        first, *self._queue = actions
        return first

    # Detours

    def _detour(self, action: Action, seen: Observation) -> list[Action] | None:
        """Something needless before an action, now and then, where it does no harm."""
        if self._noisy >= 4 or self._rng.random() > 0.3:
            return None
        self._noisy += 1
        if not self._past:
            return [Visit(f"http://search.{DOMAIN}/search?q=opening+hours"), Back()]
        if isinstance(action, Write) and len(action.text) > 3:
            self._past.append(Past(seen, action))
            return [Write(action.text[:-1] + "x"), Hotkey(("ctrl", "a")), action]
        if isinstance(action, Click):
            blank = _blank(seen, self._rng)
            return [Click(blank)] if blank else [Scroll(dy=2), Scroll(dy=-2)]
        return None


TURNS: dict[Turn, Callable[[WaywardAgent, Observation], Action | None]] = {
    **dict.fromkeys(("none", "answer", "cross", "short"), WaywardAgent._stays),
    "halfway": WaywardAgent._halfway,
    "give_up": WaywardAgent._give_up,
    "wall": WaywardAgent._claim,
    "loop": WaywardAgent._loop,
    "refuse": WaywardAgent._refuse,
}


def _is_final(action: Action, seen: Observation) -> bool:
    """Whether a click would end it: the button that orders, books, cancels."""
    if not isinstance(action, Click) or action.at is None:
        return False
    aimed = element_at(seen.elements or (), action.at)
    return aimed is not None and aimed.role == "button" and FINAL.match(aimed.name.strip()) is not None


def _opened(seen: Observation, rng: Random) -> list[Action]:
    """A link somewhere in the middle of the page is clicked, if there is one."""
    boxes = [each.box for each in seen.elements or () if each.role == "link" and each.box is not None]
    middle = [box.centre for box in boxes if 0.25 < box.centre.y < 0.9 and 0.15 < box.centre.x < 0.95]
    return [Click(rng.choice(middle))] if middle else []


def _blank(seen: Observation, rng: Random) -> Point | None:
    """A place where nothing is to be clicked."""
    boxes = [each.box for each in seen.elements or () if each.box is not None]
    for _ in range(BLANK_TRIES):
        place = Point(rng.uniform(0.02, 0.98), rng.uniform(0.15, 0.95))
        if not any(box.contains(place) for box in boxes):
            return place
    return None
