"""What there is to look at below a path: runs, datasets, demonstrations, recordings and questions by hand, each with a
key of its own. Only what was found here is ever read: no path comes out of an address."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec

from workalike.core.errors import BadInput
from workalike.dataset.sources import is_rows
from workalike.models.by_hand import QUESTIONS
from workalike.models.questions import is_questions
from workalike.store.lines import NOT_READABLE, raw_lines
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource, open_pictures
from workalike.store.reading import holds_trajectories
from workalike.store.recordings import is_recording
from workalike.store.runs import is_run
from workalike.store.trajectories import FILE
from workalike.viewer.collection import Collection, DemoCollection, QuestionCollection, RecordingCollection
from workalike.viewer.dataset_collection import DatasetCollection
from workalike.viewer.run_collection import RunCollection

DEEPEST, FOLDERS, MOST, MANY = 8, 20_000, 2_000, 20
"""How far down is looked, into how many folders, how many things are listed at most, and how many trajectories side by
side are a dataset."""
_PASSED_OVER = ("node_modules", "__pycache__", "layers", "pictures", "images")


class Library:
    """The collections below a path. `images` are where pictures lie that are not beside what names them; `questions`
    is a folder that is listed although nobody has asked there yet."""

    def __init__(self, path: Path, images: tuple[Path, ...] = (), questions: Path | None = None) -> None:
        if not path.exists() and path != questions:
            raise BadInput(f"there is no {path}; name a folder, a run, a dataset or a trajectory to look at")
        if path.is_file() and all(line.isspace() for _, line in raw_lines(path)):
            raise BadInput(f"{path} is empty: it holds nothing to look at")
        self.path, self._questions = path, questions
        self._pictures = open_pictures(*images) if images else None
        self._known: dict[str, Collection] = {}
        self._lock = threading.Lock()
        if not self.collections():
            raise BadInput(f"{path} holds nothing to look at: no run, dataset, demonstration or recording")

    def collections(self) -> list[Collection]:
        """What lies there now, in the order of its places."""
        with self._lock:
            found: dict[str, Collection] = {}
            for path in self._places():
                collection = self._collection(path)
                known = self._known.get(collection.key)
                found[collection.key] = known if known is not None and known.kind == collection.kind else collection
                if len(found) >= MOST:
                    break
            self._known = found
            return list(found.values())

    def collection(self, key: str) -> Collection:
        """The collection of a key that was listed, or has come since."""
        found = self._known.get(key)
        if found is None:
            found = next((each for each in self.collections() if each.key == key), None)
        if found is None:
            raise BadInput(f"there is nothing called {key!r} here any more; go back to the first page")
        return found

    def addresses(self, ids: Iterable[str]) -> dict[str, str]:
        """Where the viewer shows some trajectories. Those of a lone dataset are known by their ids, without reading
        it."""
        collections = self.collections()
        told = [each for each in collections if each.kind in ("run", "demo")]
        found = {entry.id: (each.key, entry.ref) for each in told for entry in each.entries()}
        datasets = [each.key for each in collections if each.kind == "dataset"]
        if len(datasets) == 1:
            found = {id: (datasets[0], id) for id in ids} | found
        return {id: f"#/trajectory/{key}/{quote(ref, safe='')}" for id, (key, ref) in found.items()}

    def _places(self) -> Iterator[Path]:
        if self.path == self._questions:
            return iter([self.path])
        places = _find(self.path, 0, iter(range(FOLDERS)))
        first = next(places, None)
        if first is None and self.path.is_dir() and is_rows(self.path):
            return iter([self.path])  # rows that nobody would find by chance, as the first of them is damaged
        return itertools.chain([first] if first else [], places)

    def _collection(self, path: Path) -> Collection:
        place = path.relative_to(self.path).as_posix() if path != self.path else path.resolve().name
        key = safe_name(place)
        if path == self._questions:
            return QuestionCollection(key, place, path)
        return _made(path, key, place, self._pictures)

    def first(self) -> str:
        """The address of what a lone collection is looked at on; of the first page where there are several."""
        found = self.collections()
        if len(found) != 1:
            return ""
        page = {"demo": "trajectory", "recording": "review"}.get(found[0].kind, found[0].kind)
        return f"#/{page}/{found[0].key}" + ("/0" if page == "trajectory" else "")


def _made(path: Path, key: str, place: str, pictures: PictureSource | None) -> Collection:
    if is_run(path):
        return RunCollection(key, place, path, pictures)
    if is_recording(path):
        return RecordingCollection(key, place, path)
    if path.is_dir() and is_questions(path):
        return QuestionCollection(key, place, path)
    if path.name == FILE or (path / FILE).is_file():
        return DemoCollection(key, place, path, pictures)
    return DatasetCollection(key, place, path, pictures)


def _find(path: Path, depth: int, left: Iterator[int]) -> Iterator[Path]:
    """The places below a path that hold something; what lies within such a place belongs to it. `left` counts the
    folders that may still be looked into."""
    if path.is_file():
        yield path
        return
    if is_run(path):
        yield path
        if is_questions(path / QUESTIONS):
            yield path / QUESTIONS
        return
    if is_recording(path) or is_questions(path) or (path / FILE).is_file():
        yield path
        return
    if next(left, None) is None:
        return
    try:
        inside = sorted(os.scandir(path), key=lambda each: each.name)
    except OSError:
        return
    if sum((Path(each.path) / FILE).is_file() for each in inside) >= MANY:
        yield path
        return
    yield from _datasets(path, [Path(each.path) for each in inside if each.is_file()])
    for each in inside:
        hidden = each.name.startswith((".", "_")) or each.name in _PASSED_OVER
        if depth < DEEPEST and not hidden and each.is_dir(follow_symlinks=False):
            yield from _find(Path(each.path), depth + 1, left)


def _datasets(folder: Path, files: list[Path]) -> Iterator[Path]:
    """The datasets in a folder: the folder itself where its files are of one form, each of them where they are not."""
    rows = [file for file in files if _is_rows(file)]
    ours = [file for file in files if file.name.endswith(".jsonl") and file not in rows and holds_trajectories(file)]
    if rows and ours:
        yield from sorted([*rows, *ours])
    elif rows or ours:
        yield folder


def _is_rows(file: Path) -> bool:
    """Whether a file found by chance holds AgentNet rows: its first line has what each of them has."""
    if not file.name.endswith((".jsonl", ".jsonl.gz", ".jsonl.zst")):
        return False
    try:
        line = next((line for _, line in raw_lines(file) if not line.isspace()), b"")
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (BadInput, *NOT_READABLE):
        return False
    return {"task_id", "traj"} <= fields.keys()
