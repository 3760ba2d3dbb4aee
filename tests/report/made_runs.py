"""Runs on disk with everything that a report can show: several categories and levels, verdicts of all kinds, failure
points, process scores, a second verifier, transcripts with prices, pictures."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, get_args

from PIL import Image, ImageDraw

from workalike.core.actions import Click, Terminate, Write
from workalike.core.key import Key
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Usage
from workalike.core.verdict import FailureClass, FailurePoint, Outcome, Verdict
from workalike.models.messages import Message, Reply, Sampling, Text
from workalike.models.transcript import Got, Sent
from workalike.pictures.codec import encode as encode_picture
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.lines import encode
from workalike.store.runs import RunInfo, RunWriter

CATEGORIES = ("shopping", "flights", "hotels", "jobs")
LEVELS = ("easy", "medium", "hard")


def tasks(count: int) -> list[Task]:
    return [
        Task(f"t_{n}", f"Do thing {n}", CATEGORIES[n % 4], extra={"level": LEVELS[n % 3], "demands": [f"d{n % 5}"]})
        for n in range(count)
    ]


def make_run(
    folder: Path,
    rate: float,
    *,
    count: int = 24,
    repeats: int = 3,
    seed: int = 1,
    price: float = 0.002,
    pictures: bool = False,
    words: str = "",
    second: bool = True,
    **settings: Any,
) -> Path:
    """A run of an agent that solves about this share of its tasks. `words` go wherever words of pages and models go."""
    random = Random(seed)
    asked = tasks(count)
    keys = [Key(task.id, refuse=number % 8 == 7) for number, task in enumerate(asked)]
    base = {"benchmark": "town@1", "agent": folder.name, "model": "m", "repeats": repeats, "notes": []}
    info = RunInfo(folder.name, "2026-11-16T00:00:00+00:00", {**base, **settings}, {"prompt a/b": folder.name})
    with (
        RunWriter(folder, info, asked, keys) as run,
        LayerWriter(folder, VERDICTS, "state", Verdict) as truth,
        LayerWriter(folder, VERDICTS, "rubric", Verdict, {"model": "judge"}) as judged,
    ):
        shots = [run.pictures.put(_screen(random, words)) for _ in range(4)] if pictures else []
        for number, task in enumerate(asked):
            chance = min(0.97, max(0.03, rate + 0.25 * (1 - number % 3)))
            for repeat in range(1, repeats + 1):
                solved, steps = random.random() < chance, random.randint(2, 30)
                attempt, writer = run.begin(task, repeat)
                attempt.transcript.write_bytes(b"".join(map(encode, _exchanges(steps, price))))
                for index in range(steps):
                    last = index == steps - 1
                    action = _action(random, index, last, words)
                    seen = _seen(shots[index % 4] if shots else None, 2.0 * index + 1)
                    taken = ActionResult(action, 2.0 * index + 1.6, 2.0 * index + 2.2, error=words or None)
                    writer.step(Step(seen, (taken,), thought=f"Step {index}. {words}"))
                out_of_steps = not solved and random.random() < 0.2
                writer.finish(Stop("out_of_steps", "30 steps") if out_of_steps else Stop("terminated"))
                verdict = _verdict(random, attempt.id, solved, steps, words)
                truth.put(attempt.id, verdict, sync=False)
                if second:
                    says: Outcome = verdict.outcome if random.random() < 0.9 else "success"
                    judged.put(attempt.id, Verdict(attempt.id, "rubric", says), sync=False)
    return folder


def _verdict(random: Random, id: str, solved: bool, steps: int, words: str) -> Verdict:
    if solved:
        return Verdict(id, "state", "success", "it is done", process=0.7 + 0.3 * random.random())
    outcome: Outcome = random.choices(("failure", "refused", "blocked", "critical_point_crossed"), (12, 1, 1, 1))[0]
    kinds: tuple[FailureClass, ...] = get_args(FailureClass)
    point = FailurePoint(random.randrange(steps), random.choice(kinds[:5]), words or "it took the wrong one")
    return Verdict(id, "state", outcome, words or "it is not done", process=0.9 * random.random(), failures=(point,))


def _action(random: Random, index: int, last: bool, words: str) -> Click | Write | Terminate:
    if last:
        return Terminate("success", f"ANSWER: total = 12 {words}")
    if index % 3 == 2:
        return Write(f"blue shoes {words}")
    return Click(Point(random.random(), random.random()))


def _seen(shot: ImageRef | None, time: float) -> Observation:
    return Observation(shot, Size(480, 300), url="http://shop.town.localhost/", time=time)


def _screen(random: Random, words: str) -> bytes:
    picture = Image.new("RGB", (480, 300), (245, 246, 248))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 480, 36), fill=tuple(random.randrange(60, 200) for _ in range(3)))
    for row in range(4):
        draw.rectangle((20, 56 + 58 * row, 460, 100 + 58 * row), outline=(180, 180, 190), fill="white")
        draw.text((32, 66 + 58 * row), f"Item {random.randrange(100)} {words}", fill=(40, 40, 50))
    return encode_picture(picture)


def _exchanges(steps: int, price: float) -> list[Sent | Got]:
    lines: list[Sent | Got] = []
    for index in range(steps):
        message = {f"m{index}": Message("user", (Text("What is next?"),))}
        lines.append(
            Sent(f"r{index}", index, 1, "", "m", sampling=Sampling(), messages=tuple(message), new_messages=message)
        )
        usage = Usage(1, 2000, 60, cost=price)
        lines.append(Got(f"r{index}", index, 0.5, Reply((Text("Click."),)), usage=usage))
    return lines
