"""Trajectories → the files trainers read, with a manifest that says how they came about. Memory does not grow with
their number."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

import msgspec
from msgspec.structs import replace

from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Trajectory
from workalike.dataset.benchtasks import StepTasks
from workalike.dataset.delivery import Measuring, Mode, PictureDelivery
from workalike.dataset.examples import GROUNDING, Example, Recipe
from workalike.dataset.grounding import Grounding
from workalike.dataset.manifest import Inputs, Manifest, write_manifest
from workalike.dataset.messages import FamilyExamples, leaves_screen
from workalike.dataset.sources import Rejection, rows_of
from workalike.dataset.wellformed import says_nothing
from workalike.dataset.writers import sharegpt, trl
from workalike.dataset.writers.chat import ChatLines, Loss
from workalike.dataset.writers.parquet import writing_parquet
from workalike.formats.agentnetbench import BenchStep, write_folder
from workalike.models.fences import Fence
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
    """Makes examples out of a trajectory, and counts what gave none and what a reader should know of. `sized` says that
    they depend on the size of the screen."""

    left_out: Counter[str]
    told: Counter[str]
    sized: bool

    def examples(self, trajectory: Trajectory) -> Iterator[Example]: ...


class ExportConfig(msgspec.Struct, frozen=True):
    """An export as it is asked for."""

    format: Format = "chat"
    recipe: Recipe = Recipe()
    pictures: Mode = "names"
    prefix: str = ""
    loss: Loss = "mask"
    ending: str = ""


def maker(recipe: Recipe, prompts: Prompts) -> Maker:
    """Who makes the examples of a recipe."""
    return Grounding(recipe, prompts) if recipe.family == GROUNDING else FamilyExamples(recipe, prompts)


def export(
    found: Iterable[Trajectory],
    folder: Path,
    order: ExportConfig = ExportConfig(),
    source: PictureSource | None = None,
    prompts: Prompts | None = None,
    inputs: Inputs = (),
    licence: Iterable[str] = (),
    citation: Iterable[str] = (),
    unread: Collection[str] = (),
) -> Manifest:
    """Write examples of all trajectories into a folder, with an index that says where each came from. `unread` is what
    whoever reads them fills with what could not be read; it is counted when all is written."""

    def write(inside: Path) -> Manifest:
        return _export(found, inside, order, source, prompts or Prompts(), inputs, licence, citation, unread)

    return exported(folder, "examples", write)


def _export(
    found: Iterable[Trajectory],
    folder: Path,
    order: ExportConfig,
    source: PictureSource | None,
    prompts: Prompts,
    inputs: Inputs,
    licence: Iterable[str],
    citation: Iterable[str],
    unread: Collection[str],
) -> Manifest:
    mode: Mode = "inline" if order.format == "parquet" else order.pictures
    delivery = PictureDelivery(mode, folder, source, order.prefix)
    made = maker(order.recipe, prompts)
    _need_form(order, made)
    measuring = Measuring(delivery, made.sized)
    counts: Counter[str] = Counter()
    name = _NAMES[order.format] + order.ending
    with _writing(folder / name, order, delivery) as add, writing(folder / "index.jsonl") as index:
        for trajectory in found:
            counts["trajectories"] += 1
            _write_examples(made, measuring.measured(trajectory), add, index, counts)
    counts.update({reason: count for reason, count in made.told.items() if count})
    outputs = [folder / name, folder / "index.jsonl"]
    if order.format == "sharegpt":
        outputs.append(_register(folder, name))
    if delivery.copied:
        counts["pictures copied"] = len(delivery.copied)
    made.left_out.update(_unread(unread))
    settings = {**msgspec.to_builtins(order), "recipe": msgspec.to_builtins(order.recipe), **_asked_with(made)}
    notes = [*_notes(order), *measuring.notes()]
    return write_manifest(
        folder, settings, counts, made.left_out, inputs, outputs, prompts.used, licence, citation, notes
    )


def _need_form(order: ExportConfig, made: Maker) -> None:
    """Only chat messages have a place for calls."""
    calls = isinstance(made, FamilyExamples) and any(each.api for each in made.families.values())
    if calls and order.format != "chat":
        raise BadInput(
            f"the replies of {order.recipe.family} are calls, which {order.format} has no place for: choose chat"
        )


def _asked_with(made: Maker) -> dict[str, Any]:
    """The settings of the family, with which a model that learned from this is to be asked."""
    if not isinstance(made, FamilyExamples):
        return {}
    return {"asked_with": [msgspec.to_builtins(each.settings) for each in made.families.values()]}


def _unread(texts: Collection[str]) -> dict[str, int]:
    return _told_apart(texts, "could not be read")


def _told_apart(texts: Collection[str], otherwise: str) -> dict[str, int]:
    """How many trajectories were left out by reviewers, and how many for another reason."""
    rejected = sum(isinstance(text, Rejection) for text in texts)
    counts = {"rejected by a reviewer": rejected, otherwise: len(texts) - rejected}
    return {reason: count for reason, count in counts.items() if count}


def _write_examples(made: Maker, trajectory: Trajectory, add: Add, index: BinaryIO, counts: Counter[str]) -> None:
    canary = str(trajectory.task.extra.get("canary", ""))
    for plain in made.examples(trajectory):
        example = replace(plain, canary=canary) if canary else plain
        try:
            add(example)
        except Damaged:
            made.left_out["a picture is missing"] += 1
            continue
        except Placeholder as error:
            made.left_out[f"a text that speaks of {error}"] += 1
            continue
        index.write(_index_line(example, counts["examples"]))
        counts["examples"] += 1
        counts[f"level {example.level}"] += 1
        counts["pictures shown"] += len(example.pictures)


def export_rows(
    found: Iterable[Trajectory],
    folder: Path,
    inputs: Inputs = (),
    licence: Iterable[str] = (),
    citation: Iterable[str] = (),
    told: list[str] | None = None,
    settings: Mapping[str, Any] = {},
    ending: str = "",
) -> Manifest:
    """Write trajectories as AgentNet rows. `told` is filled with what could not be said, beside what whoever reads
    them could not read."""
    told = [] if told is None else told

    def write(inside: Path) -> Manifest:
        counts: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        out = inside / f"agentnet.jsonl{ending}"
        with writing(out) as file:
            for line in rows_of(fit_for_rows(found, left_out), told.append):
                file.write(line)
                counts["trajectories"] += 1
        left_out.update(_told_apart(told, "could not be read or said"))
        chosen = {"format": "agentnet", **settings}
        return write_manifest(inside, chosen, counts, left_out, inputs, [out], {}, licence, citation)

    return exported(folder, "trajectories", write)


def export_step_tasks(
    found: Iterable[Trajectory],
    folder: Path,
    source: PictureSource | None,
    inputs: Inputs = (),
    licence: Iterable[str] = (),
    citation: Iterable[str] = (),
    unread: Collection[str] = (),
) -> Manifest:
    """Write trajectories as offline step tasks into `test_data/`, one file each, with their pictures in its `images/`
    where a source has them: the published layout, so that the published programs read it, too."""
    return exported(
        folder, "tasks", lambda inside: _export_step_tasks(found, inside, source, inputs, licence, citation, unread)
    )


def _export_step_tasks(
    found: Iterable[Trajectory],
    folder: Path,
    source: PictureSource | None,
    inputs: Inputs,
    licence: Iterable[str],
    citation: Iterable[str],
    unread: Collection[str],
) -> Manifest:
    made = StepTasks()
    inner = folder / "test_data"
    counts: Counter[str] = Counter()
    delivery = PictureDelivery("names" if source is None else "copy", inner, source)
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
    made.left_out.update(_unread(unread))
    settings = {"format": "agentnetbench", "pictures": delivery.mode}
    return write_manifest(folder, settings, counts, made.left_out, inputs, written.values(), {}, licence, citation)


def fit_for_rows(found: Iterable[Trajectory], left_out: Counter[str]) -> Iterator[Trajectory]:
    """The trajectories that make a row to learn from; the others are counted by reason."""
    for trajectory in found:
        if says_nothing(trajectory.task.instruction):
            left_out["no instruction"] += 1
        elif any(map(leaves_screen, trajectory.steps)):
            left_out["a place off the screen"] += 1
        else:
            yield trajectory


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or one beside it where it is taken: published sets have ids that stand twice."""
    names = (f"{name}-{number}" for number in itertools.count(2))
    return name if name not in taken else next(other for other in names if other not in taken)


def _delivered(step: BenchStep, delivery: PictureDelivery, made: StepTasks) -> BenchStep | None:
    """The step with its picture copied and called by the copy's name, where there is a source of pictures."""
    if delivery.source is None:
        return step
    try:
        return replace(step, image=delivery.flat(ImageRef(step.image)))
    except Damaged:
        made.left_out["its picture is missing"] += 1
        return None


class _Nothing(Exception):
    """What was to be exported gave nothing."""


def exported(folder: Path, made: str, write: Callable[[Path], Manifest]) -> Manifest:
    """Export into a new folder. Where nothing is `made` (a name among the manifest's counts), no empty files are left
    in the way of the next export, and the manifest tells why."""
    try:
        with new_folder(folder) as inside:
            manifest = write(inside)
            if not manifest.counts.get(made):
                raise _Nothing
    except _Nothing:
        return replace(manifest, outputs=())
    return manifest


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
def _writing(path: Path, order: ExportConfig, delivery: PictureDelivery) -> Iterator[Add]:
    fence = Fence(f"export {order.recipe.seed}".encode())  # the codes differ from text to text, not from run to run
    if order.format == "parquet":
        with writing_parquet(path, delivery, fence) as add:
            yield add
        return
    line = _line(order, delivery, fence)
    with writing(path) as file:
        yield lambda example: _write(file.write, line(example))


def _line(order: ExportConfig, delivery: PictureDelivery, fence: Fence) -> Callable[[Example], bytes]:
    if order.format == "chat":
        return ChatLines(delivery, fence, order.loss).line
    if order.format == "sharegpt":
        return lambda example: encode(_sharegpt(example, delivery, fence))
    apart = order.loss != "all"
    return lambda example: encode(trl.record(example, list(map(delivery.address, example.pictures)), fence, apart))


class Placeholder(Exception):
    """A text holds a word that stands for a picture in this form; it cannot be told from one."""


def _sharegpt(example: Example, delivery: PictureDelivery, fence: Fence) -> dict[str, object]:
    word = sharegpt.placeholder_in(example)
    if word is not None:
        raise Placeholder(word)
    return sharegpt.record(example, delivery, fence)


def _write(write: Callable[[bytes], object], line: bytes) -> None:
    write(line)


def _index_line(example: Example, number: int) -> bytes:
    line = {"example": number, "trajectory": example.trajectory, "step": example.step, "level": example.level}
    return encode({**line, "by_rule": True} if example.by_rule else line)


def _register(folder: Path, name: str) -> Path:
    file = folder / "dataset_info.json"
    write_file(file, msgspec.json.format(msgspec.json.encode(sharegpt.registration(name)), indent=2) + b"\n")
    return file


def _notes(order: ExportConfig) -> list[str]:
    learned = {
        "chat": "assistant turns with weight 1 are to be learned" if order.loss == "mask" else "",
        "sharegpt": "set mask_history: true in LLaMA-Factory to learn from the last turn alone",
        "trl": "TRL learns from the completion alone; set max_length=None, or it cuts the pictures' tokens",
        "parquet": "TRL learns from the completion alone; the pictures are inside; set max_length=None",
    }[order.format]
    return [learned] if learned else []
