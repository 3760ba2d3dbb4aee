"""Prompts: files, holes, overrides, hashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from workalike.core.errors import BadInput
from workalike.models.messages import Picture, Text, Untrusted
from workalike.models.prompts import Prompt, Prompts, prompt_names

PICTURE, PAGE = Picture(b"x"), Untrusted("{{task}} and more")


def prompt(text: str) -> Prompt:
    return Prompt("agents/x", text, Path("x.md"))


def test_parts_keep_their_place_and_values_are_not_filled_in_again() -> None:
    got = prompt("Do {{task}} on\n{{shot}}{{page}}\nnow{{nothing}}").parts(
        task="{{shot}}", shot=PICTURE, page=PAGE, nothing=""
    )
    assert got == (Text("Do {{shot}} on\n"), PICTURE, PAGE, Text("\nnow"))


def test_other_braces_are_left_alone() -> None:
    text = '{"name": "x", "arguments": {{}}} {single} {{Not_A_Hole}}'
    assert prompt(text).fill() == text


def test_a_hole_nobody_fills_is_named() -> None:
    with pytest.raises(BadInput, match=r"x.md asks for \{\{colour\}\}, which agents/x does not offer; it offers task"):
        prompt("{{colour}}").fill(task="a")


def test_a_users_file_goes_before_ours_and_changes_the_hash(tmp_path: Path) -> None:
    own = tmp_path / "models" / "answer.md"
    own.parent.mkdir()
    own.write_text("JSON, please: {{schema}}\n")
    ours, theirs = Prompts(), Prompts(tmp_path)
    assert theirs.get("models/answer").fill(schema="S") == "JSON, please: S"
    assert ours.get("models/answer").hash != theirs.get("models/answer").hash
    assert theirs.get("models/probe_hello") == ours.get("models/probe_hello")
    assert set(theirs.used) == {"models/answer", "models/probe_hello"}


def test_a_file_that_replaces_nothing_is_a_typing_error(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "anwser.md").write_text("x")
    with pytest.raises(BadInput, match=r"replaces no prompt: did you mean models/answer.md\?"):
        Prompts(tmp_path)
    with pytest.raises(BadInput, match="no folder"):
        Prompts(tmp_path / "nowhere")


def test_every_prompt_can_be_loaded() -> None:
    prompts = Prompts()
    assert "models/answer" in prompt_names()
    for name in prompt_names():
        assert prompts.get(name).text
