"""A prompt of a user's own that asks for what nobody offers is found before anything starts, whichever prompt it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workalike.core.errors import BadInput
from workalike.families import family, names
from workalike.models.prompts import Prompts, prompt_names

OTHERWISE: dict[str, dict[str, Any]] = {
    "critical_go": {"critical": "go"},
    "critical_ask": {"critical": "ask", "answers": True},
    "opencua/section_observation": {"level": "l3"},
    "opencua/step_thought": {"history": "thought"},
    "opencua/step_observation": {"history": "observation", "level": "l3"},
    "opencua/qwen3": {"coordinates": "qwen3"},
    "computer/asking": {"asking": True},
    "computer/ask_user": {"asking": True},
    "facts": {"facts": True},
}


@pytest.mark.parametrize("prompt", [each for each in prompt_names() if each.startswith("agents/")])
def test_every_prompt_is_rehearsed(prompt: str, tmp_path: Path) -> None:
    """By some family at least, with the option that makes it use this prompt."""
    name = prompt.removeprefix("agents/")
    (tmp_path / f"{prompt}.md").parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / f"{prompt}.md").write_text("Do {{nonsense}}.")
    found = []
    for each in names():
        own = family(each).name
        folder = name.partition("/")[0] if "/" in name else own
        if folder not in (own, "computer" if family(each).api else own):
            continue
        try:
            family(each, OTHERWISE.get(name, {}), Prompts(tmp_path))
        except BadInput as error:
            assert "asks for {{nonsense}}" in str(error)
            found.append(each)
    assert found, f"nobody has tried {prompt}"


@pytest.mark.parametrize("name", names())
def test_prompts_of_ones_own_that_are_right_pass(name: str, tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "loop.md").write_text("You are going round in circles.")
    assert family(name, None, Prompts(tmp_path))
