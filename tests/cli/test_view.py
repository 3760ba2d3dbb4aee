"""`workalike view` ends quietly, however often it is told to."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.dataset.rows import row
from workalike.cli import main
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step
from workalike.pictures.codec import encode
from workalike.store.trajectories import FILE, TrajectoryWriter
from workalike.viewer.dataset_collection import DatasetCollection
from workalike.viewer.index import build_index
from workalike.viewer.library import Library
from workalike.viewer.server import make_app


def test_ctrl_c_twice_ends_it_quietly(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path / FILE, "t", Task("t", "look")) as writer:
        writer.step(Step(Observation()))
    command = [sys.executable, "-m", "workalike.cli", "view", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert "Ctrl-C stops" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=120)
    assert complaint == ""


@pytest.mark.parametrize(
    "words",
    [
        ["view", "nowhere", "--port", "999999"],
        ["view", "nowhere", "--port", "-1"],
        ["town", "serve", "--port", "99999"],
        ["town", "serve", "--admin-port", "70000"],
        ["serve-oracle", "--proxy-port", "many"],
    ],
)
def test_what_is_no_port_is_refused_before_anything_starts(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert f"{words[-2]}: must be a port from 0 to 65535, not {words[-1]}" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_agentnet_rows_are_shown(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "set"
    (folder / "images").mkdir(parents=True)
    rows = [json.dumps(row("first", 3)), '{"task_id": "cut', json.dumps(row("second", 2))]
    data = "\n".join(rows).encode() + b"\n"
    (folder / f"agentnet.{ending}").write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    picture = encode(Image.new("RGB", (8, 8), "white"))
    (folder / "images" / "1.png").write_bytes(picture)
    for path in (folder, folder / f"agentnet.{ending}"):
        build_index(path)
        (dataset,) = Library(path).collections()
        assert isinstance(dataset, DatasetCollection)
        assert [(each.id, each.steps) for each in dataset.entries()] == [("first", 3), ("second", 2)]
        assert next(dataset.entries()).instruction == "Do the thing called first"
        shown = dataset.trajectory("second")
        assert shown.id == "second"
        assert shown.ending is not None
        assert dataset.picture("first", "1.png") == picture
        assert dataset.about.unread == 1
        assert f"agentnet.{ending}" in dataset.about.examples[0]


def test_a_damaged_trajectory_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with TrajectoryWriter.create(tmp_path / name / FILE, name, Task("t", "look")) as writer:
            writer.step(Step(Observation()))
            writer.finish(None)
    (tmp_path / "one" / FILE).write_bytes(b"no line of ours\n")
    client = TestClient(make_app(Library(tmp_path)), base_url="http://127.0.0.1")
    one, two = client.get("/api/home").json()["collections"]
    assert f"{tmp_path / 'one' / FILE}, line 1: " in one["damaged"]
    assert (two["place"], two["steps"]) == ("two", 1)


def test_nothing_to_look_at_is_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path)]) == 2
    assert "holds nothing to look at" in capsys.readouterr().err
    assert main(["view", str(tmp_path / "nowhere")]) == 2
    assert "name a folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz", FILE])
def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    for data in (b"", b"\n \n"):
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert main(["view", str(path), "--port", "0"]) == 2
        assert capsys.readouterr().err == f"workalike: {path} is empty: it holds nothing to look at\n"


def test_at_another_address_a_token_is_asked_for(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path / FILE, "t", Task("t", "look")) as writer:
        writer.step(Step(Observation()))
    command = [sys.executable, "-m", "workalike.cli", "view", str(tmp_path), "--port", "0", "--host", "0.0.0.0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = urlsplit(process.stdout.readline().split()[0])
        base = f"http://127.0.0.1:{url.port}"
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{base}/api/home")
        assert refused.value.code == 401
        with build_opener(HTTPCookieProcessor()).open(f"{base}/?{url.query}") as page:
            assert page.url == f"{base}/"
        process.send_signal(signal.SIGINT)
