"""AgentNet rows come back as they were, typed or not, and bad ones say what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.formats.agentnet import decode_meta, decode_row, encode_row, system_of

texts = st.none() | st.text(max_size=30)
marks = st.none() | st.integers(-3, 20) | st.floats(-1, 11)
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
unknown = st.dictionaries(st.text(min_size=1, max_size=6).map("x_{}".format), anything, max_size=2)


def some(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with any part of the fields, and unknown ones."""
    return st.builds(lambda known, more: {**more, **known}, st.fixed_dictionaries({}, optional=fields), unknown)


codes = st.sampled_from(
    [
        None,
        "",
        "pyautogui.click(x=0.5, y=0.25)",
        "pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.3, y=0.4, button='left')",
        "pyautogui.hotkey(['ctrl', 'c'])",
        'pyautogui.write(message="it\'s")',
        "computer.triple_click(x=0.1, y=0.2)",
        "not code",
        "computer.terminate(status='success')",
    ]
)
values = some(
    {
        **dict.fromkeys(("observation", "thought", "action", "reflection"), texts),
        **dict.fromkeys(("last_step_correct", "last_step_redundant"), st.none() | st.booleans()),
        "code": codes,
    }
)
steps = st.builds(
    lambda step, value: {**step, "value": value}, some({"index": st.integers(0, 9), "image": texts}), values
)
documents = st.builds(
    lambda row, steps: {**row, "task_id": "t", "traj": steps},
    some(
        {
            **dict.fromkeys(("instruction", "reason", "natural_language_task", "actual_task"), texts),
            **dict.fromkeys(("alignment_score", "efficiency_score", "task_difficulty"), marks),
            "task_completed": st.none() | st.booleans(),
            "domain": texts | st.lists(st.text(max_size=5), max_size=2),
        }
    ),
    st.lists(steps, max_size=4),
)


@given(documents)
@settings(max_examples=80)
def test_a_row_comes_back_as_it_was(document: dict[str, Any]) -> None:
    line = msgspec.json.encode(document)
    assert msgspec.json.decode(encode_row(decode_row(line))) == msgspec.json.decode(line)


def test_a_missing_field_is_not_null() -> None:
    row = decode_row('{"task_id": "t", "traj": [{"value": {"code": null}}], "reason": null}')
    assert row.reason is None
    assert row.instruction is msgspec.UNSET
    assert json.loads(encode_row(row)) == {"task_id": "t", "reason": None, "traj": [{"value": {"code": None}}]}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not an AgentNet row"),
        ("[]", "it is no object"),
        ('{"traj": []}', "task_id"),
        ('{"task_id": "t"}', "no list of steps"),
        ('{"task_id": "t", "traj": [7]}', "step 0 has no `value`"),
        ('{"task_id": "t", "traj": [{"value": {"code": 3}}]}', r"traj\[0\].value.code"),
        ('{"task_id": "t", "traj": [], "alignment_score": true}', "alignment_score"),
        ("[" * 100_000, "not an AgentNet row"),
        (b'{"task_id": "\xff"}', "not an AgentNet row"),
    ],
)
def test_a_line_that_is_no_row_says_what_is_wrong(line: str | bytes, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        decode_row(line)


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_no_line_breaks_the_readers(line: bytes | str) -> None:
    for read in (decode_row, decode_meta):
        try:
            read(line)
        except BadInput as error:
            assert str(error)


def test_darwin_is_not_windows() -> None:
    assert [system_of(name) for name in ("Darwin", "Windows 11", "Ubuntu 22.04", "win", None)] == [
        "macos",
        "windows",
        "ubuntu",
        None,
        None,
    ]


def test_metadata_in_either_spelling() -> None:
    line = {"task_id": "t", "system": "Darwin", "screen_width": 1440, "screen_height": 900, "domains": "Daily"}
    one = decode_meta(
        json.dumps({**line, "verify_feedback": {"quality": "good"}, "applications": ["Mail"], "extra": 1})
    )
    two = decode_meta(json.dumps({**line, "domains": ["Daily", "Work"], "screen_height": None}))
    assert (one.system, one.screen, one.quality) == ("macos", Size(1440, 900), "good")
    assert (one.domains, one.applications, one.rest["extra"]) == (("Daily",), ("Mail",), 1)
    assert (two.domains, two.screen) == (("Daily", "Work"), None)


def test_a_published_example_is_read(fixtures: Path) -> None:
    line = (fixtures / "agentnet-trajectory" / "raw_example.jsonl").read_bytes()
    row = decode_row(line)
    assert len(row.traj) == 15
    assert json.loads(encode_row(row)) == json.loads(line)
