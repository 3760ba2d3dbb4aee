"""Each form is read back by the library it is for, where that library is installed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import GenericAlias
from typing import Any

import pytest
from PIL import Image

from tests.dataset.browsing import picture
from tests.dataset.rows import put, row
from workalike.core.screen import Size
from workalike.dataset.export import ExportConfig, Format, export
from workalike.dataset.sources import trajectories
from workalike.dataset.writers import parquet
from workalike.store.pictures import FolderPictures


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for place in range(6):
        (folder / f"{place}.png").write_bytes(picture(place, Size(48, 32)))
    put(tmp_path / "rows.jsonl", row("a", 6), row("b", 3))
    return tmp_path


def exported(source: Path, form: Format) -> Path:
    order = ExportConfig(form, pictures="names" if form == "parquet" else "copy")
    images = FolderPictures(source / "images")
    manifest = export(trajectories([source / "rows.jsonl"]), source / form, order, images)
    assert manifest.counts["examples"] == 9
    return source / form / manifest.outputs[0].name


def test_chat_messages_are_openai_s(source: Path) -> None:
    openai = pytest.importorskip("openai.types.chat", reason="the openai package is not installed")
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
    shape = pydantic.TypeAdapter(GenericAlias(list, (openai.ChatCompletionMessageParam,)))
    for line in exported(source, "chat").read_text().splitlines():
        messages = json.loads(line)["messages"]
        assert len(list(shape.validate_python(messages))) == len(messages)


def test_parquet_by_pyarrow(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    monkeypatch.setattr(parquet, "GROUP_ROWS", 4)
    file = exported(source, "parquet")
    table = pq.read_table(file)
    assert pq.ParquetFile(file).num_row_groups == 3
    rows: list[dict[str, Any]] = table.to_pylist()
    assert [each["id"] for each in rows] == [*(f"a#{step}" for step in range(6)), *(f"b#{step}" for step in range(3))]
    for each in rows:
        parts = [part for message in each["prompt"] for part in message["content"]]
        assert sum(part["type"] == "image" for part in parts) == len(each["images"])
        for image in each["images"]:
            assert image["bytes"] == (source / "images" / image["path"]).read_bytes()
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["images"] == [{"_type": "Image"}]


def test_parquet_by_datasets(source: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the datasets library is not installed")
    file = exported(source, "parquet")
    read = datasets.load_dataset("parquet", data_files=str(file), split="train", cache_dir=str(source / "cache"))
    assert read.num_rows == 9
    assert isinstance(read[3]["images"][0], Image.Image)
    assert read[3]["images"][0].size == (48, 32)
    assert read[3]["completion"][0]["content"][0]["text"].startswith("# Step 4:")


def test_trl_knows_a_conversation(source: Path) -> None:
    utils = pytest.importorskip("trl.data_utils", reason="the trl library is not installed")
    for line in exported(source, "trl").read_text().splitlines():
        example = json.loads(line)
        assert utils.is_conversational(example)
        whole = example["prompt"] + example["completion"]
        filled = utils.prepare_multimodal_messages(whole, images=example["images"])
        shown = [part["image"] for message in filled for part in message["content"] if part["type"] == "image"]
        assert shown == example["images"]


def test_llama_factory_takes_every_conversation(source: Path) -> None:
    reason = "LLaMA-Factory is not installed"
    converter = pytest.importorskip("llamafactory.data.converter", reason=reason)
    parser = pytest.importorskip("llamafactory.data.parser", reason=reason)
    file = exported(source, "sharegpt")
    info = json.loads((file.parent / "dataset_info.json").read_text())["workalike"]
    attributes = parser.DatasetAttr("file", dataset_name=info["file_name"])
    attributes.join(info)
    arguments = type("Arguments", (), {"media_dir": str(file.parent)})
    convert = converter.SharegptDatasetConverter(attributes, arguments)
    for line in file.read_text().splitlines():
        taken = convert(json.loads(line))
        assert taken["_prompt"]
        assert taken["_response"][0]["role"] == "assistant"
        assert all(Path(image).is_file() for image in taken["_images"])


def test_pictures_are_pictures(source: Path) -> None:
    file = exported(source, "sharegpt")
    example = json.loads(file.read_text().splitlines()[0])
    with Image.open(io.BytesIO((file.parent / example["images"][0]).read_bytes())) as shown:
        assert shown.size == (48, 32)
