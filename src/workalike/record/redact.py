"""Find what should not be in a recording that exists already, in its events and trees, and make a copy without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from workalike.core.errors import BadInput
from workalike.core.observation import Element
from workalike.core.program import Program
from workalike.core.recording import (
    ButtonChanged,
    Event,
    KeyChanged,
    PageChanged,
    Tree,
    TreeNode,
    WheelTurned,
    WindowChanged,
)
from workalike.env.desktop.atspi import Rectangle
from workalike.env.desktop.elements import walk
from workalike.record.patterns import Patterns, hinted
from workalike.record.privacy import blurred
from workalike.store.recordings import Recording, RecordingWriter, Segment, SegmentWriter

_ENDS = {"enter", "tab", "esc"}


class SensitiveText(msgspec.Struct, frozen=True):
    """One thing that was found: what kind, where, and how it looks with its middle hidden."""

    kind: str
    where: str
    time: float
    shown: str


def find(recording: Recording, patterns: Patterns) -> Iterator[SensitiveText]:
    """Everything that is found, in order of the segments."""
    for program in recording.header.programs:
        for text in (*program.command, program.folder or ""):
            yield from _found(patterns, text, "programs", 0.0)
    for segment in recording.segments:
        events = list(segment.events())
        for run in typed_runs(events):
            yield from _found(patterns, run.text, f"{_name(segment)}: typed", run.time)
        for event in events:
            for text in _texts(event):
                yield from _found(patterns, text, f"{_name(segment)}: events", event.time)
        for tree in segment.trees():
            for text in _tree_texts(tree):
                yield from _found(patterns, text, f"{_name(segment)}: trees", tree.time)


def redact(recording: Recording, out: Path, patterns: Patterns) -> None:
    """Copy a recording to a new place, without what is found. Keys that typed it become masked ones, and where a tree
    tells at which place of the screen it stood, that place is made unreadable."""
    if out.resolve().is_relative_to(recording.path.resolve()):
        raise BadInput(f"{out} lies within the recording itself; name a place outside of it")
    task = recording.header.task
    began = patterns.struck(task.start_url) if task.start_url else task.start_url
    clean = msgspec.structs.replace(task, instruction=patterns.struck(task.instruction), start_url=began)
    programs = tuple(_redacted_program(program, patterns) for program in recording.header.programs)
    writer = RecordingWriter(out, msgspec.structs.replace(recording.header, task=clean, programs=programs))
    for segment in recording.segments:
        written = writer.segment(segment.header)
        _copy_frames(segment, written, patterns)
        written.event(*redacted_events(list(segment.events()), patterns))
        for tree in segment.trees():
            written.tree(_redacted_tree(tree, patterns))
        written.close()
    if recording.end is not None:
        writer.end(recording.end)


class _Place(msgspec.Struct, frozen=True):
    """A place of the screen where something may have stood: from the tree before the one that tells to the next."""

    start: float
    end: float
    box: Rectangle


def _copy_frames(segment: Segment, written: SegmentWriter, patterns: Patterns) -> None:
    places = list(_places(segment, patterns))
    if not (segment.folder / "video.mp4").exists():
        return
    if not places:
        written.adopt_video(segment.folder / "video.mp4", segment.marks)
        return
    for frame in segment.frames():
        rgb = frame.rgb()
        pixels = np.dstack((rgb[:, :, ::-1], np.full(rgb.shape[:2], 255, np.uint8)))
        hidden = [place.box for place in places if place.start <= frame.time <= place.end]
        written.frame(frame.time, blurred(pixels, hidden), frame.mark.pointer, frame.mark.repeat)


def _places(segment: Segment, patterns: Patterns) -> Iterator[_Place]:
    trees = list(segment.trees())
    moments = [0.0, *(tree.time for tree in trees), float("inf")]
    across = segment.frame_size.width / segment.header.screen.width
    for number, tree in enumerate(trees):
        for node in walk(tree.root):
            if node.box is not None and (patterns.spans(node.name) or patterns.spans(node.value or "")):
                x, y, width, height = (round(length * across) for length in node.box)
                yield _Place(moments[number], moments[number + 2], (x, y, width, height))


class TypedRun(msgspec.Struct, frozen=True):
    """Text typed in one go, and which event typed each character."""

    text: str
    time: float
    events: tuple[int, ...]


def typed_runs(events: Sequence[Event]) -> Iterator[TypedRun]:
    """Stretches of typing between clicks and keys that lead elsewhere; backspace takes back what it takes back."""
    text: list[str] = []
    owners: list[int] = []
    for number, event in enumerate(events):
        if isinstance(event, KeyChanged):
            if event.down and event.text:
                text += event.text
                owners += [number] * len(event.text)
            elif event.down and event.key == "backspace" and text:
                text.pop()
                owners.pop()
            if not (event.down and event.key in _ENDS):
                continue
        elif not isinstance(event, ButtonChanged):
            continue
        if text:
            yield TypedRun("".join(text), events[owners[0]].time, tuple(owners))
        text, owners = [], []
    if text:
        yield TypedRun("".join(text), events[owners[0]].time, tuple(owners))


def redacted_events(events: list[Event], patterns: Patterns) -> list[Event]:
    """Events without what is found in them or typed by them together. What was typed and taken back goes too."""
    struck: set[int] = set()
    for run in typed_runs(events):
        for start, end, _ in patterns.spans(run.text):
            struck |= set(range(run.events[start], run.events[end - 1] + 1))
    down: set[str] = set()
    clean: list[Event] = []
    for number, event in enumerate(events):
        if isinstance(event, KeyChanged) and (number in struck or (not event.down and event.key in down)):
            (down.add if event.down else down.discard)(event.key)
            clean.append(_masked(event))
        else:
            clean.append(_redacted(event, patterns))
    return clean


def _masked(event: KeyChanged) -> KeyChanged:
    types = bool(event.text) or len(event.key) == 1 or event.key == "space"
    return KeyChanged(event.time, "", event.down, masked=True, repeat=event.repeat) if types else event


def _redacted(event: Event, patterns: Patterns) -> Event:
    replace = msgspec.structs.replace
    match event:
        case WindowChanged(title=title):
            return replace(event, title=patterns.struck(title))
        case PageChanged(url=url, title=title):
            return replace(event, url=patterns.struck(url), title=patterns.struck(title))
        case ButtonChanged(hit=hit) | WheelTurned(hit=hit) if hit is not None:
            return replace(event, hit=_redacted_element(hit, patterns))
        case _:
            return event


def _redacted_program(program: Program, patterns: Patterns) -> Program:
    folder = patterns.struck(program.folder) if program.folder else program.folder
    return Program(tuple(map(patterns.struck, program.command)), folder)


def _redacted_element(element: Element, patterns: Patterns) -> Element:
    value = patterns.struck(element.value) if element.value else element.value
    return msgspec.structs.replace(element, name=patterns.struck(element.name), value=value)


def _redacted_tree(tree: Tree, patterns: Patterns) -> Tree:
    return msgspec.structs.replace(tree, title=patterns.struck(tree.title), root=_redacted_node(tree.root, patterns))


def _redacted_node(node: TreeNode, patterns: Patterns) -> TreeNode:
    value = patterns.struck(node.value) if node.value else node.value
    children = tuple(_redacted_node(child, patterns) for child in node.children)
    return msgspec.structs.replace(node, name=patterns.struck(node.name), value=value, children=children)


def _texts(event: Event) -> Iterator[str]:
    match event:
        case WindowChanged(title=title):
            yield title
        case PageChanged(url=url, title=title):
            yield from (url, title)
        case ButtonChanged(hit=hit) | WheelTurned(hit=hit) if hit is not None:
            yield from (hit.name, hit.value or "")


def _tree_texts(tree: Tree) -> Iterator[str]:
    yield tree.title
    for node in walk(tree.root):
        yield from (node.name, node.value or "")


def _found(patterns: Patterns, text: str, where: str, time: float) -> Iterator[SensitiveText]:
    for start, end, kind in patterns.spans(text):
        yield SensitiveText(kind, where, time, hinted(text[start:end]))


def _name(segment: Segment) -> str:
    return f"segment {segment.header.index}"
