"""Told apart by what they ask: every family is recognised, and spoken to in words it reads."""

from __future__ import annotations

from typing import Any

import pytest

from tests.families.conftest import ELEMENTS, SCREEN, TASK, percept
from tests.families.listing import listed
from workalike.core.actions import Action, Back, Click, Press, Scroll, Terminate, Visit, Write
from workalike.core.errors import Inexpressible
from workalike.core.screen import Point
from workalike.dialects.reply import ParsedReply
from workalike.families import family, names
from workalike.families.speech import speak, speech_of
from workalike.families.turns import Turn
from workalike.models.asked import Asked
from workalike.models.messages import Request, said

NAMES = {"som-text": "som", "openai-preview": "openai", "anthropic-2025": "anthropic"}
ACTIONS: tuple[Action, ...] = (
    Click(Point(0.2, 0.125)),
    Write("Lisbon"),
    Press(("enter",)),
    Scroll(dy=3),
    Terminate("success", "42"),
)


def asked_by(name: str) -> tuple[Any, Turn, Asked]:
    made = family(name)
    turn = Turn(0, percept(), made.shot(percept()))
    request = made.request(TASK, [turn])
    return made, turn, Asked(made.api or "chat", "some-model", request)


@pytest.mark.parametrize("name", names())
def test_every_family_is_recognised(name: str) -> None:
    _, _, asked = asked_by(name)
    assert speech_of(asked) == NAMES.get(name, name)


def test_a_models_name_may_say_which_family_it_is() -> None:
    request = Request((said("user", "hello"),))
    assert speech_of(Asked("chat", "opencua-relative", request)) == "opencua-relative"
    assert speech_of(Asked("chat", "m", request)) is None
    assert speech_of(Asked("chat", "som-text", request)) == "som-text"


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_what_is_spoken_is_read_again(name: str, action: Action) -> None:
    made, turn, asked = asked_by(name)
    reply = speak(ParsedReply((action,), "So."), speech_of(asked), SCREEN, ELEMENTS, asked)  # type: ignore[arg-type]
    read = made.read(reply, turn).actions[0]
    assert type(read) is type(action)
    if isinstance(action, Click) and isinstance(read, Click):
        assert read.at is not None
        assert action.at is not None
        assert read.at.distance(action.at) < 0.002
    if isinstance(action, Terminate):
        assert read == action


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_pages_are_moved_between_with_functions(name: str) -> None:
    made, turn, asked = asked_by(name)
    for action in (Visit("http://x/"), Back()):
        reply = speak(ParsedReply((action,)), speech_of(asked), SCREEN, (), asked)  # type: ignore[arg-type]
        assert made.read(reply, turn).actions == (action,)
    with pytest.raises(Inexpressible):
        speak(ParsedReply((Back(), Click())), speech_of(asked), SCREEN, (), asked)  # type: ignore[arg-type]


def test_a_list_of_elements_is_read_back() -> None:
    text = 'What you can act on:\n[1] textbox "City" = "Lisbon" (focused, required)\n[22] link "More"\n[x] no'
    first, second = listed(text)
    assert (first.mark, first.role, first.name, first.value, first.states) == (
        1,
        "textbox",
        "City",
        "Lisbon",
        ("focused", "required"),
    )
    assert (second.mark, second.value, second.states) == (22, None, ())
