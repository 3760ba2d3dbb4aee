"""Exports: every form holds the same conversations, the same input gives the same bytes, and the manifest tells all."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.dataset.browsing import picture, trajectory
from tests.dataset.rows import END, meta, put, row, step
from workalike.cli import main
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.dataset.defects import code_defects
from workalike.dataset.examples import Recipe
from workalike.dataset.export import ExportConfig, Format, export, export_step_tasks
from workalike.dataset.manifest import Manifest
from workalike.dataset.sources import trajectories
from workalike.models.prompts import Prompts
from workalike.pictures.codec import encode
from workalike.store.pictures import FolderPictures


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    folder = tmp_path / "rows"
    folder.mkdir()
    put(folder / "meta_data_merged.jsonl", meta("a"), meta("b"))
    put(folder / "images_are_elsewhere.txt", "")
    return put(folder / "rows.jsonl", row("a", 4), row("b", [step(0), step(1, last_step_correct=False), step(2, END)]))


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for place in range(4):
        (folder / f"{place}.png").write_bytes(picture(place, Size(64, 40)))
    return folder


def exported(
    rows: Path, out: Path, order: ExportConfig, images: Path | None = None, **more: Any
) -> tuple[Manifest, list[Any]]:
    source = FolderPictures(images) if images else None
    manifest = export(trajectories([rows]), out, order, source, inputs=[rows], **more)
    written = manifest.outputs and order.format != "parquet"
    lines = (out / manifest.outputs[0].name).read_text().splitlines() if written else []
    return manifest, [json.loads(line) for line in lines]


def test_chat_lines(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig())
    assert manifest.counts == {"trajectories": 2, "examples": 6, "level l2": 6, "pictures shown": 13}
    assert manifest.left_out == {"judged wrong": 1}
    last = lines[3]["messages"]
    assert set(lines[0]) == {"messages"}
    assert [message["role"] for message in last] == [
        "system",
        "assistant",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert [message.get("weight") for message in last] == [None, 0, None, 0, None, 0, None, 1]
    assert last[2]["content"] == [{"type": "image_url", "image_url": {"url": "1.png"}}]
    assert [part["type"] for part in last[6]["content"]] == ["image_url", "text"]
    assert isinstance(last[0]["content"], str)


def test_what_is_learned_told_by_role_or_not_at_all(rows: Path, tmp_path: Path) -> None:
    _, by_role = exported(rows, tmp_path / "role", ExportConfig(loss="role"))
    roles = [message["role"] for message in by_role[1]["messages"]]
    assert roles == ["system", "user", "assistant_history", "user", "assistant"]
    _, everything = exported(rows, tmp_path / "all", ExportConfig(loss="all"))
    assert all("weight" not in message for message in everything[1]["messages"])


def test_sharegpt_takes_strict_turns_with_a_token_for_every_picture(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig("sharegpt", prefix="images/"))
    for line in lines:
        turns = line["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "gpt"] * (len(turns) // 2)
        assert sum(turn["value"].count("<image>") for turn in turns) == len(line["images"])
        assert line["system"]
    assert lines[3]["images"] == ["images/1.png", "images/2.png", "images/3.png"]
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text())
    assert info["workalike"]["file_name"] == manifest.outputs[0].name == "sharegpt.jsonl"


@pytest.mark.parametrize("word", ["<image>", "<video>", "<audio>"])
def test_a_text_that_speaks_of_media_is_left_out_of_sharegpt_and_counted(tmp_path: Path, word: str) -> None:
    """LLaMA-Factory would look for the picture; another spelling would be another text to learn."""
    typed = step(0, f"pyautogui.write(message='a {word} tag')")
    file = put(
        tmp_path / "a.jsonl", row("a", [typed, step(1, END)]), row("b", [step(0, END, thought=f"see {word} here")])
    )
    manifest, lines = exported(file, tmp_path / "out", ExportConfig("sharegpt"))
    assert manifest.left_out == {f"a text that speaks of {word}": 2}
    assert [len(line["images"]) for line in lines] == [2]
    assert all(sum(turn["value"].count("<image>") for turn in line["conversations"]) == 2 for line in lines)
    _, chats = exported(file, tmp_path / "chat", ExportConfig("chat"))
    assert word in json.dumps(chats)


TARGETS = {
    "fenced": (step(0, "```python\npyautogui.click(x=0.5, y=0.25)\n```"), "code spelled anew"),
    "carriage returns": (step(0, "pyautogui.click(x=0.5, y=0.25)\r\n"), "code spelled anew"),
    "a triple click": (step(0, "computer.triple_click(x=0.5, y=0.25)"), "code spelled anew"),
    "off the screen": (step(0, "pyautogui.click(x=1.5, y=0.25)"), "a place off the screen"),
    "misspelt": (step(0, "pyautogui.clik(x=0.5, y=0.25)"), "unreadable code"),
    "a fence typed": (step(0, "pyautogui.write(message='```')"), "a fence within the code"),
    "a fence of tildes": (step(0, "~~~python\npyautogui.click(x=0.5, y=0.25)\n~~~"), "code spelled anew"),
    "an import": (step(0, "import pyautogui\npyautogui.click(x=0.5, y=0.25)"), "code spelled anew"),
    "an alias": (step(0, "pyautogui.typewrite('abc')"), "code spelled anew"),
    "places without names": (step(0, "pyautogui.click(0.5, 0.25)"), "code spelled anew"),
    "blank thought": (step(0, thought=" \n"), "no thought for l2"),
    "invisible action": (step(0, action="\u00a0\u200b"), "actions told by rule"),
    "an open fence": (step(0, thought="I run ```python\nprint(1)"), "a fence within a text"),
    "a whole fence": (step(0, action="Type ~~~\nx\n~~~."), "a fence within a text"),
    "a head": (step(0, thought="I plan.\n## Action:\nClick elsewhere."), "a head of the form within a text"),
    "a step's head": (step(0, action="Click.\n# Step 3:\nmore"), "a head of the form within a text"),
    "the end of a turn": (step(0, thought="Done.<|im_end|>"), "a chat token within a text"),
    "a token typed": (step(0, "pyautogui.write(message='<|im_start|>')"), "a chat token within a text"),
    "NUL": (step(0, thought="I \x00 see."), "a control character within a text"),
    "NUL typed": (step(0, "pyautogui.write(message='a\\x00b')"), "code: control character"),
    "no turn": (step(0, "pyautogui.scroll(0)"), "code: does nothing"),
    "nothing typed": (step(0, "pyautogui.write(message='')"), "code: does nothing"),
    "one key twice": (step(0, "pyautogui.hotkey(keys=['ctrl', 'ctrl'])"), "code: does nothing"),
    "an end and more": (step(0, f"{END}\npyautogui.scroll(3)"), "code: steps after terminate"),
    "an absolute picture": (step(0, image="/etc/passwd.png"), "an unsafe picture name"),
    "a picture elsewhere": (step(0, image="../1.png"), "an unsafe picture name"),
    "a picture's address": (step(0, image="https://example.org/1.png"), "an unsafe picture name"),
    "a picture within": (step(0, image="data:image/png;base64,AAAA"), "an unsafe picture name"),
    "no picture": (step(0, image=""), "no picture"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_no_target_is_broken(tmp_path: Path, name: str) -> None:
    first, said = TARGETS[name]
    file = put(tmp_path / "a.jsonl", row("a", [first, step(1, END, thought="Done.\r\nReally.")]))
    manifest, lines = exported(file, tmp_path / "out", ExportConfig("chat"))
    kept = said in ("code spelled anew", "actions told by rule")
    assert (manifest.counts if kept else manifest.left_out)[said] == 1
    targets = [line["messages"][-1]["content"] for line in lines]
    assert len(targets) == 1 + kept
    for target in targets:
        assert "\r" not in target
        assert target.count("```") == 2
        assert [line.kind for line in code_defects(target.split("```python\n")[1].split("\n```")[0])] == []


@pytest.mark.parametrize("recipe", [Recipe(), Recipe(family="uitars")])
@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        (" ", "no instruction"),
        ("\u200b\u2060", "no instruction"),
        ("Open <|im_end|> now", "a chat token within a text"),
        ("Open \x00 now", "a control character within a text"),
    ],
)
def test_a_task_without_instruction_gives_no_example(
    tmp_path: Path, recipe: Recipe, instruction: str, reason: str
) -> None:
    file = put(tmp_path / "a.jsonl", row("a", 3, instruction=instruction))
    manifest, lines = exported(file, tmp_path / "out", ExportConfig("chat", recipe))
    assert lines == []
    assert manifest.left_out == {reason: 3}


def test_a_text_that_would_break_the_form_is_not_told_as_history(tmp_path: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0, action="Click.<|im_end|>"), step(1), step(2, END)]))
    _, lines = exported(file, tmp_path / "out", ExportConfig("chat"))
    by_rule = "# Step 1:\n## Action:\nClick a place on the screen."
    assert [line["messages"][2]["content"] for line in lines] == [by_rule] * 2
    assert "<|im_end|>" not in json.dumps(lines)


@pytest.mark.parametrize("family", ["fara", "qwen", "uitars"])
def test_families_learn_nothing_broken_either(tmp_path: Path, family: Any) -> None:
    broken = [
        step(0, thought="Done.<|im_end|>"),
        step(1, "pyautogui.scroll(0)"),
        step(2, image="https://example.org/1.png"),
        step(3, thought="I see.\n## Action:\nclick elsewhere"),
        step(4, END),
    ]
    rows = put(tmp_path / "a.jsonl", row("a", broken))
    put(tmp_path / "meta_data_merged.jsonl", meta("a", step_num=5))
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig("chat", Recipe(family=family)))
    assert manifest.left_out == {
        "a chat token within a text": 1,
        "a head of the form within a text": 1,
        "an unsafe picture name": 1,
        "code: does nothing": 1,
    }
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("recipe", "told"),
    [
        (Recipe(coordinates="pixels"), "click(x=1919, y=1079)"),
        (Recipe(coordinates="qwen2.5"), "click(x=1931, y=1091)"),
        (Recipe(coordinates="qwen3"), "click(x=1000, y=1000)"),
        (Recipe(family="fara"), "[1931, 1091]"),
        (Recipe(family="uitars"), "(1931,1091)"),
    ],
)
def test_the_edge_of_the_screen_is_its_last_pixel(tmp_path: Path, recipe: Recipe, told: str) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0, "pyautogui.click(x=1.0, y=1.0)"), step(1, END)]))
    put(tmp_path / "meta_data_merged.jsonl", meta("a", step_num=2))
    _, lines = exported(file, tmp_path / "out", ExportConfig("chat", recipe))
    assert told in lines[0]["messages"][-1]["content"]


@pytest.mark.parametrize("form", ["chat", "agentnet", "agentnetbench"])
def test_what_cannot_be_read_or_learned_is_counted(tmp_path: Path, form: str) -> None:
    off = step(0, "pyautogui.click(x=1.5, y=0.25)")
    file = put(
        tmp_path / "a.jsonl",
        row("good", 2),
        row("off", [off, step(1, END)]),
        row("mute", 2, instruction="\u200b", natural_language_task="", actual_task=""),
        '{"task_id": "cut", "traj": [\n',
    )
    out = tmp_path / "out"
    assert main(["dataset", "export", str(file), "--format", form, "--out", str(out)]) == 0
    left = json.loads((out / "manifest.json").read_text())["left_out"]
    unread = "could not be read or said" if form == "agentnet" else "could not be read"
    blank = 1 if form == "agentnet" else 2
    assert left == {"a place off the screen": 1, "no instruction": blank, unread: 1}


def test_grounding_without_elements_says_why_it_is_empty(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--family", "grounding", "--out", str(tmp_path / "out")]
    assert main(["dataset", "export", str(rows), *words]) == 1
    assert "no step tells what was hit (2)" in capsys.readouterr().err


def test_turns_take_turns_in_sharegpt(rows: Path, tmp_path: Path) -> None:
    _, lines = exported(rows, tmp_path / "out", ExportConfig("sharegpt"))
    assert lines
    for line in lines:
        turns = line["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "gpt"] * (len(turns) // 2)


def test_trl_rows(rows: Path, tmp_path: Path) -> None:
    _, lines = exported(rows, tmp_path / "out", ExportConfig("trl"))
    for line in lines:
        assert [message["role"] for message in line["completion"]] == ["assistant"]
        parts = [part for message in line["prompt"] for part in message["content"]]
        assert sum(part["type"] == "image" for part in parts) == len(line["images"])
        assert all(set(part) == {"type", "text"} for part in parts)
    _, lines = exported(rows, tmp_path / "all", ExportConfig("trl", loss="all"))
    assert set(lines[0]) == {"messages", "images"}


@pytest.mark.parametrize("form", ["chat", "sharegpt", "trl", "parquet"])
def test_the_same_input_gives_the_same_bytes(rows: Path, images: Path, tmp_path: Path, form: Format) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs pyarrow")
    order = ExportConfig(form, Recipe(levels={"l1": 1, "l3": 1}))
    one, two = (exported(rows, tmp_path / name, order, images)[0] for name in ("one", "two"))
    assert one == two
    for file in one.outputs:
        data = (tmp_path / "two" / file.name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file.size, file.sha256)
    assert (tmp_path / "one" / "manifest.json").read_bytes() == (tmp_path / "two" / "manifest.json").read_bytes()


def test_pictures_copied_or_within(rows: Path, images: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "copy", ExportConfig(pictures="copy"), images)
    assert manifest.counts["pictures copied"] == 4
    url = lines[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert (tmp_path / "copy" / url).read_bytes() == (images / "0.png").read_bytes()
    _, lines = exported(rows, tmp_path / "inline", ExportConfig(pictures="inline"), images)
    url = lines[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == (images / "0.png").read_bytes()
    with pytest.raises(BadInput, match="--images"):
        exported(rows, tmp_path / "none", ExportConfig(pictures="copy"))


def test_a_missing_picture_costs_its_examples(rows: Path, images: Path, tmp_path: Path) -> None:
    (images / "3.png").unlink()
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig(pictures="copy"), images)
    assert manifest.left_out["a picture is missing"] == 1
    assert len(lines) == manifest.counts["examples"] == 5


def test_a_picture_s_name_cannot_lead_out(tmp_path: Path, images: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0, END, image="../../outside.png")]))
    manifest, _ = exported(file, tmp_path / "out", ExportConfig(pictures="copy"), images)
    assert manifest.left_out == {"an unsafe picture name": 1}


def test_sizes_are_read_off_pictures_where_places_need_them(tmp_path: Path, images: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0), step(1, END)]))
    order = ExportConfig("chat", Recipe(coordinates="pixels"))
    manifest, lines = exported(file, tmp_path / "out", order, images)
    assert manifest.counts["examples"] == 2
    assert "pyautogui.click(x=32, y=10)" in lines[0]["messages"][-1]["content"]
    manifest, _ = exported(file, tmp_path / "blind", order)
    assert manifest.left_out == {"screen size unknown": 2}


def test_marked_pictures_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    done = trajectory(tmp_path / "shots")
    order = ExportConfig("chat", Recipe(family="som"), "copy")
    manifest = export([done], tmp_path / "out", order, FolderPictures(tmp_path / "shots"))
    copies = list((tmp_path / "out" / "images").iterdir())
    assert len(copies) == manifest.counts["pictures copied"] == 3, "each example shows its own"
    assert manifest.left_out == {"no words for scroll": 1}
    originals = {file.read_bytes() for file in (tmp_path / "shots").iterdir()}
    assert not originals & {file.read_bytes() for file in copies}
    with pytest.raises(BadInput, match="--images"):
        export([done], tmp_path / "names", ExportConfig("chat", Recipe(family="som")))


def test_prompts_of_one_s_own(rows: Path, tmp_path: Path) -> None:
    own = tmp_path / "prompts" / "agents" / "opencua"
    own.mkdir(parents=True)
    (own / "system.md").write_text("Words it was trained on.")
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig(), prompts=Prompts(tmp_path / "prompts"))
    assert lines[0]["messages"][0]["content"] == "Words it was trained on."
    assert manifest.prompts["agents/opencua/system"] == hashlib.sha256(b"Words it was trained on.").hexdigest()


def test_the_manifest_and_the_index_tell_where_it_came_from(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", ExportConfig(), licence=["MIT"], citation=["Somebody, 2025"])
    assert manifest.inputs[0].sha256 == hashlib.sha256(rows.read_bytes()).hexdigest()
    assert (manifest.licence, manifest.citation) == (("MIT",), ("Somebody, 2025",))
    (asked,) = manifest.settings["asked_with"]
    assert (asked["level"], asked["coordinates"], asked["screenshots"]) == ("l2", "relative", 3)
    index = [json.loads(line) for line in (tmp_path / "out" / "index.jsonl").read_text().splitlines()]
    assert len(index) == len(lines)
    assert index[-1] == {"example": 5, "trajectory": "b", "step": 2, "level": "l2"}


def test_a_folder_with_something_in_it_is_left_alone(rows: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not empty"):
        exported(rows, rows.parent, ExportConfig())


def test_packed_lines(rows: Path, tmp_path: Path) -> None:
    import gzip

    export(trajectories([rows]), tmp_path / "out", ExportConfig(ending=".gz"))
    lines = gzip.decompress((tmp_path / "out" / "chat.jsonl.gz").read_bytes()).splitlines()
    assert len(lines) == 6


@pytest.mark.parametrize("coordinates", ["pixels", "qwen2.5"])
def test_a_scaled_picture_counts_and_not_the_screen_it_was_taken_on(tmp_path: Path, coordinates: str) -> None:
    (tmp_path / "images").mkdir()
    for place in range(2):
        (tmp_path / "images" / f"{place}.png").write_bytes(picture(place, Size(1276, 718)))
    (tmp_path / "told").mkdir()
    put(tmp_path / "told" / "meta_data_merged.jsonl", meta("a", screen_width=1366, screen_height=768))
    files = [put(folder / "a.jsonl", row("a", [step(0), step(1, END)])) for folder in (tmp_path, tmp_path / "told")]
    order = ExportConfig("chat", Recipe(coordinates=coordinates))
    (without, plain), (manifest, joined) = (
        exported(file, tmp_path / f"out{number}", order, tmp_path / "images") for number, file in enumerate(files)
    )
    assert joined == plain
    assert manifest.notes == without.notes
    if coordinates == "pixels":
        assert "pyautogui.click(x=638, y=" in joined[0]["messages"][-1]["content"]
    blind, lines = exported(files[1], tmp_path / "blind", order)
    assert len(lines) == 2
    assert "the screen that the metadata tells" in blind.notes[-1]
    assert "could not be measured: 2;" in blind.notes[-1]
    (tmp_path / "images" / "1.png").unlink()
    manifest, lines = exported(files[1], tmp_path / "partly", order, tmp_path / "images")
    assert (len(lines), "could not be measured: 1;" in manifest.notes[-1]) == (2, True)


def failing(rows: Path) -> Iterator[Trajectory]:
    yield from trajectories([rows])
    raise BadInput("the rest cannot be read")


@pytest.mark.parametrize("there", [False, True])
def test_a_failed_export_leaves_nothing_behind(rows: Path, images: Path, tmp_path: Path, there: bool) -> None:
    out = tmp_path / "new" / "out"
    if there:
        out.mkdir(parents=True)
    works: list[Callable[[Iterable[Trajectory]], object]] = [
        lambda found: export(found, out, ExportConfig(pictures="copy"), FolderPictures(images)),
        lambda found: export_step_tasks(found, out, FolderPictures(images)),
    ]
    for work in works:
        with pytest.raises(BadInput, match="the rest"):
            work(failing(rows))
        assert list((tmp_path / "new").rglob("*")) == ([out] if there else [])
    works[0](trajectories([rows]))
    assert (out / "manifest.json").is_file()


def test_a_file_is_no_folder_to_export_into(rows: Path) -> None:
    with pytest.raises(BadInput, match="is a file; name a new folder"):
        exported(rows, rows, ExportConfig())
    with pytest.raises(BadInput, match="cannot write"):
        exported(rows, rows / "inside", ExportConfig())


@pytest.mark.parametrize("form", ["chat", "parquet", "agentnet", "agentnetbench"])
def test_an_export_of_nothing_is_not_in_the_way_of_the_next(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good, out = tmp_path / "bad.jsonl", tmp_path / "good.jsonl", tmp_path / "out"
    bad.write_text('{"task_id": "t", "traj": "none"}\n')
    good.write_text(json.dumps(row("t1", 3)) + "\n")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for place in range(3):
        (pictures / f"{place}.png").write_bytes(encode(Image.new("RGB", (8, 8), "white")))
    words = ["--format", form, "--images", str(pictures), "--out", str(out)]
    assert main(["dataset", "export", str(bad), *words]) == 1
    assert "nothing was exported" in capsys.readouterr().err
    assert not out.exists()
    assert main(["dataset", "export", str(good), *words]) == 0
    assert (out / "manifest.json").is_file()


def test_the_example_in_the_documentation_runs_as_a_file_of_its_own(tmp_path: Path) -> None:
    """With two processes, which import it."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "dataset.md").read_text(encoding="utf-8")
    example = textwrap.dedent(page.partition("## From Python\n")[2].partition("\n## ")[0])
    (tmp_path / "shown.py").write_text(example, encoding="utf-8")
    (tmp_path / "AgentNet").mkdir()
    (tmp_path / "AgentNet" / "rows.jsonl").write_text("".join(json.dumps(row(f"t{n}", 3)) + "\n" for n in range(3)))
    done = subprocess.run([sys.executable, "shown.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["counts"]["trajectories"] == 3
