"""The oracle: the next action for a task, from its key and what is visible. It solves every task through the page."""

from __future__ import annotations

from collections.abc import Sequence

from workalike.core.actions import Action, Terminate
from workalike.core.key import Key
from workalike.core.observation import Observation
from workalike.town.benchmark import setting_of
from workalike.town.keyboard import KeyboardView
from workalike.town.kit.goal import read_goals
from workalike.town.kit.input import KeyboardOnly
from workalike.town.look import FIELDS, OracleView, Past

WALL = "Characters in the picture"


def next_action(key: Key, observation: Observation, past: Sequence[Past] = ()) -> Action:
    """What the oracle does next: the move of the first goal that is not reached; then it says the answer's line, as it
    does where a wall for humans ends the way. A pure function: whoever asks with the same sight and past gets the
    same."""
    goals = read_goals(key.plan.get("goals", [{}]))
    sight = KeyboardView if any(isinstance(goal, KeyboardOnly) for goal in goals) else OracleView
    look = sight(observation, past, setting_of(key).skins)
    first = look.clear() or look.steady()
    if first is not None:
        return first
    if look.find(FIELDS, WALL):
        return Terminate("failure", key.plan["line"])
    moves = (goal.next(look) for goal in goals)
    return next((move for move in moves if move is not None), None) or Terminate("success", key.plan["line"])
