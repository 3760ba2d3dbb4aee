"""`workalike annotate` as one types it: into a layer and rows, killed and gone on with, by hand, in batches, to L3."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.annotate.screens import DEMO, Service, demonstration, screen, serving
from tests.cli.by_hand import asking, reply, reply_at
from tests.dataset.rows import lines, put
from workalike.annotate.chain import Annotation
from workalike.annotate.scripted import ScriptedQuestion
from workalike.cli import main
from workalike.core.actions import Click, Terminate
from workalike.core.review import DemonstrationReview
from workalike.core.screen import Point
from workalike.core.verdict import Verdict
from workalike.formats.agentnet import decode_row
from workalike.models.asked import Asked
from workalike.pictures.codec import encode
from workalike.store.layers import ANNOTATIONS, VERDICTS, Layer, LayerWriter, find_layers
from workalike.store.reviews import revise


def rows(folder: Path, count: int = 2, steps: int = 3) -> Path:
    """AgentNet rows with nothing but codes, as a fresh recording gives them, and their pictures beside."""
    images = folder / "images"
    images.mkdir(parents=True)
    for number in range(steps):
        (images / f"{number}.png").write_bytes(encode(screen(number)))
    codes = ["pyautogui.click(x=0.3, y=0.4)"] * (steps - 1) + ["computer.terminate(status='success')"]
    traj = [{"index": at, "image": f"{at}.png", "value": {"code": code}} for at, code in enumerate(codes)]
    return put(
        folder / "rows.jsonl",
        *({"task_id": f"t{number}", "instruction": f"Do t{number}", "traj": traj} for number in range(count)),
    )


def said_in(folder: Path) -> dict[tuple[str, int | None], Annotation]:
    (path,) = find_layers(folder, ANNOTATIONS)
    return dict(Layer(path, Annotation))


def test_agentnet_rows_go_in_and_come_out_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = rows(tmp_path), tmp_path / "out" / "annotated.jsonl"
    with serving() as service:
        assert main(["annotate", str(given), "--model", service.model, "--out", str(out)]) == 0
        assert "6 of 6 steps have words and a judgement" in capsys.readouterr().out
        for line in out.read_bytes().splitlines():
            row = decode_row(line)
            assert row.actual_task
            assert row.task_completed is True
            for step in row.traj:
                value = step.value
                assert value.observation
                assert value.thought
                assert value.action
                assert value.reflection
                assert (value.last_step_correct, value.last_step_redundant) == (True, False)
                assert value.step_value == 7
        asked, before = len(service.shown), out.read_bytes()
        assert main(["annotate", str(given), "--model", service.model, "--out", str(out)]) == 0
        assert (len(service.shown), out.read_bytes()) == (asked, before)
        other = tmp_path / "other.jsonl"
        assert main(["annotate", str(given), "--model", service.model, "--out", str(other)]) == 0
        assert (len(service.shown), sorted(other.read_bytes().splitlines())) == (asked, sorted(before.splitlines()))
    assert main(["dataset", "validate", str(out)]) == 0


def test_layers_are_what_export_reads_at_every_level(tmp_path: Path) -> None:
    given = rows(tmp_path)
    with serving() as service:
        assert main(["annotate", str(given), "--model", service.model, "--method", "parallel"]) == 0
    for level, parts in {"l1": 1, "l2": 2, "l3": 3}.items():
        folder = tmp_path / level
        assert main(["dataset", "export", str(given), "--level", level, "--out", str(folder)]) == 0
        made = lines(folder / "chat.jsonl")
        assert len(made) == 6
        target = json.dumps(made[0]["messages"][-1])
        assert sum(f"## {name}:" in target for name in ("Observation", "Thought", "Action")) == parts


def test_a_least_value_chooses_what_is_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = rows(tmp_path), tmp_path / "out"

    def say(question: ScriptedQuestion, asked: Asked) -> dict[str, object] | None:
        return {"value": 4 if question.number == 1 else 9} if question.role == "valuer" else None

    with serving(say) as service:
        assert main(["annotate", str(given), "--model", service.model]) == 0
    words = ["dataset", "export", str(given), "--min-value", "6"]
    assert main([*words, "--out", str(out)]) == 0
    assert [(each["trajectory"], each["step"]) for each in lines(out / "index.jsonl")] == [
        (f"t{row}", step) for row in range(2) for step in (1, 2)
    ]
    assert "left out: a value below 6" in capsys.readouterr().out
    bare = tmp_path / "bare"
    assert main(["dataset", "export", str(rows(bare)), "--min-value", "6", "--out", str(tmp_path / "none")]) == 1
    family = tmp_path / "family"
    assert main([*words, "--family", "qwen", "--images", str(tmp_path / "images"), "--out", str(family)]) == 0
    assert {each["step"] for each in lines(family / "index.jsonl")} == {1, 2}


def test_kill_9_at_any_time_and_nothing_kept_is_bought_again(tmp_path: Path) -> None:
    given, out = rows(tmp_path, count=4, steps=5), tmp_path / "out.jsonl"
    with serving(latency=0.05) as service:
        words = [sys.executable, "-m", "workalike.cli", "annotate", str(given), "--model", service.model, "--jobs", "2"]
        words += ["--out", str(out)]
        for kills in (7, 20, 31):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _until_asked(service, kills, process)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            if find_layers(tmp_path, ANNOTATIONS):
                kept = said_in(tmp_path)
                for line in out.read_bytes().splitlines() if out.exists() else ():
                    assert decode_row(line).actual_task, "a row is there when all of it is"
                _check_nothing_bought_twice(service, kept)
        before, kept = len(service.shown), said_in(tmp_path)
        of_steps = [note for (_, step), note in kept.items() if step is not None]
        finished = sum(1 + (note.correct is not None) + (note.value is not None) for note in of_steps)
        finished += sum(step is None for _, step in kept)
        assert subprocess.run(words, capture_output=True).returncode == 0
        assert len(service.shown) - before == 4 * (3 * 5 + 1) - finished
        assert {row["task_id"] for row in lines(out)} == {"t0", "t1", "t2", "t3"}
        assert all(step["value"]["reflection"] for row in lines(out) for step in row["traj"])


def _check_nothing_bought_twice(service: Service, kept: dict[tuple[str, int | None], Annotation]) -> None:
    """What was in the layer when it was killed was asked for once."""
    for (task, step), note in kept.items():
        if step is None or not note.thought:
            continue
        asked = [
            each.question
            for each in service.shown
            if each.question.role == "generator"
            and each.question.number == step + 1
            and each.question.said["task"] == f"Do {task}"
        ]
        assert 1 <= len(asked) <= 4, "no more often than it was killed on the way"


def _until_asked(service: Service, wanted: int, process: subprocess.Popen[bytes], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while len(service.shown) < wanted and process.poll() is None:
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def test_questions_are_written_and_answers_taken_in_batches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demonstration(tmp_path / "demo", [Click(Point(0.3, 0.4)), Terminate()])
    words = ["annotate", str(tmp_path / "demo"), "--method", "parallel"]
    folder = tmp_path / "questions"
    assert main([*words, "--dry-run", str(folder)]) == 0
    assert "2 questions wait" in capsys.readouterr().out
    assert main([*words[:2], "--dry-run", str(tmp_path / "one by one")]) == 0
    assert "1 question waits" in capsys.readouterr().out, "the second rests on what is answered to the first"
    assert main([*words, "--dry-run", str(folder)]) == 0
    assert not find_layers(tmp_path / "demo", ANNOTATIONS)
    answers = {
        "generator": {"observation": "A page.", "thought": "I press it.", "action": "Click the button."},
        "reflector": {"correct": True, "redundant": False, "reflection": "It worked."},
        "valuer": {"reason": "It helps.", "value": 9},
        "summarizer": {
            "natural_language_task": "Do it",
            "actual_task": "Did it",
            "task_completed": True,
            "alignment_score": 8,
            "efficiency_score": 8,
            "task_difficulty": 2,
            "reason": "Two steps.",
        },
    }
    for wave in ({"generator"}, {"reflector", "valuer"}, {"summarizer"}):
        waiting = [page for page in folder.rglob("question.md") if not (page.parent / "reply.md").exists()]
        assert {page.parent.parent.name for page in waiting} == wave
        told = "1 question waits" if len(waiting) == 1 else f"{len(waiting)} questions wait"
        assert told in capsys.readouterr().out
        for page in waiting:
            assert list(page.parent.glob("1.*")) or wave == {"summarizer"}
            (page.parent / "reply.md").write_text(json.dumps(answers[page.parent.parent.name]))
        assert main([*words, "--answers", str(folder)]) == (0 if wave == {"summarizer"} else 1)
    assert {step: note.thought for (_, step), note in said_in(tmp_path / "demo").items() if step is not None} == {
        0: "I press it.",
        1: "I press it.",
    }


def test_a_second_pass_has_questions_of_its_own(tmp_path: Path) -> None:
    demonstration(tmp_path / "demo", [Click(Point(0.3, 0.4)), Click(Point(0.5, 0.5)), Terminate()])
    words = ["annotate", str(tmp_path / "demo"), "--method", "parallel", "--no-value"]
    folder = tmp_path / "questions"
    told = {"observation": "A page.", "action": "Click the button."}
    judged = {"redundant": False, "reflection": "Seen."}
    asked: list[list[str]] = []
    for wave in range(5):
        assert main([*words, "--answers", str(folder)]) == 1
        waiting = [page.parent for page in folder.rglob("question.md") if not (page.parent / "reply.md").exists()]
        asked.append(sorted(f"{place.parent.name} {place.name}" for place in waiting))
        for place in waiting:
            wrong = place.name == "step-001"
            answer = {**told, "thought": f"In wave {wave}."} if place.parent.name == "generator" else judged
            answer = {**answer, "correct": not wrong} if place.parent.name == "reflector" else answer
            (place / "reply.md").write_text(json.dumps(answer))
    assert asked[2:4] == [["generator step-002-vote-1"], ["reflector step-002-vote-1"]]
    assert asked[4] == ["summarizer step-004"]
    found = said_in(tmp_path / "demo")
    assert [found["demo-1", step].thought for step in range(3)] == ["In wave 0.", "In wave 2.", "In wave 0."]


def test_an_estimate_says_calls_tokens_and_money_and_sends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, prices = rows(tmp_path), tmp_path / "prices.json"
    with serving() as service:
        prices.write_text(json.dumps({service.model: {"input": 1.0, "output": 4.0}}))
        words = ["annotate", str(given), "--model", service.model, "--prices", str(prices)]
        assert main([*words, "--estimate", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["trajectories"], told["steps"], told["total"]) == (2, 6, 20)
        assert told["dollars"] == pytest.approx((told["tokens"]["input"] + 4 * told["tokens"]["output"]) / 1e6)
        assert main([*words, "--estimate", "--method", "parallel"]) == 0
        assert "and at most 18 for steps after a wrong one" in capsys.readouterr().out
        assert service.shown == []


def test_leaks_can_fail_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = rows(tmp_path, count=1)

    def say(question: ScriptedQuestion, asked: Asked) -> dict[str, object] | None:
        leaks = question.role == "generator" and question.number == 1
        return {"observation": "A red circle is around Save."} if leaks else None

    with serving(say) as service:
        words = ["annotate", str(given), "--model", service.model, "--max-flagged"]
        assert main([*words, "0.5"]) == 0
        assert "1 of them flagged (33.3%)" in capsys.readouterr().out
        assert main([*words, "0.3"]) == 1


def test_an_id_that_stands_twice_is_told_and_annotated_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = rows(tmp_path, count=1)
    given.write_bytes(given.read_bytes() * 2)
    with serving() as service:
        assert main(["annotate", str(given), "--model", service.model]) == 0
        assert len(service.shown) == 10
    assert "t0 stands twice" in capsys.readouterr().err


def test_what_a_reviewer_rejected_is_told_as_json_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("good", "bad"):
        demonstration(tmp_path / name, [Click(Point(0.3, 0.4))], name=name)
    revise(tmp_path, "bad", DemonstrationReview(decision="rejected"), "Ann", "rejected", 0)
    assert main(["annotate", str(tmp_path), "--model", "scripted", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["told"] == ["bad is left out: Ann rejected it"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name a model"),
        (["--model", "m@http://127.0.0.1:9/v1", "--jobs", "0"], "--jobs must be at least 1"),
        (["--model", "m@http://127.0.0.1:9/v1", "--max-flagged", "3"], "a share from 0 to 1"),
        (["--model", "m@http://127.0.0.1:9/v1", "--by-hand"], "makes you the model"),
        (["--model", "m@http://127.0.0.1:9/v1", "--out", "x.zip"], "ends in .jsonl"),
        (["--dry-run", "a", "--answers", "b"], "name one"),
        (["--model", "nonsense"], "no model is called"),
        (["--against-truth"], "nothing is known of any step there"),
        (["--model", "scripted", "--recordings", "nowhere"], "there is no recording at or below it"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = rows(tmp_path)
    assert main(["annotate", str(given), *words]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert not (tmp_path / "layers").exists()


def test_the_scripted_model_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demonstration(tmp_path)
    assert main(["annotate", str(tmp_path), "--model", "scripted"]) == 0
    told = capsys.readouterr().out
    assert f"{len(DEMO)} of {len(DEMO)} steps" in told
    assert "$0.0000" in told
    assert main(["annotate", str(tmp_path), "--check", "--html", str(tmp_path / "chains.html")]) == 0
    assert "<svg" in (tmp_path / "chains.html").read_text()


def test_a_folder_of_demonstrations_has_one_layer_and_each_its_own_pictures(tmp_path: Path) -> None:
    for number in range(3):
        demonstration(tmp_path / f"demo-{number}", [Click(Point(0.3, 0.4)), Terminate()], name=f"demo-{number}")
    with serving() as service:
        assert main(["annotate", str(tmp_path), "--model", service.model]) == 0
        assert len(service.shown) == 3 * 7
    assert len(said_in(tmp_path)) == 3 * 3
    assert main(["dataset", "export", str(tmp_path), "--level", "l3", "--out", str(tmp_path / "out")]) == 0
    assert len(lines(tmp_path / "out" / "chat.jsonl")) == 6


def test_a_person_can_be_the_model(tmp_path: Path) -> None:
    demonstration(tmp_path / "demo", [Click(Point(0.3, 0.4))])
    questions = tmp_path / "questions"
    words = ["annotate", str(tmp_path / "demo"), "--by-hand", "--no-value", "--questions", str(questions)]
    answers = [
        '{"observation": "A page.", "thought": "By hand I press it.", "action": "Click the button."}',
        '{"correct": true, "redundant": false, "reflection": "It worked."}',
        '{"natural_language_task": "Do it", "actual_task": "Did it", "task_completed": true, "alignment_score": 8, '
        '"efficiency_score": 8, "task_difficulty": 1, "reason": "One step."}',
    ]
    with asking(words, questions, tmp_path / "said") as asker:
        for answer in answers[:-1]:
            (question,) = asker.asked()
            reply(question, answer)
        (question,) = asker.asked()
        reply_at(asker.page(), question, questions, answers[-1])
        assert "1 of 1 steps" in asker.finished()
    assert said_in(tmp_path / "demo")["demo-1", 0].thought == "By hand I press it."


def test_verdicts_tell_the_reflector_what_is_known(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        demonstration(tmp_path / name, [Click(Point(0.3, 0.4))], name=name)
    with LayerWriter(tmp_path, VERDICTS, "state", Verdict) as layer:
        layer.put("good", Verdict("good", "state", "success"))
        layer.put("bad", Verdict("bad", "state", "failure"))
    with serving() as service:
        assert main(["annotate", str(tmp_path), "--model", service.model, "--prior", "verdicts"]) == 0
    judged = [each.question for each in service.shown if each.question.role == "reflector"]
    assert len(judged) == 2
    for question in judged:
        good = question.said["task"].endswith("good")
        assert ("this demonstration reaches its goal" in question.text) is good
        assert ("this attempt does not reach its goal" in question.text) is not good


def test_a_recording_that_cannot_be_read_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recording.json").write_text("{}")
    assert main(["annotate", str(tmp_path), "--model", "scripted"]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / 'recording.json'}: Object missing required field" in told
    assert told.count("\n") == 1
