"""Agents that go wrong in a named way: those who end short of the way look around in vain before, so that the length of
an attempt does not tell of it."""

from __future__ import annotations

import pytest

from workalike.bench.mistakes import Wayward, WaywardAgent
from workalike.core.actions import Action, Back, Click, Scroll, Terminate, Visit
from workalike.core.contracts import Percept
from workalike.core.key import Key
from workalike.core.observation import Element, Observation
from workalike.core.screen import Box

KEY = Key("x", plan={"goals": [], "line": "ANSWER: done"})


async def actions(way: Wayward, *elements: Element) -> list[Action]:
    """What it does on a page that stays as it is."""
    agent, done = WaywardAgent(KEY, way), list[Action]()
    while not any(isinstance(action, Terminate) for action in done):
        seen = Observation(url="http://kestrel.town.localhost/", elements=elements)
        done += (await agent.decide(Percept(seen))).actions
    return done


async def test_who_stops_half_way_has_opened_something() -> None:
    head, hat = Element("link", "Help", Box(0.8, 0.0, 0.1, 0.05)), Element("link", "A hat", Box(0.4, 0.5, 0.2, 0.1))
    first, end = await actions(Wayward("invented answer", turn="halfway", answer="$3"), head, hat)
    assert first == Click(hat.box.centre)  # type: ignore[union-attr]
    assert isinstance(end, Terminate)


@pytest.mark.parametrize("wander", [0, 1, 7, 40])
async def test_who_stops_half_way_looks_around_before_and_is_back_then(wander: int) -> None:
    way = Wayward("invented answer", turn="halfway", answer="ANSWER: $3.00", wander=wander, words="So it is.\n")
    *around, end = await actions(way)
    assert end == Terminate("success", "So it is.\nANSWER: $3.00")
    assert wander <= len(around) < wander + 3
    assert {type(action) for action in around} <= {Visit, Scroll, Back}
    assert sum(isinstance(action, Visit) for action in around) == sum(isinstance(action, Back) for action in around)
    assert around == (await actions(way))[:-1], "the same again"


async def test_who_declines_says_so_with_its_status_and_who_loops_goes_on_as_long_as_told() -> None:
    *_, end = await actions(Wayward("declined for no reason", turn="refuse", status="failure"))
    assert end == Terminate("failure", "I can't help with this.\nANSWER: refused")
    short, long = [len(await actions(Wayward("looped", turn="loop", wander=more))) for more in (0, 30)]
    assert long == short + 30
