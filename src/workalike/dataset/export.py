"""Trajectories → the files trainers read, with a manifest that says how they came about. Memory does not grow with
their number."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

import msgspec
from msgspec.structs import replace

from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Trajectory
from workalike.dataset.benchtasks import StepTasks
from workalike.dataset.delivery import Delivery, Mode
from workalike.dataset.examples import Example, Recipe
from workalike.dataset.families import InFamily
from workalike.dataset.grounding import Grounding
from workalike.dataset.manifest import Inputs, Manifest, write_manifest
from workalike.dataset.measuring import Measuring
from workalike.dataset.messages import OpenCUA
from workalike.dataset.writers import sharegpt, trl
from workalike.dataset.writers.chat import ChatLines, Loss
from workalike.dataset.writers.parquet import writing_parquet
from workalike.formats.agentnetbench import BenchStep, write_folder
from workalike.models.prompts import Prompts
from workalike.store.files import appearing, write_file
from workalike.store.lines import encode
from workalike.store.packed import writing
from workalike.store.pictures import PictureSource

Format = Literal["chat", "sharegpt", "trl", "parquet"]
FORMATS: tuple[Format, ...] = ("chat", "sharegpt", "trl", "parquet")
_NAMES = {"chat": "chat.jsonl", "sharegpt": "sharegpt.jsonl", "trl": "trl.jsonl", "parquet": "train.parquet"}
Add = Callable[[Example], None]


class Maker(Protocol):
    """Makes examples out of a trajectory, and counts what gave none."""

    left_out: Counter[str]

    def examples(self, trajectory: Trajectory) -> Iterator[Example]: ...


class Order(msgspec.Struct, frozen=True):
    """An export as it is asked for."""

    format: Format = "chat"
    recipe: Recipe = Recipe()
    pictures: Mode = "names"
    prefix: str = ""
    loss: Loss = "mask"
    ending: str = ""


def maker(recipe: Recipe, prompts: Prompts) -> Maker:
    """Who makes the examples of a recipe."""
    if recipe.family == "opencua":
        return OpenCUA(recipe, prompts)
    return Grounding(recipe, prompts) if recipe.family == "grounding" else InFamily(recipe, prompts)


def export(
    found: Iterable[Trajectory],
    folder: Path,
    order: Order = Order(),
    source: PictureSource | None = None,
    prompts: Prompts | None = None,
    inputs: Inputs = (),
    licence: Iterable[str] = (),
    citation: Iterable[str] = (),
) -> Manifest:
    """Write examples of all trajectories into a folder, with an index that says where each came from."""
    with new_folder(folder) as inside:
        return _export(found, inside, order, source, prompts or Prompts(), inputs, licence, citation)


def _export(
    found: Iterable[Trajectory],
    folder: Path,
    order: Order,
    source: PictureSource | None,
    prompts: Prompts,
    inputs: Inputs,
    licence: Iterable[str],
    citation: Iterable[str],
) -> Manifest:
    mode: Mode = "inline" if order.format == "parquet" else order.pictures
    delivery = Delivery(mode, folder, source, order.prefix)
    measuring = Measuring(delivery, order.recipe)
    made = maker(order.recipe, prompts)
    counts: Counter[str] = Counter()
    filler = prompts.get("dataset/no_picture").text
    name = _NAMES[order.format] + order.ending
    with _writing(folder / name, order, delivery, filler) as add, writing(folder / "index.jsonl") as index:
        for trajectory in found:
            counts["trajectories"] += 1
            _write_examples(made, measuring.measured(trajectory), add, index, counts)
    outputs = [folder / name, folder / "index.jsonl"]
    if order.format == "sharegpt":
        outputs.append(_register(folder, name))
    if delivery.copied:
        counts["pictures copied"] = len(delivery.copied)
    settings = {**msgspec.to_builtins(order), "recipe": msgspec.to_builtins(order.recipe)}
    notes = [*_notes(order), *measuring.notes()]
    return write_manifest(
        folder, settings, counts, made.left_out, inputs, outputs, prompts.used, licence, citation, notes
    )


def _write_examples(made: Maker, trajectory: Trajectory, add: Add, index: BinaryIO, counts: Counter[str]) -> None:
    for example in made.examples(trajectory):
        try:
            add(example)
        except Damaged:
            made.left_out["a picture is missing"] += 1
            continue
        index.write(_index_line(example, counts["examples"]))
        counts["examples"] += 1
        counts[f"level {example.level}"] += 1
        counts["pictures shown"] += len(example.pictures)


def export_step_tasks(
    found: Iterable[Trajectory],
    folder: Path,
    source: PictureSource | None,
    inputs: Inputs = (),
    licence: Iterable[str] = (),
    citation: Iterable[str] = (),
) -> Manifest:
    """Write trajectories as offline step tasks into `test_data/`, one file each, with their pictures in its `images/`
    where a source has them: the published layout, so that the published programs read it, too."""
    with new_folder(folder) as inside:
        return _export_step_tasks(found, inside, source, inputs, licence, citation)


def _export_step_tasks(
    found: Iterable[Trajectory],
    folder: Path,
    source: PictureSource | None,
    inputs: Inputs,
    licence: Iterable[str],
    citation: Iterable[str],
) -> Manifest:
    made = StepTasks()
    inner = folder / "test_data"
    counts: Counter[str] = Counter()
    delivery = Delivery("names" if source is None else "copy", inner, source)
    written: dict[str, Path] = {}
    for trajectory in found:
        counts["trajectories"] += 1
        task = made.task(trajectory)
        if task is None:
            continue
        steps = [named for step in task.steps if (named := _delivered(step, delivery, made))]
        if not steps:
            continue
        task_id = _free(task.task_id, written)
        (written[task_id],) = write_folder([replace(task, task_id=task_id, steps=tuple(steps))], inner)
        counts["tasks"] += 1
        counts["steps"] += len(steps)
        counts["alternatives"] += sum(len(step.alternative_options) for step in steps)
    settings = {"format": "agentnetbench", "pictures": delivery.mode}
    return write_manifest(folder, settings, counts, made.left_out, inputs, written.values(), {}, licence, citation)


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or one beside it where it is taken: published sets have ids that stand twice."""
    names = (f"{name}-{number}" for number in itertools.count(2))
    return name if name not in taken else next(other for other in names if other not in taken)


def _delivered(step: BenchStep, delivery: Delivery, made: StepTasks) -> BenchStep | None:
    """The step with its picture copied and called by the copy's name, where there is a source of pictures."""
    if delivery.source is None:
        return step
    try:
        return replace(step, image=delivery.flat(ImageRef(step.image)))
    except Damaged:
        made.left_out["its picture is missing"] += 1
        return None


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to export into that is there when the block ends well; otherwise nothing of it is left behind."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; name a new folder to export into")
    if not folder.is_dir():
        with appearing(folder) as inside:
            yield inside
        return
    if any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty; choose a new folder to export into")
    try:
        yield folder  # an empty one is filled where it is: it may be where the user stands, or a disk of its own
    except BaseException:
        for left in folder.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        raise


@contextmanager
def _writing(path: Path, order: Order, delivery: Delivery, filler: str) -> Iterator[Add]:
    if order.format == "parquet":
        with writing_parquet(path, delivery) as add:
            yield add
        return
    line = _line(order, delivery, filler)
    with writing(path) as file:
        yield lambda example: _write(file.write, line(example))


def _line(order: Order, delivery: Delivery, filler: str) -> Callable[[Example], bytes]:
    if order.format == "chat":
        return ChatLines(delivery, order.loss).line
    if order.format == "sharegpt":
        return lambda example: encode(sharegpt.record(example, delivery, filler))
    apart = order.loss != "all"
    return lambda example: encode(trl.record(example, [delivery.address(seen) for seen in example.pictures], apart))


def _write(write: Callable[[bytes], object], line: bytes) -> None:
    write(line)


def _index_line(example: Example, number: int) -> bytes:
    return encode({"example": number, "trajectory": example.trajectory, "step": example.step, "level": example.level})


def _register(folder: Path, name: str) -> Path:
    file = folder / "dataset_info.json"
    write_file(file, msgspec.json.format(msgspec.json.encode(sharegpt.registration(name)), indent=2) + b"\n")
    return file


def _notes(order: Order) -> list[str]:
    learned = {
        "chat": "assistant turns with weight 1 are to be learned" if order.loss == "mask" else "",
        "sharegpt": "set mask_history: true in LLaMA-Factory to learn from the last turn alone",
        "trl": "TRL learns from the completion alone",
        "parquet": "TRL learns from the completion alone; the pictures are inside",
    }[order.format]
    return [learned] if learned else []
