"""A family tried without a model, so that prompts of a user's own that ask for something nobody offers are found before
anything starts."""

from __future__ import annotations

from typing import Any

from understudy.agents.family import Family
from understudy.agents.turns import Turn
from understudy.core.actions import Ask, Click, Memorize, Visit
from understudy.core.contracts import Sight
from understudy.core.observation import Dialog, Element, Observation, Tab
from understudy.core.screen import Box, Point, Size
from understudy.core.task import Task, TaskFile
from understudy.core.trajectory import Taken
from understudy.dialects.reply import Reply as Said

_TASK = Task("rehearsal", "Try.", persona={"name": "Ada"}, files=(TaskFile("a.txt", "a.txt"),))
_SEEN = Observation(
    size=Size(1440, 900),
    url="http://a.example/",
    tabs=(Tab("http://a.example/", "one", True), Tab("http://b.example/", "two", False)),
    dialog=Dialog("alert", "Hello"),
    elements=(Element("button", "Go", Box(0.4, 0.4, 0.2, 0.2), 1),),
)
_TAKEN = (Taken(Ask("Which?"), result="This."), Taken(Click(Point(0.5, 0.5)), error="nothing there"))
_SAID = Said((Memorize("a fact"),), "I think.", "I see.", "I note it.")
_GONE = Said((Visit("http://b.example/"),), "I think.", "I see.", "I go there.")


def rehearse(family: Family[Any]) -> None:
    """Put together requests with everything in them, and corrections; raises what is wrong with the prompts."""
    for told, taken in ((_SAID, _TAKEN), (_GONE, ())):
        turns = [Turn(n, Sight(_SEEN, taken=taken), warned=True) for n in range(family.manner.screenshots + 2)]
        for turn in turns[:-1]:
            turn.said, turn.reply = told, family.in_own_words(told, turn)
            family.correction(turn.reply, "no reason")
        family.request(_TASK, turns)
    family.request(_TASK, [Turn(0, Sight(_SEEN))])
