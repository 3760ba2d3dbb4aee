"""The verbs that judge, annotate, look at rows and export do the same on workers as here: over plain lines, which need
no Ray, and on a real cluster."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cluster.plain import PlainCluster, in_place_of_ray
from tests.cluster.ray_nodes import needs_ray, ray_nodes
from tests.dataset.browsing import trajectory
from tests.dataset.rows import put, row
from tests.models.conftest import Serve, serve, server
from tests.verify.cases import made
from tests.verify.scripted_judge import NotingJudge
from workalike.cli import main
from workalike.core.actions import Visit
from workalike.core.trajectory import ActionResult
from workalike.store.layers import verdicts_of
from workalike.store.packed import write_packed
from workalike.store.trajectories import write_trajectory
from workalike.verify.scripted import Truth

__all__ = ["serve", "server"]
TRUTHS = {"a": Truth(), "b": Truth("failure", unmet=(1,)), "c": Truth("blocked", unmet=(2,))}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """That of a real cluster."""
    with ray_nodes(2) as cluster:
        yield cluster.address


REAL = [needs_ray, pytest.mark.sweep]


@pytest.fixture(params=["plain", pytest.param("ray", marks=REAL)])
def there(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a verb is given to do its work elsewhere: on two nodes of this process, or of a real cluster."""
    if request.param == "ray":
        return ["--ray", request.getfixturevalue("address")]
    in_place_of_ray(monkeypatch, lambda: PlainCluster("a", "b"))
    return ["--ray"]


def _trajectories(folder: Path, apart: bool = False) -> Path:
    """Three trajectories, and their pictures, together or with each."""
    for id in TRUTHS:
        trajectory, _ = made(folder / id if apart else folder, id=id)
        write_trajectory(folder / id / "trajectory.jsonl", trajectory)
    (folder / "prices.json").write_text('{"m": {"input": 2, "output": 8}}')
    return folder


def test_a_judge_elsewhere_says_the_same_within_the_same_cap(
    tmp_path: Path, serve: Serve, capsys: pytest.CaptureFixture[str], there: list[str]
) -> None:
    outcomes = []
    for name, more in (("here", []), ("there", there)):
        folder = _trajectories(tmp_path / name)
        model = f"m@{serve(answer=NotingJudge(TRUTHS)).v1}"
        given = ["--verifier", "rubric", "--model", model, "--prices", str(folder / "prices.json"), "--max-cost", "5"]
        assert main(["verify", str(folder), *given, "--json", *more]) == 0
        summary = json.loads(capsys.readouterr().out)
        said = {id: verdict.outcome for (id, _), verdict in verdicts_of(folder)[0]}
        outcomes.append((said, summary["usage"]["requests"], round(summary["spent"], 9)))
    assert outcomes[0] == outcomes[1]
    assert outcomes[1][2] > 0


def test_annotations_made_elsewhere_are_the_same(tmp_path: Path, there: list[str]) -> None:
    found = []
    for name, more in (("here", []), ("there", there)):
        folder = _trajectories(tmp_path / name, apart=True)
        paths, rows = [str(folder / id) for id in TRUTHS], folder / "rows.jsonl"
        assert main(["annotate", *paths, "--model", "scripted", "--out", str(rows), *more]) == 0
        layers = sorted(folder.glob("*/layers/annotations/*.jsonl"))
        said = [json.loads(line) for layer in layers for line in layer.read_text().splitlines()[1:]]
        for line in said:
            line["value"]["usage"].pop("cached_tokens", None)  # which depends on who asks first
        last = {(line["trajectory"], line.get("step")): line for line in said}  # who judges and who values may be first
        lines = sorted(json.dumps(line) for line in last.values())
        found.append(([layer.name for layer in layers], lines, sorted(rows.read_text().splitlines())))
    assert found[0] == found[1]
    assert len(found[1][2]) == len(TRUTHS)


@pytest.mark.parametrize("verb", ["validate", "stats"])
def test_rows_looked_at_elsewhere_give_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, there: list[str]
) -> None:
    for name in ("one", "two", "three"):
        put(tmp_path / f"{name}.jsonl", row(name), row(f"{name}b", 5), "{broken\n", row(name))
    told = []
    for more in ([], there):
        code = main(["dataset", verb, str(tmp_path), "--json", *more])
        told.append((code, json.loads(capsys.readouterr().out)))
    assert told[0] == told[1]


def test_every_file_is_exported_into_a_folder_of_its_own(tmp_path: Path, there: list[str]) -> None:
    (tmp_path / "rows").mkdir()
    for name in ("one", "two"):
        put(tmp_path / "rows" / f"{name}.jsonl", row(name), row(f"{name}b", 5))
        assert main(["dataset", "export", str(tmp_path / "rows" / f"{name}.jsonl"), "--out", str(tmp_path / name)]) == 0
    out = tmp_path / "there"
    assert main(["dataset", "export", str(tmp_path / "rows"), "--out", str(out), *there]) == 0
    for name in ("one", "two"):
        assert (out / name / "chat.jsonl").read_bytes() == (tmp_path / name / "chat.jsonl").read_bytes()
        assert (out / name / "manifest.json").is_file()
    assert main(["dataset", "export", str(tmp_path / "rows"), "--out", str(out), *there]) == 0, "all of it is there"


@needs_ray
@pytest.mark.sweep
def test_a_ray_of_its_own_lives_as_long_as_the_command(tmp_path: Path) -> None:
    put(tmp_path / "one.jsonl", row("one"), row("two", 5))
    told = []
    for more in ([], ["--ray", "local"]):
        command = [
            sys.executable,
            "-m",
            "workalike.cli",
            "dataset",
            "stats",
            str(tmp_path / "one.jsonl"),
            "--json",
            *more,
        ]
        told.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout))
    assert told[0] == told[1]


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How two files were exported elsewhere."""
    in_place_of_ray(monkeypatch, lambda: PlainCluster("a", "b"))
    (tmp_path / "rows").mkdir()
    for name in ("one", "two"):
        put(tmp_path / "rows" / f"{name}.jsonl", row(name), row(f"{name}b", 5))
    given = ["dataset", "export", str(tmp_path / "rows"), "--out", str(tmp_path / "out"), "--ray"]
    assert main([*given, "--level", "l1"]) == 0
    return given


def test_an_export_goes_on_with_the_same_settings_alone(
    tmp_path: Path, exported: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {name: (tmp_path / "out" / name / "chat.jsonl").read_bytes() for name in ("one", "two")}
    assert main([*exported, "--level", "l3"]) == 2
    assert "was exported with other settings (level)" in capsys.readouterr().err
    shutil.rmtree(tmp_path / "out" / "two")  # as if its node had died: a folder is there whole, or not at all
    assert main([*exported, "--level", "l3"]) == 2
    assert main([*exported, "--level", "l1", "--jobs", "2"]) == 0
    assert {name: (tmp_path / "out" / name / "chat.jsonl").read_bytes() for name in lines} == lines


def test_an_export_elsewhere_tells_what_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_place_of_ray(monkeypatch, lambda: PlainCluster("a"))
    step = trajectory().steps[0]
    visiting = replace(step, actions=(ActionResult(Visit("https://a")),))
    write_packed(tmp_path / "ours.jsonl", [trajectory(), replace(trajectory(), id="other", steps=(visiting,))])
    given = ["dataset", "export", str(tmp_path / "ours.jsonl"), "--format", "agentnet", "--ray"]
    assert main([*given, "--out", str(tmp_path / "out")]) == 0
    assert "other is left out: the pyautogui dialect cannot express visit" in capsys.readouterr().err


def test_an_export_of_what_has_changed_since_is_refused(
    tmp_path: Path, exported: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "rows" / "two.jsonl", row("other"))
    assert main([*exported, "--level", "l1"]) == 2
    assert "two.jsonl has changed since it was exported" in capsys.readouterr().err
    (tmp_path / "out" / "export.json").unlink()
    assert main([*exported, "--level", "l1"]) == 2
    assert "nobody says how they were asked for" in capsys.readouterr().err
