"""The oracle as a model: it knows who asks, about which attempt, and finds other words where a family lacks one."""

from __future__ import annotations

import msgspec
import pytest

from workalike.core.actions import Action, Back, Click, Hotkey, Press, Scroll, SwitchTab, Visit, Wait, Write
from workalike.core.key import Key
from workalike.core.observation import Element, Observation, TabInfo
from workalike.core.screen import Box, Point, Size
from workalike.families import names
from workalike.models.asked import Asked
from workalike.models.messages import Message, Request, Text
from workalike.town.answering import OracleAnswers, _in_this_tab, _with_port
from workalike.town.benchmark import find_task
from workalike.town.eyes import Eyes, PageReport
from workalike.town.town import Town

START = "http://search.town.localhost/"
SEARCH = Element("searchbox", "Search the web", Box(0.3, 0.3, 0.3, 0.1))
SEEN = Observation(
    size=Size(1440, 900),
    url=START,
    tabs=(TabInfo(START, "one", True), TabInfo("http://kestrel.town.localhost/", "two", False)),
    elements=(msgspec.structs.replace(SEARCH, mark=1),),
)


@pytest.fixture(scope="module")
def key() -> Key:
    return find_task(Town(), "shopping_1").key


def asked(model: str, conversation: int = 0, **headers: str) -> Asked:
    """A question after so many replies."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    question, reply = Message("user", (Text("Go on."),)), Message("assistant", (Text("Click."),))
    return Asked("chat", model, Request((*(question, reply) * conversation, question)), named)


def reporting(*tokens: str) -> Eyes:
    eyes = Eyes()
    for token in tokens:
        eyes.take(token, msgspec.json.encode(PageReport("tab", 1.0, START, "Search", Size(1440, 900), 1.0, (SEARCH,))))
    return eyes


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        ({"x_town_attempt": "b"}, True),
        ({"authorization": "Bearer a"}, True),
        ({"x_api_key": "b"}, True),
        ({"authorization": "Bearer bob"}, True),
        ({"x_town_attempt": "bob"}, True),
        ({"x_town_attempt": "gone"}, False),
        ({"authorization": "Bearer none-of-these"}, False),
        ({"x_town_attempt": "c"}, False),
        ({}, False),
    ],
)
async def test_attempts_are_told_apart(key: Key, headers: dict[str, str], known: bool) -> None:
    answers = OracleAnswers(reporting("a", "b"), {"a": key, "b": key}, {"bob": "b", "gone": "z"})
    reply = await answers(asked("fara", 0, **headers))
    assert ("Which attempt is this?" in reply.text) is not known
    assert ("left_click" in reply.text) is known


async def test_a_single_attempt_needs_no_token_and_a_page_not_seen_yet_is_waited_for(key: Key) -> None:
    answers = OracleAnswers(Eyes(), {"a": key})
    assert '"wait"' in (await answers(asked("fara"))).text


@pytest.mark.parametrize("speech", names())
async def test_every_family_is_told_to_wait_and_told_of_a_loss(key: Key, speech: str) -> None:
    """In whatever words it has for that."""
    waiting = await OracleAnswers(Eyes(), {"a": key})(asked(speech))
    assert "wait" in waiting.text.lower()
    strange = msgspec.structs.replace(key, plan={"goals": [{"goal": "NoneOfOurs"}], "line": ""})
    lost = await OracleAnswers(reporting("a"), {"a": strange})(asked(speech))
    assert "at a loss" in lost.text or "at a loss" in str(lost.calls)


async def test_whoever_is_no_family_is_told_so(key: Key) -> None:
    answers = OracleAnswers(reporting("a"), {"a": key})
    assert "which family" in (await answers(asked("gpt-2"))).text


@pytest.mark.parametrize("speech", names())
@pytest.mark.parametrize(
    "action",
    [
        Click(Point(0.4, 0.35)),
        Write("Lisbon"),
        Press(("enter",)),
        Press(("tab", "enter")),
        Hotkey(("ctrl", "a")),
        Scroll(dy=4),
        Wait(1.0),
        Back(),
        Visit("http://kestrel.town.localhost/"),
    ],
    ids=lambda action: type(action).__name__,
)
def test_every_family_can_say_what_the_oracle_does(key: Key, speech: str, action: Action) -> None:
    answers = OracleAnswers(Eyes(), {"a": key})
    assert answers._sayable(asked(speech), speech, action, SEEN)


async def test_a_request_that_comes_again_gets_the_same_answer(key: Key) -> None:
    """Its first reply was lost; the oracle must not think that it was carried out."""
    answers = OracleAnswers(reporting("a"), {"a": key})
    said = [(await answers(asked("fara", turns))).text for turns in (1, 1, 2, 2)]
    assert said[0] == said[1]
    assert said[1] != said[2]
    assert said[2] == said[3]
    lone = [(await answers(asked("fara"))).text for _ in range(2)]
    assert lone[0] != lone[1], "a question without a history may be put twice"


def test_addresses_keep_the_port_that_the_browser_came_by() -> None:
    outside = msgspec.structs.replace(SEEN, url="http://search.town.localhost:8400/")
    there = Visit("http://kestrel.town.localhost/p?q=1")
    assert _with_port(there, outside) == Visit("http://kestrel.town.localhost:8400/p?q=1")
    assert _with_port(there, SEEN) == there
    assert _with_port(Visit("http://elsewhere.test/"), outside) == Visit("http://elsewhere.test/")
    assert _with_port(Back(), outside) == Back()


def test_another_tab_is_visited_in_this_one() -> None:
    assert _in_this_tab(SwitchTab(1), SEEN) == Visit("http://kestrel.town.localhost/")
    assert _in_this_tab(SwitchTab(7), SEEN) == SwitchTab(7)
