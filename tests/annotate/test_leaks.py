"""Words that give away what only the annotator was shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.annotate.screens import demonstration
from workalike.annotate.leaks import LeakGuard, found_in, future_in, future_words, with_trees
from workalike.core.actions import Click, Write
from workalike.core.observation import Dialog, Element
from workalike.core.recording import Tree, TreeNode
from workalike.core.screen import Point
from workalike.core.trajectory import Trajectory
from workalike.models.prompts import Prompts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I click the button in the red circle.", "mentions the marker"),
        ("The Red Ring sits on Save.", "mentions the marker"),
        ("It is highlighted with a red outline.", "mentions the marker"),
        ("The arrow indicates the slider.", "mentions the marker"),
        ("The enlarged area shows a tick.", "mentions the crop"),
        ("The second image shows it closer.", "mentions the crop"),
        ("In the screenshot I see a list.", "mentions the crop"),
        ("It lies at x=0.41, y=0.2.", "mentions coordinates"),
        ("It lies at (0.41, 0.2).", "mentions coordinates"),
        ("Then click(0.4, 0.2) is called.", "mentions code"),
        ("According to the code I press Save.", "mentions code"),
        ("pyautogui presses the key.", "mentions code"),
        ("I click the highlighted element.", "mentions the marker"),
        ("The provided image has a list in it.", "mentions the crop"),
        ("It lies 45% from the left.", "mentions coordinates"),
    ],
)
def test_a_leak_is_found(text: str, kind: str) -> None:
    assert kind in dict(found_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "The settings page shows a slider for brightness, set to 100.",
        "A map with a red pin lies in the middle, beside a list of three hotels.",
        "I circle back to the list, press Enter and wait for the results.",
        "The first picture frame costs $31.90, the second one $12.",
        "I choose the outline tool, then drag across the canvas.",
        "The code 4821 from the e-mail goes into the field.",
    ],
)
def test_sound_words_pass(text: str) -> None:
    assert found_in(text) == []


def test_what_the_page_says_itself_is_no_leak() -> None:
    assert found_in("I click 'Red circle' in the list.", shown="shapes\nred circle\nblue square") == []


def test_words_that_only_come_after_are_found_where_elements_were_kept(tmp_path: Path) -> None:
    before = (Element("button", "Place order"), Element("heading", "Your basket"))
    after = (Element("heading", "Thank you, your order is on its way"), Element("text", "Order MX-4821"), *before)
    made = demonstration(tmp_path, [Click(Point(0.5, 0.5)), Write("x")], elements=(before, after))
    future = future_words(made, 0)
    assert future == {"thank you, your order is on its way", "order mx-4821"}
    assert future_in("I place it and get order MX-4821.", future) == "order mx-4821"
    assert future_in("I press Place order to buy what is in the basket.", future) is None
    bare = demonstration(tmp_path / "bare", [Click(Point(0.5, 0.5)), Write("x")])
    assert future_words(bare, 0) == set()


def seen_after(folder: Path, **after: Any) -> Trajectory:
    """A click on a button of a basket, and what is to be seen after it."""
    basket = (Element("button", "Place order"), Element("link", "Your basket"))
    made = demonstration(folder, [Click(Point(0.5, 0.5)), Write("x")], elements=(basket,))
    first, second = made.steps
    shop = replace(first.observation, title="Basket · Kestrel", url="http://shop.test/basket")
    later = replace(second.observation, **after)
    return replace(made, steps=(replace(first, observation=shop), replace(second, observation=later)))


@pytest.mark.parametrize(
    "after",
    [
        {"title": "Order placed · Kestrel"},
        {"window": "Order placed - Mozilla Firefox"},
        {"dialog": Dialog("alert", "Order placed!")},
        {"url": "http://shop.test/order-placed/?x=1"},
        {"elements": (Element("status", "Order placed."),)},
    ],
)
def test_a_short_phrase_that_the_next_screen_states_is_found(after: dict[str, Any], tmp_path: Path) -> None:
    future = future_words(seen_after(tmp_path, **after), 0)
    assert future_in("I press it, and the order placed is shown.", future) == "order placed"
    assert future_in("I place the order, which should then be confirmed.", future) is None


def test_what_can_be_foreseen_is_no_news(tmp_path: Path) -> None:
    after = {"title": "Your basket", "elements": (Element("button", "Continue shopping"),)}
    assert future_words(seen_after(tmp_path, **after), 0) == set()


def test_trees_of_a_recording_tell_what_comes_later(tmp_path: Path) -> None:
    made = demonstration(tmp_path, [Click(Point(0.5, 0.5)), Write("x")])
    first, second = (
        replace(step, observation=replace(step.observation, time=time))
        for step, time in zip(made.steps, (1.0, 3.0), strict=True)
    )
    timed = replace(made, steps=(first, second))
    buttons = TreeNode("frame", "Shop", children=(TreeNode("push button", "Place order"),))
    placed = TreeNode("frame", "Shop", children=(TreeNode("label", "Order placed"),))
    trees = [Tree(0.5, "focus", buttons), Tree(2.0, "settled", placed)]
    assert future_words(timed, 0) == set()
    assert future_words(with_trees(timed, trees), 0) == {"order placed"}
    assert future_words(with_trees(timed, trees[1:]), 0) == set(), "what was on the screen before is not known"


def test_a_number_in_the_next_address_is_found(tmp_path: Path) -> None:
    future = future_words(seen_after(tmp_path, url="http://shop.test/orders/MX-4821"), 0)
    assert future_in("I get order MX-4821.", future) == "mx-4821"


def test_what_was_asked_for_or_is_typed_is_known_before(tmp_path: Path) -> None:
    after = (Element("text", "Do the thing called demo-1"), Element("text", "Flight TP 1029"))
    made = demonstration(tmp_path, [Write("flight TP 1029"), Write("x")], elements=((), after))
    assert future_words(made, 0) == set()


def test_a_guard_sends_back_and_then_takes_it_flagged() -> None:
    guard: LeakGuard[str] = LeakGuard(lambda text: {"thought": text}, Prompts(), again=2)
    for _ in range(2):
        reason = guard("I follow the red circle.")
        assert reason is not None
        assert "red circle" in reason
    assert guard("I follow the red circle.") is None
    assert guard.flags == ("thought mentions the marker: red circle",)
    clean: LeakGuard[str] = LeakGuard(lambda text: {"thought": text}, Prompts())
    assert clean("I press Save.") is None
    assert clean.flags == ()
