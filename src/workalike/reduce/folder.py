"""A folder of recordings → a folder of trajectories, which can be filled in several goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.reduce.settings import settings_of
from workalike.reduce.trajectory import ReduceOptions, ReduceOutcome, reduce_recording
from workalike.store.recordings import Recording, recordings_in
from workalike.store.reduced import rejection


class RecordingLeftOut(msgspec.Struct, frozen=True):
    """A recording that gave no trajectory."""

    recording: str
    why: str


class FolderOutcome(msgspec.Struct, frozen=True):
    """What came of the recordings in a folder: what was made, each with what it was made of, what was left out and why,
    and how many trajectories were there already."""

    made: tuple[tuple[ReduceOutcome, Recording], ...]
    left_out: tuple[RecordingLeftOut, ...]
    there: int


def reduce_folder(
    folder: Path, out: Path, chosen: Mapping[str, float] = {}, options: ReduceOptions = ReduceOptions()
) -> FolderOutcome:
    """Every recording of a folder, each into a folder of its own; those that are there already stay as they are. What
    reviewers rejected or cannot be read is left out."""
    made, left_out, there = [], [], 0
    for path in recordings_in(folder):
        target = out / path.relative_to(folder)
        if target.exists():
            there += 1
            continue
        try:
            recording = Recording(path)
            why = rejection(recording) if options.edits else None
            if why is None:
                settings = settings_of(recording.header.settings, **chosen)
                made.append((reduce_recording(recording, target, settings, options), recording))
        except BadInput as error:
            why = str(error)
        if why is not None:
            left_out.append(RecordingLeftOut(str(path), why))
    return FolderOutcome(tuple(made), tuple(left_out), there)
