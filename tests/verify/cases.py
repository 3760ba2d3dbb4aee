"""Small trajectories with real pictures, for tests of verifiers."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageDraw

from workalike.core.actions import Action, Click, Terminate
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.store.pictures import PictureStore

SIZE = Size(320, 200)
TASK = Task(
    "shoes", "Put the blue shoes into the cart and tell me their price.", "shopping", start_url="http://shop.test/"
)


def drawn(number: int, size: Size = SIZE) -> bytes:
    """A screen that is like no other."""
    picture = Image.new("RGB", (size.width, size.height), "white")
    ImageDraw.Draw(picture).text((20, 20), f"screen {number}", fill="black")
    ImageDraw.Draw(picture).rectangle((40 + number, 60, 90 + number, 110), fill=(number * 7 % 255, 90, 160))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def made(
    folder: Path,
    screens: int = 3,
    answer: str | None = "The price is $40.",
    id: str = "run/shoes/1.1",
    task: Task = TASK,
    thought: str = "On it goes.",
    same: bool = False,
) -> tuple[Trajectory, PictureStore]:
    """A trajectory of so many screenshots, the last one the final look; with `same` they all show one screen."""
    store = PictureStore(folder / "pictures")
    looks = [
        Observation(store.put(drawn(0 if same else number), SIZE), SIZE, url=f"http://shop.test/{number}")
        for number in range(screens)
    ]
    steps = []
    for number, look in enumerate(looks[:-1] or looks):
        last = number == max(0, len(looks) - 2)
        action: Action = Terminate("success", answer) if last else Click(Point(0.1 + number / 200, 0.5))
        steps.append(Step(look, (ActionResult(action),), thought=thought))
    final = looks[-1] if len(looks) > 1 else None
    return Trajectory(id, task, tuple(steps), final, stop=Stop("terminated")), store
