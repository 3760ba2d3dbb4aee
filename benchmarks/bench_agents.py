"""How long it takes to build a request: scaling, marking, encoding and writing the body of the API."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from msgspec.structs import replace
from PIL import Image, ImageDraw

from benchmarks import Figure
from workalike.core.actions import Click
from workalike.core.contracts import Percept
from workalike.core.observation import Element, ImageRef, Observation
from workalike.core.screen import Box, Point, Size
from workalike.core.task import Task
from workalike.dialects.reply import ParsedReply
from workalike.families import family
from workalike.families.base import Family
from workalike.families.shots import render, sent
from workalike.families.turns import Turn
from workalike.models.fences import Fence
from workalike.models.messages import Reply, Text
from workalike.models.names import Endpoint
from workalike.models.served import WIRES
from workalike.pictures.codec import encode

SCREEN = Size(1440, 900)
TASK = Task("t", "Find the cheapest trip.")
FENCE = Fence()
TIMES = 15


def measure() -> list[Figure]:
    figures = []
    for name, scale in (("fara", 1), ("som", 1), ("anthropic", 1), ("opencua", 2)):
        looks = [_percept(number, scale) for number in range(3)]
        whole, newest = _measured(name, looks)
        what = f"{name}, scale {scale}: a request with three screenshots"
        figures.append(Figure(f"{what}, as in a run", newest, "ms", "< 60 ms", "the newest scaled, marked and encoded"))
        figures.append(Figure(f"{what}, all three from scratch", whole, "ms", "", "never needed in a run"))
    return figures


def _measured(name: str, looks: list[Percept]) -> tuple[float, float]:
    """The least milliseconds (what else the machine does only adds to them) with nothing at hand, and with all but the
    newest screenshot at hand."""
    options = {"screenshots": 3}
    whole, newest = [], []
    for _ in range(TIMES):
        made = family(name, options)
        start = time.perf_counter()
        past = [_past(_seen(made, look, number)) for number, look in enumerate(looks[:2])]
        between = time.perf_counter()
        turns = [*past, _seen(made, looks[2], 2)]
        api = made.api or "chat"
        endpoint = Endpoint("m", "m", api, "http://127.0.0.1/v1", "")
        request = made.request(TASK, turns)
        request = replace(request, messages=sent(request.messages, turns))
        msgspec.json.encode(WIRES[api].body(request, endpoint, FENCE))
        end = time.perf_counter()
        whole.append((end - start) * 1000)
        newest.append((end - between) * 1000)
    return min(whole), min(newest)


def _seen(made: Family[Any], look: Percept, number: int) -> Turn:
    shot = made.shot(look)
    assert shot is not None
    assert look.picture is not None
    return Turn(number, look, shot, picture=render(shot, look.picture))


def _past(turn: Turn) -> Turn:
    turn.reply = Reply((Text("On."),))
    turn.said = ParsedReply((Click(Point(0.5, 0.5)),), "On.", action_text="On.")
    return turn


def _percept(number: int, scale: int) -> Percept:
    """A page with as much on it as pages have: blocks, lines of words, eighty elements."""
    picture = Image.new("RGB", (SCREEN.width * scale, SCREEN.height * scale), "white")
    draw = ImageDraw.Draw(picture)
    elements = []
    for mark in range(1, 81):
        x, y = 20 + (mark % 8) * 175, 20 + (mark // 8) * 85
        shade = (mark * 37 + number * 11) % 200
        draw.rectangle((x * scale, y * scale, (x + 150) * scale, (y + 40) * scale), fill=(shade, 90, 200 - shade))
        for line in range(3):
            draw.text(
                (x * scale, (y + 44 + line * 12) * scale), f"words number {mark} of line {line} {number}", fill="black"
            )
        elements.append(Element("link", f"link {mark}", Box(x / 1440, y / 900, 150 / 1440, 40 / 900), mark))
    data = encode(picture)
    seen = Observation(ImageRef.of(data), SCREEN, float(scale), url="http://x/", elements=tuple(elements))
    return Percept(seen, data)
