"""Check somebody's own verifier against the contract of `core/contracts.py`, on ordinary and on awkward attempts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from workalike.core.actions import Click, Terminate, Write
from workalike.core.contracts import Case, Verifier
from workalike.core.errors import in_a_line
from workalike.core.key import Criterion, Evaluator, Key, Rubric
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory, Usage
from workalike.env.conformance import Check, ConformanceReport
from workalike.pictures.png import encode_rgb
from workalike.store.pictures import PictureStore
from workalike.verify.verifiers import case_for, shape_problems, verdict_problem

TASK = Task("practice", "Write the name Ada into the form and send it.", start_url="http://practice.localhost/")
KEY = Key(
    "practice",
    rubric=Rubric((Criterion("The form was sent", "The name Ada was written and the form sent", 1.0),)),
    evaluators=(Evaluator(),),
)
SIZE = Size(64, 48)


async def check_verifier(make: Callable[[], Verifier]) -> list[Check]:
    """Check a verifier: what it is, and what it says of attempts of every shape. One that asks a model asks it for
    each of them."""
    report = ConformanceReport()
    try:
        verifier = make()
    except Exception as error:
        report.note("can be made", f"raised {in_a_line(error)}; give its arguments with --set NAME=VALUE")
        return report.checks
    report.note("can be made", None)
    if report.note_all(shape_problems(verifier)):
        report.note("keeps its settings", _settings_problem(verifier, make))
        with TemporaryDirectory() as folder:
            pictures = PictureStore(Path(folder))
            for name, trajectory, key in _cases(pictures):
                await _judges(report, verifier, name, case_for(verifier.needs, trajectory, key), pictures)
            await _judges_at_once(report, verifier, pictures)
    return report.checks


def _settings_problem(verifier: Verifier, make: Callable[[], Verifier]) -> str | None:
    try:
        written = msgspec.json.encode(verifier.settings, order="deterministic")
    except TypeError as error:
        return f"`settings` must be plain JSON: {error}"
    again = msgspec.json.encode(make().settings, order="deterministic")
    return None if written == again else "made again with the same arguments, it tells other settings"


async def _judges(report: ConformanceReport, verifier: Verifier, name: str, case: Case, pictures: PictureStore) -> None:
    try:
        most = verifier.estimate(case)
        problem = None if isinstance(most, Usage) else f"`estimate` must return a `Usage`, not {type(most).__name__}"
    except Exception as error:
        problem = f"raised {in_a_line(error)}"
    report.note(f"estimates {name}", problem)
    verdict = await report.does(f"judges {name}", verifier.judge(case, pictures))
    if report.checks[-1].passed:
        report.note(f"gives a verdict on {name}", verdict_problem(verdict, verifier.name, case.id))


async def _judges_at_once(report: ConformanceReport, verifier: Verifier, pictures: PictureStore) -> None:
    """Several attempts under judgement at the same time are not mixed up."""
    ids = [f"practice/{number}" for number in range(4)]
    cases = [case_for(verifier.needs, _trajectory(id, pictures), KEY) for id in ids]
    found = await report.does("judges several at once", asyncio.gather(*(verifier.judge(c, pictures) for c in cases)))
    if found is not None:
        mixed = [id for id, verdict in zip(ids, found, strict=True) if getattr(verdict, "trajectory", "") != id]
        report.note("keeps them apart", f"the verdict on {mixed[0]} speaks of another" if mixed else None)


def _cases(pictures: PictureStore) -> list[tuple[str, Trajectory, Key | None]]:
    whole = _trajectory("practice/1", pictures)
    lost = msgspec.structs.replace(whole.steps[0].observation, picture=ImageRef(f"{'0' * 64}.png", "0" * 64, SIZE))
    step = msgspec.structs.replace(whole.steps[0], observation=lost)
    replace = msgspec.structs.replace
    return [
        ("an ordinary attempt", whole, KEY),
        ("an attempt without a key", whole, None),
        ("an attempt without steps", replace(whole, steps=(), final=None), KEY),
        ("an attempt that was interrupted", replace(whole, final=None, stop=Stop("interrupted")), KEY),
        ("an attempt whose picture is missing", replace(whole, steps=(step, *whole.steps[1:])), KEY),
        ("an imported attempt, of which little is known", Trajectory("practice/1", Task("x", "Do it")), None),
    ]


def _trajectory(id: str, pictures: PictureStore) -> Trajectory:
    """Two steps and an answer, with pictures."""

    def seen(shade: int) -> Observation:
        picture = encode_rgb(np.full((SIZE.height, SIZE.width, 3), shade, np.uint8))
        return Observation(picture=pictures.put(picture, SIZE), size=SIZE, url=TASK.start_url, title="Practice")

    steps = (
        Step(seen(250), (ActionResult(Click(Point(0.5, 0.5))), ActionResult(Write("Ada"))), thought="I fill it in."),
        Step(seen(200), (ActionResult(Terminate("success", "The form is sent.")),), thought="It is done."),
    )
    return Trajectory(id, TASK, steps, seen(200), stop=Stop("terminated"))
