"""Exports: every form holds the same conversations, the same input gives the same bytes, and the manifest tells all."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dataset.browsing import picture, trajectory
from tests.dataset.rows import END, meta, put, row, step
from workalike.core.errors import BadInput
from workalike.core.screen import Size
from workalike.core.trajectory import Trajectory
from workalike.dataset.examples import Recipe
from workalike.dataset.export import Format, Order, export, export_step_tasks
from workalike.dataset.manifest import Manifest
from workalike.dataset.sources import trajectories
from workalike.models.prompts import Prompts
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
    rows: Path, out: Path, order: Order, images: Path | None = None, **more: Any
) -> tuple[Manifest, list[Any]]:
    source = FolderPictures(images) if images else None
    manifest = export(trajectories([rows]), out, order, source, inputs=[rows], **more)
    lines = (out / manifest.outputs[0].name).read_text().splitlines() if order.format != "parquet" else []
    return manifest, [json.loads(line) for line in lines]


def test_chat_lines(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", Order())
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
    _, by_role = exported(rows, tmp_path / "role", Order(loss="role"))
    roles = [message["role"] for message in by_role[1]["messages"]]
    assert roles == ["system", "user", "assistant_history", "user", "assistant"]
    _, everything = exported(rows, tmp_path / "all", Order(loss="all"))
    assert all("weight" not in message for message in everything[1]["messages"])


def test_sharegpt_takes_strict_turns_with_a_token_for_every_picture(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", Order("sharegpt", prefix="images/"))
    for line in lines:
        turns = line["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "gpt"] * (len(turns) // 2)
        assert sum(turn["value"].count("<image>") for turn in turns) == len(line["images"])
        assert line["system"]
    assert lines[3]["images"] == ["images/1.png", "images/2.png", "images/3.png"]
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text())
    assert info["workalike"]["file_name"] == manifest.outputs[0].name == "sharegpt.jsonl"


def test_a_text_that_speaks_of_image_tokens_is_no_picture(tmp_path: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0, END, thought="see <image> here")]))
    _, lines = exported(file, tmp_path / "out", Order("sharegpt"))
    assert sum(turn["value"].count("<image>") for turn in lines[0]["conversations"]) == len(lines[0]["images"]) == 1


def test_the_card_s_order_is_put_into_turns_too(rows: Path, tmp_path: Path) -> None:
    _, lines = exported(rows, tmp_path / "out", Order("sharegpt", Recipe(order="after")))
    for line in lines:
        turns = line["conversations"]
        assert [turn["from"] for turn in turns] == ["human", "gpt"] * (len(turns) // 2)


def test_trl_rows(rows: Path, tmp_path: Path) -> None:
    _, lines = exported(rows, tmp_path / "out", Order("trl"))
    for line in lines:
        assert [message["role"] for message in line["completion"]] == ["assistant"]
        parts = [part for message in line["prompt"] for part in message["content"]]
        assert sum(part["type"] == "image" for part in parts) == len(line["images"])
        assert all(set(part) == {"type", "text"} for part in parts)
    _, lines = exported(rows, tmp_path / "all", Order("trl", loss="all"))
    assert set(lines[0]) == {"messages", "images"}


@pytest.mark.parametrize("form", ["chat", "sharegpt", "trl", "parquet"])
def test_the_same_input_gives_the_same_bytes(rows: Path, images: Path, tmp_path: Path, form: Format) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs pyarrow")
    order = Order(form, Recipe(levels={"l1": 1, "l3": 1}))
    one, two = (exported(rows, tmp_path / name, order, images)[0] for name in ("one", "two"))
    assert one == two
    for file in one.outputs:
        data = (tmp_path / "two" / file.name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file.size, file.sha256)
    assert (tmp_path / "one" / "manifest.json").read_bytes() == (tmp_path / "two" / "manifest.json").read_bytes()


def test_pictures_copied_or_within(rows: Path, images: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "copy", Order(pictures="copy"), images)
    assert manifest.counts["pictures copied"] == 4
    url = lines[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert (tmp_path / "copy" / url).read_bytes() == (images / "0.png").read_bytes()
    _, lines = exported(rows, tmp_path / "inline", Order(pictures="inline"), images)
    url = lines[0]["messages"][1]["content"][0]["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == (images / "0.png").read_bytes()
    with pytest.raises(BadInput, match="--images"):
        exported(rows, tmp_path / "none", Order(pictures="copy"))


def test_a_missing_picture_costs_its_examples(rows: Path, images: Path, tmp_path: Path) -> None:
    (images / "3.png").unlink()
    manifest, lines = exported(rows, tmp_path / "out", Order(pictures="copy"), images)
    assert manifest.left_out["a picture is missing"] == 1
    assert len(lines) == manifest.counts["examples"] == 5


def test_a_picture_s_name_cannot_lead_out(tmp_path: Path, images: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0, END, image="../../outside.png")]))
    manifest, _ = exported(file, tmp_path / "out", Order(pictures="copy"), images)
    assert manifest.left_out == {"a picture is missing": 1}


def test_sizes_are_read_off_pictures_where_places_need_them(tmp_path: Path, images: Path) -> None:
    file = put(tmp_path / "a.jsonl", row("a", [step(0), step(1, END)]))
    order = Order("chat", Recipe(coordinates="pixels"))
    manifest, lines = exported(file, tmp_path / "out", order, images)
    assert manifest.counts["examples"] == 2
    assert "pyautogui.click(x=32, y=10)" in lines[0]["messages"][-1]["content"]
    manifest, _ = exported(file, tmp_path / "blind", order)
    assert manifest.left_out == {"screen size unknown": 2}


def test_marked_pictures_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    done = trajectory(tmp_path / "shots")
    order = Order("chat", Recipe(family="som"), "copy")
    manifest = export([done], tmp_path / "out", order, FolderPictures(tmp_path / "shots"))
    copies = list((tmp_path / "out" / "images").iterdir())
    assert len(copies) == manifest.counts["pictures copied"] == 4
    assert manifest.left_out == {"no words for scroll": 1}
    originals = {file.read_bytes() for file in (tmp_path / "shots").iterdir()}
    assert not originals & {file.read_bytes() for file in copies}
    with pytest.raises(BadInput, match="--images"):
        export([done], tmp_path / "names", Order("chat", Recipe(family="som")))


def test_prompts_of_one_s_own(rows: Path, tmp_path: Path) -> None:
    own = tmp_path / "prompts" / "dataset"
    own.mkdir(parents=True)
    (own / "system_l2.md").write_text("Words it was trained on.")
    manifest, lines = exported(rows, tmp_path / "out", Order(), prompts=Prompts(tmp_path / "prompts"))
    assert lines[0]["messages"][0]["content"] == "Words it was trained on."
    assert manifest.prompts["dataset/system_l2"] == hashlib.sha256(b"Words it was trained on.").hexdigest()


def test_the_manifest_and_the_index_tell_where_it_came_from(rows: Path, tmp_path: Path) -> None:
    manifest, lines = exported(rows, tmp_path / "out", Order(), licence=["MIT"], citation=["Somebody, 2025"])
    assert manifest.inputs[0].sha256 == hashlib.sha256(rows.read_bytes()).hexdigest()
    assert (manifest.licence, manifest.citation) == (("MIT",), ("Somebody, 2025",))
    assert manifest.settings["recipe"]["pictures"] == 3
    index = [json.loads(line) for line in (tmp_path / "out" / "index.jsonl").read_text().splitlines()]
    assert len(index) == len(lines)
    assert index[-1] == {"example": 5, "trajectory": "b", "step": 2, "level": "l2"}


def test_a_folder_with_something_in_it_is_left_alone(rows: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not empty"):
        exported(rows, rows.parent, Order())


def test_packed_lines(rows: Path, tmp_path: Path) -> None:
    import gzip

    export(trajectories([rows]), tmp_path / "out", Order(ending=".gz"))
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
    order = Order("chat", Recipe(coordinates=coordinates))
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
        lambda found: export(found, out, Order(pictures="copy"), FolderPictures(images)),
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
        exported(rows, rows, Order())
    with pytest.raises(BadInput, match="cannot write"):
        exported(rows, rows / "inside", Order())
