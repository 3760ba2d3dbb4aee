"""Writes docs/formats-side-by-side.md: one trajectory in every form, made by the code itself.

python -m tests.dataset.side_by_side > docs/formats-side-by-side.md
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from tests.dataset.browsing import picture
from workalike.core.actions import Click, Press, Terminate, Write
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.dataset.benchtasks import StepTasks
from workalike.dataset.examples import Recipe
from workalike.dataset.export import ExportConfig, Format, export
from workalike.families import names
from workalike.formats.agentnet import encode_row
from workalike.formats.agentnet_trajectories import from_trajectory
from workalike.store.pictures import FolderPictures

SIZE = Size(1440, 900)
FIELD = Element("searchbox", "Search", Box(0.25, 0.1, 0.5, 0.05), mark=1)
LINK = Element("link", "Rain jacket", Box(0.1, 0.3, 0.2, 0.04), mark=2, value="/jackets/7")
_NUMBERS = re.compile(r"\[\s+((?:-?[\d.]+,?\s+)+)\]")
HEAD = """# One trajectory in every form

This page is made by the code (`python -m tests.dataset.side_by_side`), and a test keeps it true. A person looks for a
jacket in a shop: a click into the search box, some typing, the end. Long texts are cut short here with `…`.
"""


def trajectory() -> Trajectory:
    """Two steps and the end, on a screen with two elements."""
    assert FIELD.box is not None
    done = (
        (
            (ActionResult(Click(FIELD.box.centre), hit=FIELD),),
            "The shop's front page.",
            "I need the search box.",
            "Click the search box.",
        ),
        (
            (ActionResult(Write("jacket")), ActionResult(Press(("enter",)))),
            "The box is active.",
            "Now the word.",
            "Type “jacket” and press enter.",
        ),
        ((ActionResult(Terminate("success")),), "A list of jackets.", "That was asked.", "Say that it is done."),
    )
    steps = tuple(
        Step(
            Observation(ImageRef(f"shop_{place}.png"), SIZE, url="https://shop.town", elements=(FIELD, LINK)),
            taken,
            observation_text=seen,
            thought=thought,
            action_text=action,
            correct=True,
            redundant=False,
        )
        for place, (taken, seen, thought, action) in enumerate(done)
    )
    return Trajectory("shop-17", Task("shop-17", "Find a rain jacket"), steps, stop=Stop("terminated"))


def page() -> str:
    """The whole page."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "images").mkdir()
        for place in range(3):
            (root / "images" / f"shop_{place}.png").write_bytes(picture(place, Size(64, 40)))
        return "\n".join([HEAD, *_ours(), *_rows(), *_messages(root), *_families(root), *_grounding(root), *_steps()])


def _ours() -> list[str]:
    first = replace(trajectory(), steps=trajectory().steps[:1])
    return [
        "## Ours\n\nThe first step as it lies on disk (`workalike schema trajectory`).\n",
        _block(msgspec.to_builtins(first)),
    ]


def _rows() -> list[str]:
    row = json.loads(encode_row(from_trajectory(trajectory(), plain=True)))
    note = (
        "`dataset export --format agentnet`; a row of ours also has a field `workalike`, for what has no place there."
    )
    return [f"## AgentNet row\n\n{note}\n", _block(row)]


def _messages(root: Path) -> list[str]:
    told = ["## Training messages\n\nThe second step as the target, at level 2, with three screenshots.\n"]
    names: tuple[tuple[Format, str], ...] = (
        ("chat", "OpenAI chat JSON lines: `--format chat`"),
        ("sharegpt", "ShareGPT for LLaMA-Factory: `--format sharegpt`"),
        ("trl", "TRL conversational: `--format trl`; `--format parquet` has the same columns with the pictures inside"),
    )
    for form, title in names:
        told += [f"### {title}\n", _block(_second(root, ExportConfig(form), f"m-{form}"))]
    return told


def _families(root: Path) -> list[str]:
    told = ["## In a family's own words\n\nThe same step's last turn, by `--family`.\n"]
    for family in names():
        order = ExportConfig("chat", Recipe(family=family), "copy" if family == "som" else "names")
        last = _second(root, order, f"f-{family}")["messages"][-1]
        calls = [f"{call['function']['name']} {call['function']['arguments']}" for call in last.get("tool_calls", ())]
        spoken = "\n".join([last["content"].rstrip(), *calls])
        told.append(f"### {family}\n\n````text\n{spoken}\n````\n")
    return told


def _grounding(root: Path) -> list[str]:
    pair = _second(root, ExportConfig("chat", Recipe(family="grounding", grounded="elements")), "g")
    return ["## Grounding pair\n\n`--family grounding --grounded elements`.\n", _block(pair)]


def _steps() -> list[str]:
    task = StepTasks().task(trajectory())
    assert task is not None
    document = {**msgspec.to_builtins(task), "steps": msgspec.to_builtins(task.steps[:1])}
    return [
        "## Step task (AgentNetBench)\n\n`dataset export --format agentnetbench`; its first step.\n",
        _block(document),
    ]


def _second(root: Path, order: ExportConfig, name: str) -> Any:
    export([trajectory()], root / name, order, FolderPictures(root / "images"))
    return json.loads((root / name / f"{order.format}.jsonl").read_text().splitlines()[1])


def _block(value: Any) -> str:
    written = json.dumps(_short(value), indent=1, ensure_ascii=False)
    level = _NUMBERS.sub(lambda found: "[" + ", ".join(found[1].split()).replace(",,", ",") + "]", written)
    return f"```json\n{level}\n```\n"


def _short(value: Any) -> Any:
    match value:
        case str() if len(value) > 160:
            return value[:120] + "…"
        case dict():
            return {key: _short(held) for key, held in value.items()}
        case list() | tuple():
            return [_short(held) for held in value]
        case _:
            return value


if __name__ == "__main__":
    print(page(), end="")
