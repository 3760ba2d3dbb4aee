"""AgentNetBench: one JSON file a task, each step with its screenshot, true actions, hit boxes and alternatives.

Reading is lenient and says what it left out: a defect costs the action, option or step it is in, never the file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from workalike.core.errors import BadInput
from workalike.store.files import write_file

Number = int | float
PLACED = frozenset({"click", "doubleclick", "rightclick", "tripleclick", "middleclick", "moveto", "dragto"})


class TrueBox(msgspec.Struct, frozen=True, omit_defaults=True):
    """A box of fractions within which a place counts: left, top, width, height."""

    rel_bbox: tuple[float, float, float, float]


class TrueMetadata(msgspec.Struct, frozen=True, omit_defaults=True):
    bboxes: tuple[TrueBox, ...] = ()


class TrueAction(msgspec.Struct, frozen=True, omit_defaults=True):
    """One action that counts as right. `params` is as published: position{x,y}, text or content, keys, amount,
    status."""

    type: str
    params: dict[str, Any] = {}
    metadata: TrueMetadata | None = None


class Monologue(msgspec.Struct, frozen=True, omit_defaults=True):
    observation: str | None = None
    thought: str | None = None
    low_level_instruction: str | None = None


class BenchStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A screenshot and what should be done on it: the true actions, or any of the alternatives. `place` is where the
    step stands in its file's list, which is another number than its own."""

    step_num: int
    image: str
    ground_truth_actions: tuple[TrueAction, ...]
    action: str | None = None
    milestone: bool = False
    inner_monologue: Monologue | None = None
    alternative_options: tuple[tuple[TrueAction, ...], ...] = ()
    place: int | None = None


class BenchTask(msgspec.Struct, frozen=True, omit_defaults=True):
    task_id: str
    steps: tuple[BenchStep, ...]
    high_level_task_description: str = ""
    user_task_description: str = ""
    meta_info: Any = None

    @property
    def instruction(self) -> str:
        return self.high_level_task_description or self.user_task_description


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something wrong in a task's file: where, what, and what was done about it."""

    file: str
    text: str
    step_num: int | None = None


def read_folder(folder: Path) -> tuple[tuple[BenchTask, ...], tuple[Fault, ...]]:
    """Every task of a folder (or of a single file) in the order of their names, and what was wrong with them."""
    files = [folder] if folder.is_file() else sorted(folder.glob("*.json"))
    if not folder.exists():
        raise BadInput(f"there is no {folder}; name the folder that holds the task files (*.json)")
    if not files:
        raise BadInput(f"there are no task files (*.json) in {folder}; name the folder that holds them")
    tasks: list[BenchTask] = []
    faults: list[Fault] = []
    seen: dict[str, str] = {}
    for file in files:
        task, wrong = read_task(file)
        faults += wrong
        if task is None:
            continue
        if task.task_id in seen:
            faults.append(
                Fault(file.name, f"the task {task.task_id} stands in {seen[task.task_id]} too; left out here")
            )
            continue
        seen[task.task_id] = file.name
        tasks.append(task)
    if not tasks:
        raise BadInput(f"none of the {len(files)} files in {folder} is a task: {faults[0].text}")
    return tuple(tasks), tuple(faults)


def read_task(file: Path) -> tuple[BenchTask | None, list[Fault]]:
    """One task, and what was wrong with its file; no task where nothing of it can be used."""
    faults: list[Fault] = []
    try:
        document = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return None, [Fault(file.name, f"not JSON ({error}); the file is left out")]
    if not isinstance(document, dict) or not isinstance(document.get("steps"), list):
        return None, [Fault(file.name, "no task: it has no list of steps; the file is left out")]
    task_id = document.get("task_id")
    if not isinstance(task_id, str) or not task_id:
        faults.append(Fault(file.name, "it has no task_id; the file's name serves as one"))
        task_id = file.stem
    steps = [step for place, raw in enumerate(document["steps"]) if (step := _step(raw, place, file.name, faults))]
    task = BenchTask(
        task_id,
        _unique(steps, file.name, faults),
        _text(document.get("high_level_task_description")) or "",
        _text(document.get("user_task_description")) or "",
        document.get("meta_info"),
    )
    return task, faults


def write_folder(tasks: Iterable[BenchTask], folder: Path) -> list[Path]:
    """One file a task; the pictures are the caller's to put into `images/`."""
    written = []
    for task in tasks:
        file = folder / f"{task.task_id}.json"
        write_file(file, msgspec.json.format(msgspec.json.encode(task), indent=2) + b"\n")
        written.append(file)
    return written


def _unique(steps: list[BenchStep], file: str, faults: list[Fault]) -> tuple[BenchStep, ...]:
    kept: dict[int, BenchStep] = {}
    for step in steps:
        if step.step_num in kept:
            faults.append(Fault(file, f"step {step.step_num} stands twice; the first counts", step.step_num))
        kept.setdefault(step.step_num, step)
    return tuple(kept.values())


def _step(raw: Any, place: int, file: str, faults: list[Fault]) -> BenchStep | None:
    if not isinstance(raw, dict):
        faults.append(Fault(file, f"entry {place} of its steps is no object; left out"))
        return None
    number = raw.get("step_num")
    if not isinstance(number, int) or isinstance(number, bool):
        faults.append(Fault(file, f"entry {place} of its steps has no step_num; {place} serves as one", place))
        number = place
    truth = _option(raw.get("ground_truth_actions"), "the true actions", number, file, faults)
    options = raw.get("alternative_options")
    read = [
        _option(option, f"alternative {index + 1}", number, file, faults)
        for index, option in enumerate(options if isinstance(options, list) else [])
    ]
    if truth is None:
        faults.append(Fault(file, "without true actions the step cannot be scored; left out", number))
        return None
    return BenchStep(
        number,
        _text(raw.get("image")) or "",
        truth,
        _text(raw.get("action")),
        raw.get("milestone") is True,
        _monologue(raw.get("inner_monologue")),
        tuple(option for option in read if option),
        place,
    )


def _option(raw: Any, what: str, number: int, file: str, faults: list[Fault]) -> tuple[TrueAction, ...] | None:
    """The actions of one way to do a step; None when one of them cannot be used."""
    if not isinstance(raw, list) or not raw:
        faults.append(Fault(file, f"{what} are missing or empty", number))
        return None
    actions = []
    for entry in raw:
        action = _action(entry, what, number, file, faults)
        if action is None:
            return None
        actions.append(action)
    return tuple(actions)


def _action(raw: Any, what: str, number: int, file: str, faults: list[Fault]) -> TrueAction | None:
    kind = raw.get("type") if isinstance(raw, dict) else None
    params = raw.get("params", {}) if isinstance(raw, dict) else None
    if not isinstance(kind, str) or not kind or not isinstance(params, dict):
        faults.append(Fault(file, f"{what}: an action without a type or with unreadable params", number))
        return None
    wrong = _wrong_params(kind.lower(), params)
    if wrong:
        faults.append(Fault(file, f"{what}: {kind} {wrong}", number))
        return None
    metadata = raw.get("metadata")
    boxes = metadata.get("bboxes") if isinstance(metadata, dict) else None
    read = [_box(box, what, number, file, faults) for box in (boxes if isinstance(boxes, list) else [])]
    kept = TrueMetadata(tuple(box for box in read if box)) if isinstance(metadata, dict) else None
    return TrueAction(kind, params, kept)


def _wrong_params(kind: str, params: dict[str, Any]) -> str | None:
    """What keeps an action from being scored, or None."""
    if kind.replace("_", "") in PLACED and place_of(params) is None:
        return "has no position with numbers x and y"
    if kind == "write" and not isinstance(params.get("content") or params.get("text", ""), str):
        return "has no text"
    if kind == "write" and "content" not in params and "text" not in params:
        return "has no text"
    if kind in ("press", "hotkey") and not _are_keys(params.get("keys")):
        return "has no keys"
    if kind == "terminate" and not isinstance(params.get("status"), str):
        return "has no status"
    amount = params.get("amount", params.get("pixels"))
    if kind in ("scroll", "hscroll") and isinstance(amount, Number) and abs(amount) > sys.float_info.max:
        return "has an amount that no arithmetic can take"
    return None


def place_of(params: dict[str, Any]) -> tuple[Number, Number] | None:
    """The place of a true action, x and y, where it has one."""
    position = params.get("position")
    x, y = (position.get("x"), position.get("y")) if isinstance(position, dict) else (None, None)
    return (x, y) if _is_number(x) and _is_number(y) else None


def _are_keys(keys: Any) -> bool:
    return isinstance(keys, str) or (isinstance(keys, list) and all(isinstance(key, str) for key in keys))


def _box(raw: Any, what: str, number: int, file: str, faults: list[Fault]) -> TrueBox | None:
    corners = raw.get("rel_bbox") if isinstance(raw, dict) else None
    if isinstance(corners, list) and len(corners) >= 4 and all(_is_number(value) for value in corners[:4]):
        x, y, width, height = map(float, corners[:4])
        return TrueBox((x, y, width, height))
    faults.append(Fault(file, f"{what}: a box without four numbers in rel_bbox; the box is left out", number))
    return None


def _is_number(value: Any) -> TypeGuard[Number]:
    """Whether it is a number that a place can be: a whole one may be too long for any arithmetic."""
    return isinstance(value, Number) and not isinstance(value, bool) and abs(value) < sys.float_info.max


def _monologue(raw: Any) -> Monologue | None:
    if not isinstance(raw, dict):
        return None
    return Monologue(*(_text(raw.get(name)) for name in ("observation", "thought", "low_level_instruction")))


def _text(raw: Any) -> str | None:
    return raw if isinstance(raw, str) else None
