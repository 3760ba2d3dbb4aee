"""`workalike import agentnet-tool` and `workalike reduce`, as a person types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.formats.tool_sample import Click, Sample, make
from tests.reduce.people import Person
from workalike.cli import main
from workalike.store.trajectories import read_trajectory

SAMPLE = Sample(seconds=8.0, clicks=(Click(2.0), Click(4.0), Click(6.0, "right")))


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("cli") / "tool", SAMPLE, kept=[0, 1])


@pytest.fixture(scope="module")
def recording(tool: Path) -> Path:
    out = tool.parent / "recording"
    assert main(["import", "agentnet-tool", str(tool), "--out", str(out)]) == 0
    return out


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_import_says_what_it_found(tool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answered(capsys, "import", "agentnet-tool", str(tool), "--out", str(tmp_path / "out"))
    assert "later than the frames that show them" in said
    assert "an annotator kept 2 actions" in said


def test_import_as_json(tool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(answered(capsys, "import", "agentnet-tool", str(tool), "--out", str(tmp_path / "out"), "--json"))
    assert said["clock"]["seconds"] == pytest.approx(0.26, abs=0.04)
    assert (said["kept"], said["screens"][0]["size"]) == (2, [640, 360])


def test_reduce_writes_a_trajectory(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answered(capsys, "reduce", str(recording), "--out", str(tmp_path / "out"), "--explain")
    assert "3 steps in" in said
    assert "events belong to actions that were deleted" in said
    assert "settled" in said
    assert len(read_trajectory(tmp_path / "out/trajectory.jsonl").trajectory.steps) == 3


def test_edits_endings_and_thresholds_are_as_asked(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["reduce", str(recording), "--out", str(tmp_path / "out"), "--json"]
    asked = ["--ignore-edits", "--ending", "none", "--set", "wait=1", "--set", "click_interval=0.25"]
    said = json.loads(answered(capsys, *words, *asked))
    assert said["settings"]["wait"] == 1.0
    assert said["settings"]["click_interval"] == 0.25
    assert [step["gesture"]["kind"] for step in said["steps"]].count("click") == 3
    account = said["account"]
    assert account["events"] == account["used"] + account["deleted"] + sum(account["left_out"].values())


def test_actions_of_an_event_file_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "events.jsonl"
    events = Person().click(300, 200).rest(1).write("hi $").key("enter").events
    file.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    said = json.loads(answered(capsys, "reduce", str(file), "--actions", "--json", "--screen", "1000x500"))
    assert [action["actions"][0]["do"] for action in said["actions"]] == ["click", "write", "press"]
    assert said["account"] == {"events": len(events), "used": len(events), "left_out": {}, "not_understood": {}}
    plain = answered(capsys, "reduce", str(file), "--screen", "1000x500")
    assert f"3 actions. Of {len(events)} events {len(events)} are part of actions." in plain


def test_actions_of_the_tools_folder_and_of_a_recording(
    tool: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = json.loads(answered(capsys, "reduce", str(tool), "--actions", "--json"))
    own = json.loads(answered(capsys, "reduce", str(recording), "--actions", "--json"))
    assert [a["kind"] for a in raw["actions"]] == [a["kind"] for a in own["actions"]]


def test_the_shared_sample(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = fixtures / "agentnet-recording" / "events.jsonl"
    assert len(json.loads(answered(capsys, "reduce", str(file), "--actions", "--json"))["actions"]) == 27


def test_what_is_wrong_is_said(recording: Path, tool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    assert "no format 'obs'" in refused(capsys, "import", "obs", str(tool), "--out", out)
    assert "name what is to be imported" in refused(
        capsys, "import", "agentnet-tool", str(tmp_path / "no"), "--out", out
    )
    assert "--out DIR" in refused(capsys, "reduce", str(recording))
    assert "names no threshold" in refused(capsys, "reduce", str(recording), "--out", out, "--set", "speed=3")
    told = refused(capsys, "reduce", str(recording), "--out", out, "--set", "wait=long")
    assert "--set wait=long: wait takes a number of 0 or more" in told
    assert "nope does not exist" in refused(capsys, "reduce", str(tmp_path / "nope"), "--out", out)
    assert "no.jsonl does not exist" in refused(capsys, "reduce", str(tmp_path / "no.jsonl"), "--actions")
    assert "neither recording.json nor events.jsonl" in refused(capsys, "reduce", str(tmp_path), "--actions")
    assert "has no frames" in refused(capsys, "reduce", str(tool / "events.jsonl"), "--out", out)
    assert "import agentnet-tool" in refused(capsys, "reduce", str(tool), "--out", out)
    assert "not a screen size" in refused(capsys, "reduce", str(tool / "events.jsonl"), "--screen", "big")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("lost", ["events.jsonl", "frames.jsonl"])
def test_a_segment_that_lost_a_file_is_not_taken_for_an_empty_one(
    lost: str, recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(recording, copied)
    (file,) = copied.glob(f"segments/*/{lost}")
    file.unlink()
    assert f"{file} is missing" in refused(capsys, "reduce", str(copied), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
