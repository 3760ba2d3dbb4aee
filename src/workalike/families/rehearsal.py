"""A family tried without a model, so that prompts of a user's own that ask for something nobody offers are found before
anything starts."""

from __future__ import annotations

from typing import Any

from workalike.core.actions import Ask, Click, Memorize, Visit, Wait
from workalike.core.contracts import Percept
from workalike.core.observation import Beyond, Dialog, Element, Observation, TabInfo
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task, TaskFile
from workalike.core.trajectory import ActionResult
from workalike.dialects.reply import ParsedReply
from workalike.families.base import Family
from workalike.families.turns import Turn

_TASK = Task("rehearsal", "Try.", persona={"name": "Ada"}, files=(TaskFile("a.txt", "a.txt"),))
_SEEN = Observation(
    size=Size(1440, 900),
    url="http://a.example/",
    tabs=(TabInfo("http://a.example/", "one", True), TabInfo("http://b.example/", "two", False)),
    dialog=Dialog("alert", "Hello"),
    elements=(Element("button", "Go", Box(0.4, 0.4, 0.2, 0.2), 1),),
    beyond=Beyond(below=1.0),
)
_ANSWERED = ActionResult(Ask("Which?"), result="This.")
_FAILED = ActionResult(Click(Point(0.5, 0.5)), error="nothing there")
_SAID = ParsedReply((Memorize("a fact"),), "I think.", "I see.", "I note it.")
_GONE = ParsedReply((Visit("http://b.example/"),), "I think.", "I see.", "I go there.")
_LOOKED = ParsedReply((Wait(0), Wait(0)), "I think.", "I see.", "I look.")
_CASES = ((_SAID, (_ANSWERED, _FAILED)), (_GONE, (_FAILED,)), (_GONE, ()), (_LOOKED, ()), (None, ()))


def rehearse(family: Family[Any]) -> None:
    """Put together requests with everything in them, and corrections; raises what is wrong with the prompts."""
    for told, taken in _CASES:
        turns = [Turn(0, Percept(_SEEN, taken=taken), warned=True)]
        while family.first_shown(turns) == 0 or len(turns) < 4:
            turn = turns[-1]
            family.recall(turn, told or _GONE)
            turn.said = told
            assert turn.reply is not None
            turn.corrected = family.correction(turn.reply, "no reason", turn)
            turns.append(Turn(len(turns), Percept(_SEEN, taken=taken), warned=True))
        family.request(_TASK, turns)
    family.request(_TASK, [Turn(0, Percept(_SEEN))])
    family.words("say", task=family.task(_TASK), said="nothing", question="Which?")
