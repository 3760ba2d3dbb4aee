"""Readers under fire: whatever comes in, actions or a DialectError come out, and soon."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.dialects import fuzzing
from tests.dialects.families import FAMILIES, OTHER_FORMS
from workalike.core.actions import Action
from workalike.core.errors import DialectError
from workalike.core.observation import Element
from workalike.core.screen import Box, Size
from workalike.dialects import pyautogui, som

SCREEN = Size(1440, 900)
ELEMENTS = (
    Element("button", "a", Box(0.2, 0.4, 0.1, 0.2), 1),
    Element("link", "b", Box(0.7, 0.1, 0.1, 0.05), 2),
    Element("image", "c", None, 3),
)
PATIENCE = 5.0  # seconds of processor time for one input; none takes a fifth of it


class Reader(NamedTuple):
    name: str
    read: Callable[[Any], object]
    write: Callable[[list[Action]], Any]
    objects: bool = False


READERS = (
    *(
        Reader(
            family.name,
            lambda given, family=family: family.parse(given, SCREEN),  # type: ignore[misc]
            lambda actions, family=family: family.format(actions, SCREEN),  # type: ignore[misc]
            family.name.startswith(("openai", "anthropic")),
        )
        for family in FAMILIES + OTHER_FORMS
    ),
    Reader("pyautogui-reply", pyautogui.read_reply, pyautogui.format),
    Reader("som", lambda text: som.parse(text, ELEMENTS), lambda actions: som.format(actions, ELEMENTS)),
)


class Fired(NamedTuple):
    """How a reader stood the fire."""

    inputs: int
    read: int
    refused: int
    slowest: float


@contextmanager
def at_most(seconds: float, given: object) -> Iterator[None]:
    """Fail where reading hangs."""

    def ring(signum: int, frame: object) -> None:
        pytest.fail(f"reading takes over {seconds} s: {str(given)[:200]!r}")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fire(reader: Reader, count: int, seed: int) -> Fired:
    chance = random.Random(f"{reader.name} {seed}")
    make = fuzzing.objects if reader.objects else fuzzing.texts
    read = refused = 0
    slowest = 0.0
    for given in make(fuzzing.seeds(reader.write), count, chance):
        start = time.process_time()
        with at_most(PATIENCE, given):
            try:
                msgspec.json.encode(reader.read(given))  # what is read can be kept
            except DialectError:
                refused += 1
            else:
                read += 1
        slowest = max(slowest, time.process_time() - start)
    return Fired(read + refused, read, refused, slowest)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_little_fire(reader: Reader) -> None:
    fired = fire(reader, 1_000, seed=1)
    assert fired.inputs == 1_000
    assert fired.read > 30  # the fire also hits what is well-formed


@pytest.mark.sweep
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_hundred_thousand_inputs(reader: Reader, capsys: pytest.CaptureFixture[str]) -> None:
    fired = fire(reader, 100_000, seed=2)
    with capsys.disabled():
        print(
            f"\n{reader.name}: {fired.inputs:,} inputs, {fired.read:,} read, {fired.refused:,} refused, "
            f"0 crashes, 0 hangs, slowest {fired.slowest:.3f} s"
        )
    assert fired.inputs == 100_000
