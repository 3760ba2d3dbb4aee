"""`workalike dataset` and `workalike step-eval` as a user types them: what they print, write and exit with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.dataset.browsing import picture, trajectory
from tests.dataset.rows import END, lines, meta, put, row, step
from workalike.cli import main
from workalike.core.actions import Back, Click, Visit
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult
from workalike.store.packed import write_packed
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import write_trajectory


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    triple = row("c", [step(0, "computer.triple_click(x=0.1, y=0.2)\n" + END)])
    put(folder / "agentnet_ubuntu_5k.jsonl", row("a", 4), row("b", 2, task_completed=None), triple, "{oops\n")
    put(folder / "meta_data_merged.jsonl", meta("a"), meta("b", "Darwin", step_num=2), meta("c", "Windows", step_num=1))
    return folder


def told(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    assert main([*map(str, words)]) == code
    return capsys.readouterr().out


def told_json(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> Any:
    return json.loads(told(capsys, *words, "--json", code=code))


def test_validate_tells_mends_and_sets_aside(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, bad, every = tmp_path / "out.jsonl", tmp_path / "bad.jsonl", tmp_path / "defects.jsonl"
    text = told(capsys, "dataset", "validate", rows, "--fix", "--out", out, "--reject", bad, "--defects", every, code=1)
    assert "4 lines, 3 trajectories, 7 steps" in text
    for kind in ("unreadable row", "null", "triple-click spelling"):
        assert kind in text
    assert len(lines(out)) == 3
    assert bad.read_text() == "{oops\n"
    assert {(each["kind"], each["line"]) for each in lines(every)} == {
        ("null", 2),
        ("triple-click spelling", 3),
        ("unreadable row", 4),
    }


def test_validate_is_strict_for_pipelines(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told_json(capsys, "dataset", "validate", rows, "--strict", "--stats", "--no-texts", code=1)
    assert found["survey"]["defects"] == {"null": 1, "triple-click spelling": 1, "unreadable row": 1}
    assert found["stats"]["rows"] == 3
    good = put(tmp_path / "good.jsonl", row())
    assert "no defect found" in told(capsys, "dataset", "validate", good, "--strict")


def test_validate_looks_at_pictures_when_asked(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "images").mkdir()
    found = told_json(capsys, "dataset", "validate", rows, "--images", tmp_path / "images", code=1)
    assert found["survey"]["defects"]["missing picture"] == 4


def test_stats_as_a_table_as_json_and_as_a_page(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "stats.html"
    text = told(capsys, "dataset", "stats", rows, "--html", page)
    assert "macos" in text
    assert "pyautogui.click" in text
    html = page.read_text()
    assert "<svg" in html
    assert "http" not in html.replace("http://www.w3.org", "")
    stats = told_json(capsys, "dataset", "stats", rows)
    assert stats["tables"]["systems"] == {"macos": 1, "ubuntu": 1, "windows": 1}


def test_choosing(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    text = told(capsys, "dataset", "filter", rows, "--where", "system == 'ubuntu' and steps < 30", "--out", out)
    assert "1 row in" in text
    assert [each["task_id"] for each in lines(out)] == ["a"]
    told(capsys, "dataset", "split", rows, "--into", "train=1", "test=1", "--out", tmp_path / "parts")
    assert sum(len(lines(tmp_path / "parts" / f"{name}.jsonl")) for name in ("train", "test")) == 3
    assert told_json(capsys, "dataset", "merge", rows, out, "--out", tmp_path / "all.jsonl")["dropped"] == 1
    assert told_json(capsys, "dataset", "dedupe", rows, "--near", "0.9", "--out", tmp_path / "once.jsonl")["read"] == 4
    assert "2 rows in" in told(capsys, "dataset", "sample", rows, "--count", "2", "--out", tmp_path / "few.jsonl.zst")


def test_export_and_its_manifest(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "dataset", "export", rows, "--level", "l1=0.5", "--level", "l3", "--out", tmp_path / "out")
    assert "7  examples" in text
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["settings"]["recipe"]["levels"] == {"l1": 0.5, "l3": 1.0}
    assert "MIT" in manifest["licence"][0]
    assert "2508.09123" in manifest["citation"][0]
    assert [each["name"] for each in manifest["inputs"]] == ["agentnet_ubuntu_5k.jsonl", "meta_data_merged.jsonl"]


def test_ours_become_rows_and_step_tasks_that_can_be_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shots = tmp_path / "shots"
    shots.mkdir()
    packed = tmp_path / "ours.jsonl"
    write_packed(packed, [trajectory(shots)])
    told(capsys, "dataset", "export", packed, "--format", "agentnet", "--out", tmp_path / "rows")
    assert "no defect found" in told(capsys, "dataset", "validate", tmp_path / "rows" / "agentnet.jsonl", "--no-texts")
    told(
        capsys, "dataset", "export", packed, "--format", "agentnetbench", "--images", shots, "--out", tmp_path / "steps"
    )
    tasks = tmp_path / "steps" / "test_data"
    (task,) = (json.loads(file.read_text()) for file in tasks.glob("*.json"))
    predicted = [
        {"task_id": task["task_id"], "step_num": each["step_num"], "code": each["action"]} for each in task["steps"]
    ]
    file = put(tmp_path / "predictions.jsonl", *predicted)
    for scorer in ("2025-08", "2026", "strict"):
        (found,) = told_json(capsys, "step-eval", tasks, "--predictions", file, "--scorer", scorer)
        assert found["summary"]["average"]["mean"] == pytest.approx(1)
        assert len(found["steps"]) == 4
    text = told(capsys, "step-eval", tasks, "--agent", "idle", "--save", tmp_path / "idle.jsonl", "--scorer", "2025-08")
    assert "OpenCUA-32B" in text
    assert len(lines(tmp_path / "idle.jsonl")) == 4


def test_pictures_of_a_demonstration_are_found_in_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = PictureStore(tmp_path / "demo" / "pictures")
    shown = [store.put(picture(shade)) for shade in range(4)]
    steps = [
        replace(step, observation=replace(step.observation, picture=ref))
        for step, ref in zip(trajectory().steps, shown, strict=True)
    ]
    write_trajectory(tmp_path / "demo" / "trajectory.jsonl", replace(trajectory(), steps=tuple(steps)))
    given = ("--images", tmp_path / "demo", "--pictures", "copy", "--out", tmp_path / "out")
    assert "4  pictures copied" in told(capsys, "dataset", "export", tmp_path / "demo", *given)


def test_what_rows_have_no_words_for_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A merge of a run used to tell of each attempt that it left out, a line for every one."""
    visiting, back = (ActionResult(action) for action in (Visit("https://a"), Back()))
    first = trajectory().steps[0]
    odd = [replace(trajectory(), id=f"v{n}", steps=(replace(first, actions=(visiting,)),)) for n in range(12)]
    odd += [replace(trajectory(), id=f"b{n}", steps=(replace(first, actions=(back,)),)) for n in range(3)]
    write_packed(tmp_path / "ours.jsonl", [trajectory(), *odd])
    assert main(["dataset", "merge", str(tmp_path / "ours.jsonl"), "--out", str(tmp_path / "rows.jsonl")]) == 0
    told = capsys.readouterr()
    assert "1 row in" in told.out
    why = "the pyautogui dialect cannot express {}: PyAutoGUI knows only the pointer and the keyboard"
    assert told.err.splitlines() == [
        f"15 trajectories are left out: {why.format('visit')} (12: v0, …); {why.format('back')} (3: b0, …)"
    ]


def test_an_empty_export_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_packed(tmp_path / "ours.jsonl", [trajectory()])
    words = ["dataset", "export", str(tmp_path / "ours.jsonl"), "--images", str(tmp_path), "--pictures", "copy"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 1
    assert "nothing was exported; left out: a picture is missing (4)" in capsys.readouterr().err
    assert main([*words, "--verdict", "sucess", "--out", str(tmp_path / "other")]) == 2
    assert "'critical_point_crossed'" in capsys.readouterr().err


def test_step_eval_names_the_agents_before_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "t.json", {"task_id": "t", "steps": []})
    assert main(["step-eval", str(tmp_path), "--agent", "idel"]) == 2
    assert "there is no agent 'idel'" in capsys.readouterr().err


def test_step_eval_exits_with_1_when_something_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    click = {"type": "click", "params": {"position": {"x": 0.5, "y": 0.5}}}
    steps = [{"step_num": 1, "image": "a.png", "ground_truth_actions": [click]}, {"step_num": 2, "image": "b.png"}]
    put(tmp_path / "t.json", {"task_id": "t", "steps": steps})
    text = told(capsys, "step-eval", tmp_path, "--predictions", put(tmp_path / "p.jsonl", ""), code=1)
    assert "1 steps have no prediction" in text
    assert "cannot be scored" in " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["validate", "{set}", "--fix"], "name it with --out"),
        (["validate", "{set}", "--out", "{set}/x.jsonl", "--reject", "{set}/x.jsonl"], "need a file each"),
        (["validate", "{set}", "--defects", "{set}/agentnet_ubuntu_5k.jsonl"], "one of the files that are read"),
        (["filter", "{set}", "--where", "steps <", "--out", "x"], "the filter cannot be read"),
        (["split", "{set}", "--into", "a=x", "--out", "x"], "must be a number"),
        (["split", "{set}", "--into", "../a=1", "--out", "x"], "cannot be a file's name"),
        (
            ["sample", "{set}", "--out", "{set}/x.jsonl"],
            "either a number of rows (--count) or a share of them (--share)",
        ),
        (
            ["merge", "{set}/agentnet_ubuntu_5k.jsonl", "--out", "{set}/agentnet_ubuntu_5k.jsonl"],
            "one of the files that are read",
        ),
        (["export", "{set}", "--level", "l9", "--out", "{set}/out"], "levels are l1, l2 and l3"),
        (["export", "{set}", "--format", "parquet", "--out", "{set}/out"], "--images"),
        (["export", "{set}", "--out", "{set}"], "is not empty"),
        (["export", "{set}", "--out", "{set}/meta_data_merged.jsonl"], "is a file"),
        (["export", "{set}", "--format", "agentnet", "--out", "{set}/meta_data_merged.jsonl"], "is a file"),
        (["split", "{set}", "--into", "agentnet_ubuntu_5k=1", "--out", "{set}"], "one of the files that are read"),
        (["split", "{set}", "--into", "a=1", "b=1", "--out", "{set}"], "that the parts would be mixed with"),
        (["filter", "{set}", "--where", "[[[[" * 500, "--out", "{set}/x.jsonl"], "nested"),
        (["stats", "{set}/none"], "there is no"),
        (["filter", "{set}", "--where", "stebs < 3", "--out", "{set}/x.jsonl"], "no row has a field 'stebs'"),
        (["filter", "{set}", "--where", "steps = 3", "--out", "{set}/x.jsonl"], "equal is written =="),
        (["sample", "{set}", "--count", "1", "--by", "x", "--out", "{set}/x.jsonl"], "no row has a field 'x'"),
    ],
)
def test_mistakes_get_one_sentence(
    rows: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert main(["dataset", *(word.replace("{set}", str(rows)) for word in words)]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert "Traceback" not in error
    assert {file.name for file in rows.iterdir()} == {"agentnet_ubuntu_5k.jsonl", "meta_data_merged.jsonl"}


@pytest.mark.parametrize("words", [["dataset"], ["dataset", "export"], ["dataset", "filter"], ["step-eval"]])
def test_help_has_an_example(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    assert f"workalike {words[0]}" in capsys.readouterr().out.split("example:")[1]


@pytest.mark.parametrize("more", [[], ["--fix"]])
def test_strict_cleaning_tells_pipelines_of_whatever_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    (images / "0.png").write_bytes(picture(1))
    out, bad = tmp_path / "out.jsonl", tmp_path / "bad.jsonl"
    words: list[str | Path] = ["dataset", "validate", "--no-texts", "--strict", "--out", out, "--reject", bad, *more]
    one = [step(0, END)]
    twice = put(tmp_path / "twice.jsonl", row("a", one), row("a", [step(0, END, thought="Otherwise.")]))
    assert told_json(capsys, *words, twice, code=1)["cleaned"]["rejected"] == 1
    holes = put(
        tmp_path / "holes.jsonl",
        row("a", one),
        row("b", [step(0), step(1), step(2, END)]),
        row("c", [step(0, END, image="2.png")]),
    )
    found = told_json(capsys, *words, holes, "--images", images, code=1)
    assert found["survey"]["defects"] == {"missing picture": 2}
    assert found["survey"]["rows_with"] == {"missing picture": 1}
    assert [each["task_id"] for each in lines(out)] == ["a"]
    assert [each["task_id"] for each in lines(bad)] == ["b", "c"]
    assert (
        told_json(capsys, *words, out, "--out", tmp_path / "again.jsonl", "--images", images)["cleaned"]["written"] == 1
    )


def test_ours_are_named_by_their_own_path_and_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set").mkdir()
    steps = trajectory().steps
    beyond = replace(steps[0], actions=(ActionResult(Click(Point(1.5, 0.5))),))
    off = replace(trajectory(), steps=(beyond, *steps[:1], *steps[1:]))
    write_packed(tmp_path / "set" / "ours.jsonl.gz", [off, replace(trajectory(), id="sound")])
    told(capsys, "dataset", "validate", tmp_path / "set", "--defects", tmp_path / "defects.jsonl", code=1)
    assert {each["file"] for each in lines(tmp_path / "defects.jsonl")} == {str(tmp_path / "set" / "ours.jsonl.gz")}
    assert told_json(capsys, "dataset", "stats", f"{tmp_path}/set/*.gz")["rows"] == 2
    for form, whole in (("chat", 2), ("agentnet", 1)):  # of a step only the step, of a row the row
        out = tmp_path / form
        manifest = told_json(capsys, "dataset", "export", f"{tmp_path}/set/*.gz", "--format", form, "--out", out)
        assert manifest["counts"]["trajectories"] == whole
        assert manifest["left_out"] == {"a place off the screen": 1}
        assert [each["name"] for each in manifest["inputs"]] == ["ours.jsonl.gz"]
        assert len(manifest["inputs"][0]["sha256"]) == 64
