"""What should not be in a recording is found where it was typed, shown or told, and a copy is free of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workalike.core.errors import BadInput
from workalike.core.observation import Element
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    RecordingEnd,
    RecordingHeader,
    SegmentHeader,
    Tree,
    TreeNode,
    WindowChanged,
)
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.record.patterns import STRUCK, Patterns, is_card
from workalike.record.redact import find, redact, redacted_events, typed_runs
from workalike.store.recordings import Recording, RecordingWriter

CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("mail ann.b+c@mail.example.org now", ["email"]),
        (f"card {CARD}, 5500-0000-0000-0004", ["card", "card"]),
        ("order 4111111111111112 and 0000000000000000", []),
        ("sk-proj-abcdefghijklmnop1234", ["key"]),
        ("ghp_abcdefghijklmnopqrst1234 AKIAABCDEFGHIJKLMNOP", ["key", "key"]),
        ("password: hunter22!", ["key"]),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", ["key"]),
        ("Ann met anna and ANN", ["name", "name"]),
        ("nothing to see at 12:30 for 1,234.56", []),
        (f"It is {CARD}.", ["card"]),
        (f"{CARD} 12/27", ["card"]),
        ("4111111111111111 123", ["card"]),
        (f"2 {CARD} 5500 0000 0000 0004", ["card", "card"]),
        (f"No.{CARD}", ["card"]),
        ("4111111111111111.5 and 0.4111111111111111", []),
        ("https://x.org/?card=4111%201111%201111%201111&x=1", ["card"]),
        ("https://x.org/?email=ann%40example.org&x=1", ["email"]),
        ("https://x.org/?next=%2F%3Fto%3Dann%2Bb%2540example.org", ["email"]),
        ("https://x.org/?q=Bob+Smith&r=by%20bob%20smith", ["name", "name"]),
    ],
)
def test_what_is_found(text: str, kinds: list[str]) -> None:
    assert [kind for _, _, kind in Patterns(["Ann", "Bob Smith"]).spans(text)] == kinds


def test_a_card_number_alone_is_struck_out_of_what_surrounds_it() -> None:
    assert Patterns().struck(f"{CARD} 12/27, ask ann%40x.org.") == f"{STRUCK} 12/27, ask {STRUCK}."
    assert Patterns().struck("4111111111111111 123") == f"{STRUCK} 123"


@pytest.mark.parametrize("text", ["a" * 100_000, "1 " * 50_000 + ".", "1" * 100_000 + ".5", "a." * 50_000 + "@a" * 9])
def test_long_texts_without_anything_are_gone_through_once(text: str) -> None:
    """One that is gone through again from each of its letters would take minutes."""
    assert Patterns(["Ann Bee"]).spans(text) == []


def test_what_is_struck_out_leaves_the_rest() -> None:
    patterns = Patterns(["Bob Smith"])
    assert patterns.struck("To bob smith <b@x.org>, token=abc123456 ok") == f"To {STRUCK} <{STRUCK}>, token={STRUCK} ok"


@given(st.text(alphabet="0123456789", min_size=12, max_size=18))
def test_every_number_has_one_check_digit(digits: str) -> None:
    valid = [digit for digit in "0123456789" if is_card(digits + digit)]
    assert len(valid) == (0 if set(digits) == {"0"} or len(set(digits + "".join(valid))) == 1 else 1)


def typing(text: str, start: float = 0.0) -> list[Event]:
    events: list[Event] = []
    for number, letter in enumerate(text):
        key = {"<": "backspace", "\t": "tab", " ": "space"}.get(letter, letter.lower())
        produced = letter if key not in ("backspace", "tab") else ""
        events.append(KeyChanged(start + number, key, True, produced))
        events.append(KeyChanged(start + number + 0.5, key, False))
    return events


def test_typing_is_read_as_it_stands_after_corrections() -> None:
    assert [run.text for run in typed_runs(typing("anx<n@x.org\tnext"))] == ["ann@x.org", "next"]


def test_the_keys_that_typed_it_are_masked_corrections_included() -> None:
    events = typing("to anx<n@x.org ok")
    clean = redacted_events(events, Patterns())
    assert len(clean) == len(events)
    left = "".join(event.text for event in clean if isinstance(event, KeyChanged))
    assert left == "to  ok"
    assert all(not e.key for e in clean if isinstance(e, KeyChanged) and e.masked)
    named = {event.key for event in clean if isinstance(event, KeyChanged)}
    assert named == {"t", "o", "space", "k", "", "backspace"}


def recorded(path: Path) -> Recording:
    header = RecordingHeader("r", Task("t", "write to ann@x.org"), "linux", "2026-01-01T00:00:00Z")
    writer = RecordingWriter(path, header)
    segment = writer.segment(SegmentHeader(0, Size(200, 100), 0.0))
    noise = np.random.default_rng(1).integers(0, 255, (100, 200, 4), dtype=np.uint8)
    for moment in (0.5, 1.5, 2.5):
        segment.frame(moment, noise)
    segment.event(
        *typing("ann@x.org"),
        WindowChanged(20, "ann@x.org - Mail"),
        PageChanged(21, "https://x.org/?to=ann@x.org", "Mail"),
        ButtonChanged(22, 5, 5, "left", True, hit=Element("entry", "to", value=CARD)),
    )
    node = TreeNode("entry", "to", (20, 20, 100, 40), value="ann@x.org")
    segment.tree(Tree(1.0, "focus", TreeNode("frame", "Mail", (0, 0, 200, 100), children=(node,)), "ann@x.org - Mail"))
    segment.tree(Tree(2.0, "settled", TreeNode("frame", "Mail", (0, 0, 200, 100)), "Mail"))
    segment.close()
    writer.end(RecordingEnd(30.0, "stopped"))
    return Recording(path)


def test_a_copy_is_free_of_it_and_the_recording_untouched(tmp_path: Path) -> None:
    recording = recorded(tmp_path / "r")
    before = {path: path.read_bytes() for path in (tmp_path / "r").rglob("*") if path.is_file()}
    found = list(find(recording, Patterns()))
    assert sorted(finding.kind for finding in found) == ["card", *["email"] * 5]
    assert all("ann" not in finding.shown for finding in found)

    redact(recording, tmp_path / "clean", Patterns())
    clean = Recording(tmp_path / "clean")
    assert list(find(clean, Patterns())) == []
    assert not any(b"ann@x.org" in path.read_bytes() for path in (tmp_path / "clean").rglob("*.json*"))
    assert clean.end == recording.end
    assert clean.segments[0].header == recording.segments[0].header
    assert before == {path: path.read_bytes() for path in (tmp_path / "r").rglob("*") if path.is_file()}


def test_the_place_a_tree_tells_of_is_hidden_until_the_next_one(tmp_path: Path) -> None:
    redact(recorded(tmp_path / "r"), tmp_path / "clean", Patterns())
    frames = list(Recording(tmp_path / "clean").segments[0].frames())
    assert [frame.time for frame in frames] == [0.5, 1.5, 2.5]
    readable = [bool(frame.luma()[25:55, 30:110].std() > 20) for frame in frames]
    assert readable == [False, False, True]
    assert all(frame.luma()[70:90].std() > 20 for frame in frames)


def test_a_copy_within_the_recording_is_refused(tmp_path: Path) -> None:
    recording = recorded(tmp_path / "r")
    with pytest.raises(BadInput, match="lies within the recording itself"):
        redact(recording, tmp_path / "r" / "clean", Patterns())
