"""A family tried without a model, so that prompts of a user's own that ask for something nobody offers are found before
anything starts."""

from __future__ import annotations

from typing import Any

from workalike.agents.family import Family
from workalike.agents.turns import Turn
from workalike.core.actions import Ask, Click, Memorize, Visit, Wait
from workalike.core.contracts import Sight
from workalike.core.observation import Dialog, Element, Observation, Tab
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task, TaskFile
from workalike.core.trajectory import Taken
from workalike.dialects.reply import Reply as Said

_TASK = Task("rehearsal", "Try.", persona={"name": "Ada"}, files=(TaskFile("a.txt", "a.txt"),))
_SEEN = Observation(
    size=Size(1440, 900),
    url="http://a.example/",
    tabs=(Tab("http://a.example/", "one", True), Tab("http://b.example/", "two", False)),
    dialog=Dialog("alert", "Hello"),
    elements=(Element("button", "Go", Box(0.4, 0.4, 0.2, 0.2), 1),),
)
_ANSWERED = Taken(Ask("Which?"), result="This.")
_FAILED = Taken(Click(Point(0.5, 0.5)), error="nothing there")
_SAID = Said((Memorize("a fact"),), "I think.", "I see.", "I note it.")
_GONE = Said((Visit("http://b.example/"),), "I think.", "I see.", "I go there.")
_LOOKED = Said((Wait(0), Wait(0)), "I think.", "I see.", "I look.")
_CASES = ((_SAID, (_ANSWERED, _FAILED)), (_GONE, (_FAILED,)), (_GONE, ()), (_LOOKED, ()), (None, ()))


def rehearse(family: Family[Any]) -> None:
    """Put together requests with everything in them, and corrections; raises what is wrong with the prompts."""
    for told, taken in _CASES:
        turns = [Turn(0, Sight(_SEEN, taken=taken), warned=True)]
        while family.first_shown(turns) == 0 or len(turns) < 4:
            turn = turns[-1]
            turn.said, turn.reply = told, family.in_own_words(told or _GONE, turn)
            turn.corrected = family.correction(turn.reply, "no reason", turn)
            turns.append(Turn(len(turns), Sight(_SEEN, taken=taken), warned=True))
        family.request(_TASK, turns)
    family.request(_TASK, [Turn(0, Sight(_SEEN))])
