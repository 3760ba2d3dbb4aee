"""Others' runs become runs of ours, with their labels and verdicts; webeval's layout is also written."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.verify.cases import drawn, made
from workalike.cli import main
from workalike.core.actions import Action, Back, Click, Opaque, Scroll, Terminate, Visit, Write
from workalike.core.screen import Point
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.core.verdict import Verdict
from workalike.store.layers import VERDICTS, LayerWriter, verdicts_of
from workalike.store.runs import Run, RunInfo, RunWriter
from workalike.verify.labels import labels_of

FARA: dict[str, Any] = {"action": "left_click", "coordinate": [714, 448]}


def imported(form: str, path: Path, out: Path) -> list[Trajectory]:
    assert main(["import", form, str(path), "--out", str(out)]) == 0
    return [stored.trajectory for stored in Run(out).trajectories()]


def webeval_folder(path: Path, spoken: bool = False) -> Path:
    """One task as the harness lays it out: two actions, three screenshots."""
    folder = path / "traj" / "united_13"
    (folder / "scores").mkdir(parents=True)
    calls: list[dict[str, Any]] = [FARA, {"action": "terminate", "status": "success"}]
    lines = []
    for number, call in enumerate(calls):
        if spoken:
            does = f"executing tool 'x' with arguments {json.dumps(call)}"
            said = f"\nThought #{number + 1}: on\nAction #{number + 1}: {does}"
            lines.append(json.dumps({"timestamp": "t", "message": said}))
        else:
            event = {"url": "https://a.test/", "action": call["action"], "arguments": {**call, "thoughts": "on"}}
            lines.append(json.dumps({"timestamp": "t", "source": "WebSurfer", "message": "", **event}))
    (folder / "web_surfer.log").write_text("\n".join(['{"message": "begins"}', *lines]))
    names = [f"screenshot{number}.png" for number in range(3)]
    for number, name in enumerate(names):
        (folder / name).write_bytes(drawn(number))
    answer = {"final_answer": "It is $5.", "screenshots": names, "is_aborted": False, "token_usage": {}}
    (folder / "united_13_final_answer.json").write_text(json.dumps(answer))
    rubric = {"items": [{"criterion": "a", "description": "b", "max_points": 3}]}
    data = {"id": "united_13", "question": "Find the price.", "category": "flights", "precomputed_rubric": rubric}
    (folder / "task_data.json").write_text(json.dumps(data))
    (folder / "scores" / "uv.json").write_text(json.dumps({"score": 1.0, "gpt_response_text": "fine"}))
    return path


@pytest.mark.parametrize("spoken", [False, True])
def test_webeval(tmp_path: Path, spoken: bool) -> None:
    (trajectory,) = imported("webeval", webeval_folder(tmp_path / "theirs", spoken), tmp_path / "run")
    assert trajectory.task.category == "flights"
    assert [type(taken.action) for taken in trajectory.actions] == [Click, Terminate]
    assert trajectory.answer == "It is $5."
    assert trajectory.steps[0].thought == "on"
    assert len(trajectory.pictures) == 3
    assert [key.rubric is not None for key in Run(tmp_path / "run").keys()] == [True]  # noqa: SIM118
    (layer,) = verdicts_of(tmp_path / "run")
    assert (layer.header.name, [verdict.outcome for _, verdict in layer]) == ("webeval-uv", ["success"])


def test_a_run_of_ours_goes_out_as_webeval_and_comes_back(tmp_path: Path) -> None:
    trajectory, store = made(tmp_path, 6)
    actions: list[Action] = [
        Click(Point(0.25, 0.5)),
        Visit("http://shop.test/a"),
        Scroll(dy=3),
        Back(),
        Terminate("success", "Done."),
    ]
    steps = tuple(
        Step(step.observation, (ActionResult(action),), thought=f"thought {number}")
        for number, (step, action) in enumerate(zip(trajectory.steps, actions, strict=True))
    )
    info = RunInfo("run", "2026-01-01", {"benchmark": "x", "agent": "y", "repeats": 1})
    with RunWriter(tmp_path / "ours", info, [trajectory.task]) as run:
        place, writer = run.begin(trajectory.task, 1)
        for step in steps:
            picture = step.observation.picture
            assert picture is not None
            run.pictures.put(store.read(picture))
            writer.step(step)
        assert trajectory.final is not None
        assert trajectory.final.picture is not None
        run.pictures.put(store.read(trajectory.final.picture))
        writer.finish(Stop("terminated"), trajectory.final)
    with LayerWriter(tmp_path / "ours", VERDICTS, "rubric", Verdict) as layer:
        layer.put(place.id, Verdict(place.id, "rubric", "success", "fine", 0.9))
    assert main(["export", "webeval", str(tmp_path / "ours"), "--out", str(tmp_path / "theirs")]) == 0
    folder = tmp_path / "theirs" / "traj" / "shoes"
    assert json.loads((folder / "shoes_final_answer.json").read_text())["final_answer"] == "Done."
    assert json.loads((folder / "scores" / "rubric.json").read_text())["score"] == 0.9
    assert len(list(folder.glob("screenshot*.png"))) == 6
    (back,) = imported("webeval", tmp_path / "theirs", tmp_path / "again")
    assert [type(taken.action) for taken in back.actions] == [type(action) for action in actions]
    first = back.actions[0].action
    assert isinstance(first, Click)
    assert first.at is not None
    assert first.at.distance(Point(0.25, 0.5)) < 0.01
    assert back.answer == "Done."
    assert [step.thought for step in back.steps] == [step.thought for step in steps]
    assert main(["export", "webeval", str(tmp_path / "ours"), "--out", str(tmp_path / "theirs")]) == 2


def test_an_action_that_has_no_words_there_is_still_told(tmp_path: Path) -> None:
    folder = webeval_folder(tmp_path / "theirs") / "traj" / "united_13"
    log = folder / "web_surfer.log"
    event = {"action": "teleport", "arguments": {"action": "teleport"}, "url": ""}
    log.write_text(json.dumps(event) + "\n" + log.read_text())
    (trajectory,) = imported("webeval", tmp_path / "theirs", tmp_path / "run")
    assert isinstance(trajectory.actions[0].action, Opaque)
    assert not isinstance(trajectory.actions[1].action, Write)


def test_a_real_run_of_online_mind2web(fixtures: Path, tmp_path: Path) -> None:
    (trajectory,) = imported("online-mind2web", fixtures / "online-mind2web" / "run", tmp_path / "run")
    assert sum(isinstance(taken.action, Opaque) for taken in trajectory.actions) == 4
    assert len(trajectory.pictures) == 5
    assert {step.observation.kind for step in trajectory.steps} == {"page"}
    assert trajectory.answer is not None
    assert "Submission" in trajectory.answer
    assert main(["verify", str(tmp_path / "run"), "--model", "m@http://127.0.0.1:9/v1", "--estimate"]) == 0


def test_agent_reward_bench(tmp_path: Path) -> None:
    agent = "GenericAgent-x"
    place = tmp_path / "arb" / "cleaned" / "webarena" / agent / f"{agent}_on_webarena"
    shots = tmp_path / "arb" / "screenshots" / "webarena" / agent / "webarena.7"
    place.mkdir(parents=True)
    shots.mkdir(parents=True)
    (shots / "screenshot_step_0.png").write_bytes(drawn(0))
    raw = [
        {"action": "click('12')", "reasoning": "on", "screenshot_path": "/x/screenshot_step_0.png", "url": "http://a/"},
        {"action": 'send_msg_to_user("It is 5")', "screenshot_path": "/x/none.png", "last_action_error": "no such bid"},
    ]
    told = {"benchmark": "webarena", "agent": agent, "goal": "How many?", "steps": raw}
    (place / "webarena.7.json").write_text(json.dumps(told))
    (tmp_path / "arb" / "annotations.csv").write_text(
        "annotator_name,benchmark,task_id,model_name,exp_name,trajectory_success,trajectory_side_effect,"
        "trajectory_optimality,trajectory_looping\n"
        f"A,webarena,webarena.7,{agent},e,Unsuccessful,No,2. Suboptimal,Yes\n"
        f"B,webarena,webarena.7,{agent},e,Successful,No,4. Completely Optimal,No\n"
        f"C,webarena,webarena.7,{agent},e,Unsure,No,1. Complete Failure,No\n"
    )
    (trajectory,) = imported("agentrewardbench", tmp_path / "arb", tmp_path / "run")
    assert trajectory.answer == "It is 5"
    assert trajectory.actions[0].error == "no such bid"
    assert len(trajectory.pictures) == 1
    labels = {label.labeller: label for label in labels_of(tmp_path / "run")}
    assert {name: label.success for name, label in labels.items()} == {"A": False, "B": True, "C": None}
    assert labels["A"].kind == "looped"


@pytest.mark.parametrize("parquet", [False, True])
def test_cua_verifier_bench(tmp_path: Path, parquet: bool) -> None:
    log = json.dumps({"action": "left_click", "arguments": {**FARA, "thoughts": "on"}, "url": "https://a.test/"})
    shot = drawn(1) if parquet else base64.b64encode(drawn(1)).decode()
    row = {
        "task_id": "t1",
        "instruction": "Find it.",
        "init_url": "https://a.test/",
        "final_answer": "Found.",
        "is_aborted": False,
        "web_surfer_log": log,
        "screenshots": [{"bytes": shot}],
        "uv_rubric_score": 0.9,
        "uv_outcome_success": True,
        "mm_is_success": False,
    }
    said = [
        {"task_id": "t1", "annotator": who, "human_judgement_outcome": say, "human_process_score": 0.5}
        for who, say in (("a", "Correct"), ("b", "Incorrect"))
    ]
    folder = tmp_path / "theirs"
    folder.mkdir()
    if parquet:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist([row]), folder / "trajectories.parquet")
        pq.write_table(pa.Table.from_pylist(said), folder / "annotations.parquet")
    else:
        (folder / "trajectories.jsonl").write_text(json.dumps(row))
        (folder / "annotations.jsonl").write_text("\n".join(map(json.dumps, said)))
    (trajectory,) = imported("cua-verifier-bench", folder, tmp_path / "run")
    assert trajectory.answer == "Found."
    assert len(trajectory.pictures) == 2
    assert {label.labeller: label.success for label in labels_of(tmp_path / "run")} == {"a": True, "b": False}
    assert {layer.header.name: [each.success for _, each in layer] for layer in verdicts_of(tmp_path / "run")} == {
        "published-uv": [True],
        "published-mm": [False],
    }


def test_cua_verifier_bench_without_its_annotations_has_what_they_came_to(tmp_path: Path) -> None:
    base = {"instruction": "Find it.", "final_answer": "Found.", "web_surfer_log": ""}
    score = {"median_human_rubric_score_agnostic": 0.75}
    rows = [
        {**base, **score, "task_id": "t1", "final_human_outcome_label": 1, "majority_human_outcome_vote": 0},
        {**base, "task_id": "t2", "final_human_outcome_label": None, "majority_human_outcome_vote": 0},
        {**base, "task_id": "t3", "final_human_outcome_label": None},
    ]
    file = tmp_path / "trajectories.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    imported("cua-verifier-bench", file, tmp_path / "run")
    said = [(label.labeller, label.success, label.process) for label in labels_of(tmp_path / "run")]
    assert sorted(said, key=str) == [("final", False, None), ("final", True, 0.75)]


@pytest.mark.parametrize("form", ["webeval", "online-mind2web", "agentrewardbench", "cua-verifier-bench"])
def test_a_folder_of_something_else_is_a_sentence(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["import", form, str(tmp_path / "empty"), "--out", str(tmp_path / "run")]) == 2
    assert "holds no" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
