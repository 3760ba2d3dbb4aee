"""A short trajectory in a browser, with elements and pictures, for the tests of families, grounding and step tasks."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from workalike.core.actions import Click, Press, Scroll, Terminate, Write
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.pictures.codec import encode

SIZE = Size(1440, 900)
SEND = Element("button", "Send", Box(0.4, 0.2, 0.2, 0.1), mark=1)
NAME = Element("textbox", "Name", Box(0.1, 0.5, 0.3, 0.05), mark=2)
HOME = Element("link", "Home", Box(0.0, 0.0, 0.1, 0.05), mark=3, value="/home")
LOGO = Element("link", "Logo", Box(0.8, 0.0, 0.1, 0.05), mark=4, value="/home")
TWIN = Element("button", "Edit", Box(0.7, 0.7, 0.1, 0.05), mark=5)
OTHER_TWIN = Element("button", "Edit", Box(0.7, 0.8, 0.1, 0.05), mark=6)
ELEMENTS = (SEND, NAME, HOME, LOGO, TWIN, OTHER_TWIN)


def picture(shade: int, size: Size = SIZE) -> bytes:
    return encode(Image.new("RGB", (size.width, size.height), (shade, 200, 90)))


def trajectory(folder: Path | None = None) -> Trajectory:
    """Four steps: a click, some typing, a scroll, the end; with their pictures in a folder if one is given."""
    actions = (
        (ActionResult(Click(SEND.box.centre if SEND.box else None), hit=SEND),),
        (
            ActionResult(Click(NAME.box.centre if NAME.box else None), hit=NAME),
            ActionResult(Write("Ada")),
            ActionResult(Press(("enter",))),
        ),
        (ActionResult(Scroll(dy=300, unit="pixels", at=Point(0.5, 0.5))),),
        (ActionResult(Terminate("success", "Sent.")),),
    )
    steps = []
    for place, taken in enumerate(actions):
        name = f"shot{place}.png"
        if folder is not None:
            (folder / name).write_bytes(picture(place * 20))
        seen = Observation(ImageRef(name), SIZE, url="https://a.town", elements=ELEMENTS)
        steps.append(Step(seen, taken, f"reply {place}", thought=f"Thought {place}.", action_text=f"Action {place}."))
    return Trajectory("run1/task", Task("task", "Send a note"), tuple(steps), stop=Stop("terminated"))
