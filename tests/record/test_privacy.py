"""Nothing typed into a password field is kept, and nothing else is lost for it."""

from __future__ import annotations

import numpy as np
import pytest

from workalike.core.recording import ButtonChanged, KeyChanged, PointerMoved, TreeNode
from workalike.env.desktop.accessibility import Focus
from workalike.env.desktop.windows import Window
from workalike.record.privacy import Secrets, blurred

OPEN, SECRET, TERMINAL = (
    TreeNode("text", box=(0, 0, 50, 20)),
    TreeNode("password text", box=(0, 30, 50, 20)),
    TreeNode("terminal"),
)


def focus(node: TreeNode, pid: int = 1) -> Focus:
    return Focus(0.0, pid, node)


def key(time: float, name: str = "x", down: bool = True) -> KeyChanged:
    return KeyChanged(time, name, down, name if down and len(name) == 1 else "")


def masked(secrets: Secrets, *events: KeyChanged) -> list[bool]:
    kept = [secrets.masked(event) for event in events]
    return [isinstance(event, KeyChanged) and event.masked and not event.key and not event.text for event in kept]


def test_a_password_field_counts_from_the_click_that_led_to_it() -> None:
    """The program says so only after the first character was typed."""
    secrets = Secrets()
    secrets.window(0, 1)
    secrets.focus(0.5, focus(OPEN))
    secrets.cause(ButtonChanged(1.0, 5, 35, "left", True))
    secrets.focus(1.2, focus(SECRET))
    assert masked(secrets, key(0.9), key(1.1), key(1.3)) == [False, True, True]


def test_leaving_it_counts_from_the_key_that_led_away() -> None:
    secrets = Secrets()
    secrets.window(0, 1)
    secrets.focus(0.5, focus(SECRET))
    secrets.cause(key(2.0, "tab"))
    secrets.focus(2.1, focus(OPEN))
    assert masked(secrets, key(1.9), key(2.05), key(2.2)) == [True, False, False]


def test_leaving_without_a_reason_counts_from_when_it_was_told() -> None:
    secrets = Secrets()
    secrets.window(0, 1)
    secrets.focus(0.5, focus(SECRET))
    secrets.cause(key(1.0, "tab"))
    secrets.focus(3.0, focus(OPEN))
    assert masked(secrets, key(2.9), key(3.1)) == [True, False]


@pytest.mark.parametrize("name", ["tab", "enter", "backspace", "left", "esc", "f5"])
def test_keys_that_type_nothing_are_kept(name: str) -> None:
    secrets = Secrets()
    secrets.focus(0, focus(SECRET))
    assert secrets.masked(key(1, name)) == key(1, name)


@pytest.mark.parametrize("name", ["a", "7", "space", "num7", "decimal", "ä"])
def test_keys_that_type_are_masked_down_and_up(name: str) -> None:
    secrets = Secrets()
    secrets.focus(0, focus(SECRET))
    secrets.cause(key(1.5, "tab"))
    secrets.focus(1.6, focus(OPEN))
    assert masked(secrets, key(1, name), key(2, name, down=False), key(3, name)) == [True, True, False]


def test_shift_would_tell_the_capitals() -> None:
    secrets = Secrets()
    secrets.focus(0, focus(SECRET))
    assert secrets.masked(key(1, "shiftleft")) is None
    assert secrets.masked(key(2, "shiftleft", down=False)) is None


def test_other_windows_are_judged_by_themselves() -> None:
    secrets = Secrets()
    secrets.window(0, 1)
    secrets.focus(0.1, focus(SECRET, pid=1))
    secrets.gone(0.1, {1, 2})
    secrets.window(5, 2)
    assert masked(secrets, key(4), key(6)) == [True, False]
    secrets.window(7, 1)
    assert masked(secrets, key(8)) == [True]


def test_a_sandboxed_program_counts_its_pid_differently_and_is_still_believed() -> None:
    secrets = Secrets()
    secrets.gone(0, {10, 11})
    secrets.window(0, 10)
    secrets.focus(0.1, focus(SECRET, pid=2))
    assert masked(secrets, key(1)) == [True]


def test_what_nobody_knows_is_masked_only_when_asked() -> None:
    for mask, expected in ((False, [False, False]), (True, [True, True])):
        secrets = Secrets(mask_unknown=mask)
        secrets.window(0, 1)
        nobody_told = key(1)
        first = masked(secrets, nobody_told)
        secrets.focus(2, focus(TERMINAL))
        assert first + masked(secrets, key(3)) == expected


def test_forgetting_changes_nothing_for_what_is_to_come() -> None:
    secrets = Secrets()
    secrets.window(0, 1)
    secrets.focus(1, focus(SECRET))
    secrets.forget(before=100)
    assert masked(secrets, key(101)) == [True]
    assert secrets.regions(101) == {(0, 30, 50, 20)}


def test_a_field_that_now_shows_what_was_typed_stays_hidden() -> None:
    secrets = Secrets()
    secrets.tree(1, 1, TreeNode("frame", children=(OPEN, SECRET)))
    assert secrets.regions(1) == {(0, 30, 50, 20)}
    shown = TreeNode("text", box=(0, 30, 50, 20), value="hunter2")
    secrets.tree(2, 1, TreeNode("frame", children=(OPEN, shown)))
    assert secrets.regions(3) == {(0, 30, 50, 20)}
    secrets.tree(4, 1, TreeNode("frame", children=(OPEN,)))
    assert secrets.regions(5) == frozenset()


def test_frames_from_just_before_a_field_was_told_of_are_hidden_too() -> None:
    secrets = Secrets()
    secrets.focus(2, focus(SECRET))
    assert secrets.regions(1.8) == {(0, 30, 50, 20)}
    secrets.gone(3, alive=set())
    assert secrets.regions(3.5) == frozenset()


def test_a_place_is_secret_as_long_as_its_window_stands() -> None:
    """Also where the program has another window beneath it, and when the window tells of itself too late."""
    main, dialog = Window(1, "Mail", "mail", 1, (0, 0, 500, 400)), Window(2, "Log in", "mail", 1, (0, 0, 60, 60))
    secrets = Secrets()
    secrets.there(0, [main, dialog])
    secrets.focus(1, focus(SECRET))
    assert secrets.regions(1.5) == {(0, 30, 50, 20)}
    secrets.there(2, [main])
    assert [set(secrets.regions(time)) for time in (1.9, 2.1)] == [{(0, 30, 50, 20)}, set()]
    secrets.there(3, [main, dialog])
    secrets.there(4, [main])
    secrets.tree(3.5, 1, TreeNode("frame", children=(OPEN, SECRET)), window=2)
    assert [set(secrets.regions(time)) for time in (3.6, 4.1)] == [{(0, 30, 50, 20)}, set()]


def test_blurring_leaves_nothing_to_read_and_the_rest_alone() -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (100, 200, 4), dtype=np.uint8)
    hidden = blurred(pixels, [(20, 30, 60, 24), (190, 90, 50, 50), (500, 500, 9, 9)])
    assert len(np.unique(hidden[32:52, 22:78].reshape(-1, 4), axis=0)) == 1
    assert (hidden[:30] == pixels[:30]).all()
    assert (hidden[:, 82:190] == pixels[:, 82:190]).all()
    assert (hidden[95:, 195:] == hidden[99, 199]).all()
    assert blurred(pixels, []) is pixels


def test_events_that_are_no_keys_pass() -> None:
    secrets = Secrets(mask_unknown=True)
    move = PointerMoved(1, 2, 3)
    assert secrets.masked(move) == move
