"""Demonstrations whose every screen can be told from the others in whatever a model is sent, and a service that notes
what it was shown."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
from PIL import Image, ImageDraw

from workalike.annotate.scripted import ScriptedAnnotator, ScriptedQuestion, read_question
from workalike.core.actions import Action, Click, Drag, Terminate, Write
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text, pictures
from workalike.models.server.app import application
from workalike.models.server.asked import Fault
from workalike.models.server.counting import Books
from workalike.pictures.codec import decode, encode
from workalike.runtime.serving import serving_apart
from workalike.store.pictures import PictureStore
from workalike.store.trajectories import write_trajectory

SCREEN = Size(1366, 768)
_BITS, _CELL = 8, 24
Say = Callable[[ScriptedQuestion, Asked], "dict[str, object] | str | Fault | None"]
DEMO: tuple[Action, ...] = (
    Click(Point(0.3, 0.4)),
    Write("Lisbon"),
    Drag((Point(0.7, 0.6),), Point(0.2, 0.5)),
    Click(Point(0.8, 0.25), count=2),
    Terminate("success"),
)


def screen(number: int, size: Size = SCREEN) -> Image.Image:
    """A screen with its number in black and white cells along its lower edge, and some content of its own."""
    picture = Image.new("RGB", (size.width, size.height), (236, 240, 244))
    draw = ImageDraw.Draw(picture)
    for bit in range(_BITS):
        colour = "black" if number >> bit & 1 else "white"
        left, top = 40 + bit * _CELL, size.height - 2 * _CELL
        draw.rectangle((left, top, left + _CELL - 1, top + _CELL - 1), fill=colour)
    draw.rectangle((300, 100 + 5 * (number % 50), 420, 130 + 5 * (number % 50)), fill=(90, 110, 160))
    return picture


def number_on(picture: Image.Image) -> int | None:
    """Which screen a picture shows; None for a part of one."""
    if picture.size != (SCREEN.width, SCREEN.height):
        return None
    grey = np.asarray(picture.convert("L"))
    row = SCREEN.height - 2 * _CELL + _CELL // 2
    cells = [int(grey[row, 40 + bit * _CELL + _CELL // 2]) < 128 for bit in range(_BITS)]
    return sum(1 << bit for bit, dark in enumerate(cells) if dark)


def red_on(picture: Image.Image) -> tuple[float, float, float, float] | None:
    """The box around everything that was drawn in red, as fractions: left, top, right, bottom."""
    pixels = np.asarray(picture.convert("RGB"), np.int16)
    red = (pixels[..., 0] > 150) & (pixels[..., 1] < 110) & (pixels[..., 2] < 130)
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    if not len(rows):
        return None
    high, wide = red.shape
    return columns[0] / wide, rows[0] / high, (columns[-1] + 1) / wide, (rows[-1] + 1) / high


def demonstration(
    folder: Path,
    actions: Sequence[Action] = DEMO,
    name: str = "demo-1",
    elements: Sequence[tuple[Element, ...] | None] = (),
    final: bool = True,
) -> Trajectory:
    """A demonstration on disk, one action a step, with a screen of its own before each and after the last."""
    store = PictureStore(folder / "pictures")
    seen = []
    for number in range(len(actions) + final):
        data = encode(screen(number))
        shown = elements[number] if number < len(elements) else None
        seen.append(Observation(store.put(data, SCREEN), size=SCREEN, kind="desktop", elements=shown))
    steps = tuple(Step(seen[place], (ActionResult(action),)) for place, action in enumerate(actions))
    task = Task(name, f"Do the thing called {name}")
    made = Trajectory(name, task, steps, seen[-1] if final else None, stop=Stop("terminated"))
    write_trajectory(folder / "trajectory.jsonl", made)
    return made


class Shown(msgspec.Struct, frozen=True):
    """A question that the service was asked, and the pictures in it as they came: decoded, those of some hundred
    questions would take gigabytes."""

    question: ScriptedQuestion
    sent: list[bytes]

    @property
    def pictures(self) -> list[Image.Image]:
        return [decode(data) for data in self.sent]

    @property
    def screens(self) -> list[int]:
        return [number for picture in self.pictures if (number := number_on(picture)) is not None]


class Service:
    """The scripted model with its ears open: `say` may answer in its place."""

    def __init__(self, say: Say | None = None, latency: float = 0.0) -> None:
        self.books, self.shown, self.model = Books(), list[Shown](), ""
        self._say, self._script = say, ScriptedAnnotator(latency)

    async def __call__(self, asked: Asked) -> Reply | Fault:
        question = read_question(asked.request)
        self.shown.append(Shown(question, [picture.data for picture in pictures(asked.request.messages)]))
        said = self._say(question, asked) if self._say else None
        if said is None:
            return await self._script(asked)
        if isinstance(said, dict):
            said = msgspec.json.encode({**self._script.answer(question), **said}).decode()
        return Reply((Text(said),)) if isinstance(said, str) else said

    def asked(self, role: str) -> list[int]:
        return [each.question.number for each in self.shown if each.question.role == role]


@contextmanager
def serving(say: Say | None = None, latency: float = 0.0) -> Iterator[Service]:
    service = Service(say, latency)
    with serving_apart(application(service, service.books)) as address:
        service.model = f"m@{address}/v1"
        yield service


def box_element(name: str, box: Box, *states: str) -> Element:
    return Element("textbox", name, box, states=states)


def jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=90)
    return out.getvalue()


def ref(name: str) -> ImageRef:
    return ImageRef(name)
