"""Every defect is found and named; a sound row has none; the quick check and the thorough one agree."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dataset.rows import CLICK, END, row, step
from tests.formats.test_agentnet import documents
from workalike.dataset.defects import KINDS, code_defects, row_defects
from workalike.dataset.wellformed import columns_of, is_sound, is_sound_call, sound_row


def kinds(document: Any) -> list[str]:
    return [defect.kind for defect in row_defects(document)]


def ended(*steps: Any, **more: Any) -> dict[str, Any]:
    """A row of some steps and a last one that ends it."""
    return row(steps=[*steps, step(len(steps), END)], **more)


def test_a_good_row_has_no_defect() -> None:
    assert kinds(row()) == []


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ([], ["unreadable row"]),
        ({"task_id": "t"}, ["unreadable row"]),
        (row(steps=[]), ["no steps"]),
        (row(task_id=""), ["missing field"]),
        (row(task_completed=None), ["null"]),
        (row(task_completed="yes"), ["wrong type"]),
        (row(instruction=None, reason=3), ["null", "wrong type"]),
        (row(alignment_score=11), ["score out of range"]),
        (row(efficiency_score="8"), ["wrong type"]),
        (row(task_difficulty=True), ["wrong type"]),
        (
            ended(step(0), step(2, image="1.png")),
            ["index not contiguous"],
        ),
        (row(steps=[step(0, END), step(1)]), ["steps after terminate"]),
        (row(steps=[step(0, END + "\n" + CLICK)]), ["steps after terminate"]),
        (ended(step(0, None)), ["null"]),
        (ended(step(0, "")), ["missing field"]),
        (ended(step(0, 7)), ["wrong type"]),
        (ended(step(0, image=None)), ["null"]),
        (ended(step(0, image="")), ["missing field"]),
        (ended({"index": 0}), ["missing field"]),
        (ended(7), ["missing field"]),
        (ended(step(0, thought=None, last_step_correct="True")), ["null", "wrong type"]),
        (ended(step(0, thought="the red circle")), ["mentions the marker"]),
        (ended(step(0, action="at (0.25, 0.75)")), ["mentions coordinates"]),
        (ended(step(0, reflection="the red circle")), []),
        (ended(step(0, "pyautogui.click(x=0.5, y=1.2)")), ["place off the screen"]),
        (ended(step(0, "pyautogui.click(x=-0.1, y=2)")), ["place off the screen"]),
        (ended(step(0, "pyautogui.hotkey(keys=['ctrl', 'bogus'])")), ["unknown key"]),
        (ended(step(0, "computer.triple_click(x=0.5, y=0.5)")), ["triple-click spelling"]),
        (row(steps=[step(0, "computer.terminate(status='fail')")]), ["terminate status"]),
        (ended(step(0, "os.system('x')")), ["unreadable code"]),
    ],
)
def test_what_is_wrong_is_named(document: Any, found: list[str]) -> None:
    assert kinds(document) == found
    assert set(found) <= set(KINDS)


@pytest.mark.parametrize(
    "code",
    [
        CLICK,
        "pyautogui.moveTo(x=0.018, y=1)\npyautogui.dragTo(x=0, y=1.0, button='left')",
        "pyautogui.scroll(-12)",
        "pyautogui.hscroll(3)",
        'pyautogui.write(message="it\'s")',
        "pyautogui.write(message='é ü')",
        "pyautogui.hotkey(['ctrl', 'o'])",
        "pyautogui.press(keys=['enter', 'pgdn', '['])",
        "computer.tripleClick(x=0.5, y=0.5)",
        "computer.wait()",
        END,
    ],
)
def test_published_code_is_sound_at_sight(code: str) -> None:
    assert is_sound_call(code)
    assert list(code_defects(code)) == []


@pytest.mark.parametrize(
    "code",
    ["pyautogui.click(0.5, 0.5)", "pyautogui.write('x')", "pyautogui.hotkey('ctrl', 'c')", "computer.wait(duration=2)"],
)
def test_other_readable_code_is_no_defect(code: str) -> None:
    assert not is_sound_call(code)
    assert list(code_defects(code)) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (
            "pyautogui.press(keys=['bogus'])\npyautogui.click(x=1.5, y=0.5)\ncomputer.triple_click(x=0.5, y=0.5)",
            ["unknown key", "place off the screen", "triple-click spelling"],
        ),
        ("computer.terminate(status='fail')\nwhat(", ["terminate status", "unreadable code", "steps after terminate"]),
        ("pyautogui.press(keys=['a1'])\npyautogui.press(keys=['b2'])", ["unknown key", "unknown key"]),
        ("what(\never(", ["unreadable code"]),
        ("pyautogui.write(message='a\nb')", ["unreadable code"]),
    ],
)
def test_one_bad_line_does_not_hide_the_rest(code: str, found: list[str]) -> None:
    assert [defect.kind for defect in code_defects(code)] == found


@pytest.mark.parametrize("code", ["", "pyautogui.press(keys=['a', ])", "pyautogui.click(x=0., y=0.5)", CLICK + "\n"])
def test_what_is_cut_short_is_not_sound(code: str) -> None:
    """Possessive repeats took such code for whole in some versions of Python."""
    assert not is_sound_call(code)
    typed = sound_row(msgspec.json.encode(row(steps=[step(0, code)])))
    assert typed is not None
    assert not is_sound(typed, columns_of(typed))


@pytest.mark.parametrize("image", ["a\x01b.png", "a\nb.png", "a\x7fb.png", "\u200b", "../a.png", "a..b@c.de", "/a.png"])
def test_a_row_with_an_unsafe_picture_is_looked_at_closely(image: str) -> None:
    document = row(steps=[step(0, CLICK), step(1, END, image=image)])
    typed = sound_row(msgspec.json.encode(document))
    assert typed is not None
    assert not is_sound(typed, columns_of(typed))
    assert [defect.kind for defect in row_defects(document)] == ["unsafe name"]


@pytest.mark.parametrize("image", ["a.png", "a-1_b.png", "a.b.png", "shots/a.png", "Bild 1 ü.png", "a"])
def test_a_row_with_a_plain_picture_is_not(image: str) -> None:
    typed = sound_row(msgspec.json.encode(row(steps=[step(0, CLICK), step(1, END, image=image)])))
    assert typed is not None
    assert is_sound(typed, columns_of(typed))


calls = st.sampled_from(
    [
        CLICK,
        END,
        "pyautogui.scroll(2)",
        "pyautogui.press(keys=['enter'])",
        "pyautogui.press(keys=['enterr'])",
        "pyautogui.click(x=1.5, y=0.5)",
        "pyautogui.click(x=0.5,y=0.5)",
        "pyautogui.write(message='pyautogui.click(x=0.5, y=0.5)')",
        "computer.triple_click(x=0.5, y=0.5)",
        "nonsense",
        "",
    ]
)
codes = st.lists(calls, min_size=1, max_size=3).map("\n".join)
texts = st.sampled_from(["Fine.", "the red circle", "at (0.25, 0.75)", ""])


@given(st.lists(st.builds(lambda code, text: (code, text), codes, texts), min_size=1, max_size=4), st.booleans())
@settings(max_examples=150)
def test_the_quick_check_and_the_thorough_one_agree(made: list[tuple[str, str]], shifted: bool) -> None:
    steps = [step(place + (shifted and place > 0), code, thought=text) for place, (code, text) in enumerate(made)]
    document = row(steps=steps)
    typed = sound_row(msgspec.json.encode(document))
    assert typed is not None
    thorough = row_defects(document)
    assert row_defects(msgspec.to_builtins(typed)) == thorough
    if is_sound(typed, columns_of(typed)):
        assert row_defects(document, texts=False) == []


@given(documents)
@settings(max_examples=60)
def test_nothing_breaks_the_checks(document: dict[str, Any]) -> None:
    found = row_defects(document)
    assert all(defect.kind in KINDS for defect in found)
    typed = sound_row(msgspec.json.encode(document))
    if typed is not None and is_sound(typed, columns_of(typed)):
        assert {defect.kind for defect in row_defects(document, texts=False)} <= {"null"}


@given(st.text(max_size=60))
def test_no_code_breaks_the_checks(code: str) -> None:
    assert all(defect.kind in KINDS for defect in code_defects(code))
