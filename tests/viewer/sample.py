"""What the viewer's tests look at: a run full of hostile words with verdicts and a transcript, a set of rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from PIL import Image

from tests.dataset.rows import meta, put, row, step
from workalike.core.actions import Click, Drag, Press, Scroll, Terminate, Write
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop, Usage
from workalike.core.verdict import CriterionScore, Evidence, FailurePoint, Verdict
from workalike.models.messages import Message, PictureRef, Reply, SampleKey, Text, Untrusted
from workalike.models.transcript import Got, Sent
from workalike.pictures.codec import encode
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.lines import encode as encode_line
from workalike.store.runs import RunInfo, RunWriter

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
SCREEN = Size(144, 90)


def png(colour: str) -> bytes:
    return encode(Image.new("RGB", (144, 90), colour))


def hostile_run(folder: Path) -> Path:
    """A small run: hostile words everywhere a page or a model could put them."""
    task = Task(EVIL, f"Do {EVIL}", EVIL, extra={"level": EVIL})
    with RunWriter(folder, RunInfo("r1", "2026-01-01T00:00:00Z", {"agent": EVIL, "model": EVIL}), [task]) as run:
        attempt, writer = run.begin(task, 1)
        shots = [run.pictures.put(png(colour), SCREEN) for colour in ("white", "grey", "black")]
        hit = Element("button", EVIL, Box(0.4, 0.4, 0.2, 0.2), mark=1, value=EVIL)
        seen = [Observation(shot, SCREEN, url=f"http://a/{EVIL}", title=EVIL, elements=(hit,)) for shot in shots]
        several = (
            ActionResult(Click(Point(0.5, 0.5)), hit=hit, error=EVIL),
            ActionResult(Scroll(dy=3)),
            ActionResult(Write(EVIL), result=EVIL),
            ActionResult(Press(("enter",))),
        )
        writer.step(Step(seen[0], several, reply=EVIL, thought=EVIL, usage=Usage(1, 10, 2, cost=0.01)))
        drag = ActionResult(Drag((Point(0.9, 0.9),), Point(0.1, 0.1)))
        writer.step(Step(seen[1], (drag,), notices=(Notice(EVIL, EVIL),), reflection=EVIL, correct=False, value=3.0))
        writer.step(Step(seen[1], (ActionResult(Terminate("success", EVIL)),), thought="The parting words"))
        writer.finish(Stop("terminated", EVIL), seen[2])
        attempt.transcript.write_bytes(b"".join(map(encode_line, _exchange(shots[0]))))
    verdict = Verdict(
        attempt.id,
        "rubric",
        "failure",
        EVIL,
        process=0.5,
        scores=(CriterionScore(EVIL, 1, 2, EVIL, steps=(1,)),),
        evidence=(Evidence(1, EVIL, EVIL),),
        failures=(FailurePoint(2, "execution", EVIL),),
    )
    with LayerWriter(folder, VERDICTS, "rubric", Verdict) as verdicts:
        verdicts.put(attempt.id, verdict)
    return folder


def _exchange(shot: ImageRef) -> Iterable[Sent | Got]:
    message = Message("user", (Text(EVIL), Untrusted(EVIL, EVIL), PictureRef(shot)))
    yield Sent("a", 0, 1, "", EVIL, draw=SampleKey(), messages=("m",), new_messages={"m": message})
    yield Got("a", 0, 0.5, Reply((Text(EVIL),)), usage=Usage(1, 10, 2, cost=0.01))


def plain_run(folder: Path, outcomes: dict[str, list[str]], agent: str = "oracle", steps: int = 3) -> Path:
    """A run with the outcomes that are given for each task, one an attempt."""
    levels = ("easy", "hard")
    tasks = [
        Task(name, f"Do the {name}", "shopping" if place % 2 else "travel", extra={"level": levels[place % 2]})
        for place, name in enumerate(outcomes)
    ]
    made: dict[str, str] = {}
    with RunWriter(folder, RunInfo(folder.name, "2026-01-01T00:00:00Z", {"agent": agent}), tasks) as run:
        shot = run.pictures.put(png("white"), SCREEN)
        for place, task in enumerate(tasks):
            for repeat, outcome in enumerate(outcomes[task.id], 1):
                attempt, writer = run.begin(task, repeat)
                for number in range(steps + place):
                    spot = Point(0.5, 0.1 if agent == "oracle" or number < 1 else 0.9)
                    look = Observation(shot, SCREEN, time=float(number))
                    done = ActionResult(Click(spot), number, number + 0.5)
                    writer.step(Step(look, (done,), usage=Usage(1, 10, 2, cost=0.01 * (place + 1))))
                writer.finish(Stop("terminated" if outcome == "success" else "out_of_steps"))
                made[attempt.id] = outcome
    with LayerWriter(folder, VERDICTS, "state", Verdict) as verdicts:
        for id, outcome in made.items():
            verdicts.put(id, Verdict(id, "state", outcome))  # type: ignore[arg-type]
    return folder


def dataset(folder: Path, rows: int = 60) -> Path:
    """A set of AgentNet rows with metadata: every third on macOS, every fifth about a spreadsheet."""
    (folder / "images").mkdir(parents=True)
    for name in ("0.png", "1.png", "2.png"):
        (folder / "images" / name).write_bytes(png("white"))
    documents: list[dict[str, Any]] = []
    for number in range(rows):
        about = "spreadsheet" if number % 5 == 0 else "letter"
        steps = [
            step(0, thought=f"The {about} is open at cell {number}."),
            step(1, f"pyautogui.write(message='hello number{number}')"),
            step(2, "computer.terminate(status='success')"),
        ]
        words = f"Write the {about} of day {number}"
        documents.append(row(f"t{number}", steps, instruction=words, efficiency_score=number % 10))
    put(folder / "agentnet.jsonl", *documents)
    metas = [meta(f"t{number}", "Ubuntu" if number % 3 else "Darwin") for number in range(rows)]
    put(folder / "meta_data_merged.jsonl", *metas)
    return folder
