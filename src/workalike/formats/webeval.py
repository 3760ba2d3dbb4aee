"""The run layout of webeval, WebTailBench's harness, read and written: `traj/TASK/` with `web_surfer.log`,
`TASK_final_answer.json`, `screenshotN.png`, `times.json`, `task_data.json`, `scores/EVAL.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.actions import Action, Opaque
from workalike.core.errors import BadInput, DialectError
from workalike.core.key import Key
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.core.verdict import Verdict
from workalike.core.wording import in_words
from workalike.dialects import fara
from workalike.dialects.fara import FARA_7B
from workalike.dialects.gestures import scrolls_in
from workalike.formats import webtailbench
from workalike.formats.imported import ImportedAttempt, ended, file_picture, seen
from workalike.pictures.codec import decode, encode, stated_size
from workalike.store.files import make_folder, write_file
from workalike.store.names import safe_name
from workalike.store.pictures import PictureSource

LOG, TIMES, DATA, SCORES, NO_ANSWER = "web_surfer.log", "times.json", "task_data.json", "scores", "<no_answer>"
PASS = 0.8
_SHOT = re.compile(r"screenshot_?(\d+)\.(?:png|jpe?g)")
_SPOKEN = re.compile(r"Thought #\d+:\s*(.*?)\nAction #\d+:.*?with arguments\s+(\{.*\})", re.DOTALL)
_QUESTIONS = ("question", "ques", "task_summary", "confirmed_task", "task", "instruction")


class _Logged(msgspec.Struct, frozen=True):
    """One action of the log."""

    arguments: dict[str, Any]
    url: str = ""
    time: str = ""


def read(path: Path) -> Iterator[ImportedAttempt]:
    """Every attempt below a folder: one for each `web_surfer.log`."""
    logs = sorted(path.rglob(LOG)) if path.is_dir() else []
    if not logs:
        raise BadInput(f"{path} holds no {LOG}: name the folder of a webeval run, or one of its traj/TASK folders")
    return (_attempt(log.parent) for log in logs)


def _attempt(folder: Path) -> ImportedAttempt:
    answer = _json(next(iter(sorted(folder.glob("*_answer.json"))), None))
    data = _json(folder / DATA)
    shots = _shots(folder, answer)
    steps = list(log_steps((folder / LOG).read_text("utf-8", "replace"), shots, _size(folder, shots), folder / LOG))
    last = seen(shots[-1] if shots else None, steps[-1].observation.url if steps else None)
    said = str(answer.get("final_answer") or "")
    aborted = bool(answer.get("is_aborted"))
    task = _task(folder, data)
    return ImportedAttempt(
        task,
        ended(steps, None if said in ("", NO_ANSWER) else said, last),
        Stop("agent_error", "aborted") if aborted else Stop("terminated" if said else "out_of_steps"),
        file_picture(folder),
        last if len(shots) > len(steps) else None,
        _key(data, task.id),
        verdicts=tuple(_scores(folder / SCORES)),
        extra={"token_usage": answer.get("token_usage") or {}, "times": _json(folder / TIMES)},
    )


def _task(folder: Path, data: dict[str, Any]) -> Task:
    instruction = next((str(data[name]) for name in _QUESTIONS if data.get(name)), "")
    if not instruction:
        raise BadInput(f"{folder / DATA} says nothing of the task: one of {', '.join(_QUESTIONS)} is expected")
    id = str(data.get("id") or data.get("task_id") or folder.name)
    category = webtailbench.SEGMENTS.get(str(data.get("category") or data.get("benchmark") or ""))
    start = data.get("url") or data.get("web")
    return Task(id, instruction.strip(), category, "webeval", str(start) if start else None)


def _key(data: dict[str, Any], id: str) -> Key | None:
    rubric = webtailbench.read_rubric(data.get("precomputed_rubric"), Path(DATA), 1)
    return Key(id, rubric=rubric) if rubric else None


def log_steps(log: str, shots: Sequence[str], size: Size = fara.VIEWPORT, path: Path = Path(LOG)) -> Iterator[Step]:
    """The steps of a log, each on the screenshot of its number."""
    for index, logged in enumerate(_log(log, path)):
        yield _step(logged, shots[index] if index < len(shots) else None, size)


def _log(text: str, path: Path) -> Iterator[_Logged]:
    """The actions of a log: events that carry one, or the words that older ones say it in."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}, line {number} is not JSON: {error}") from error
        if not isinstance(event, dict):
            continue
        arguments = event.get("arguments")
        if event.get("action") and isinstance(arguments, dict):
            named = {"action": event["action"], **arguments}
            yield _Logged(named, str(event.get("url") or ""), str(event.get("timestamp") or ""))
        elif spoken := _SPOKEN.search(str(event.get("message") or "")):
            try:
                said = json.loads(spoken[2])
            except ValueError:
                said = {"action": spoken[2]}
            yield _Logged({**said, "thoughts": spoken[1]}, str(event.get("url") or ""))


def _step(logged: _Logged, shot: str | None, size: Size) -> Step:
    arguments = {name: value for name, value in logged.arguments.items() if name != "thoughts"}
    thought = str(logged.arguments.get("thoughts") or "") or None
    taken = tuple(ActionResult(action) for action in _actions(arguments, size))
    return Step(seen(shot, logged.url), taken, thought=thought)


def _actions(arguments: dict[str, Any], size: Size) -> tuple[Action, ...]:
    """What was done, in our words; what has none is kept as it was written."""
    arguments = {**arguments, "action": _RENAMED.get(str(arguments.get("action")), arguments.get("action"))}
    call = json.dumps({"name": "computer_use", "arguments": arguments})
    try:
        return fara.parse(f"<tool_call>{call}</tool_call>", size)
    except DialectError as error:
        return (Opaque(json.dumps(arguments, ensure_ascii=False), str(error)),)


_RENAMED = {"stop_execution": "terminate", "stop_and_answer_question": "terminate"}


def _shots(folder: Path, answer: dict[str, Any]) -> list[str]:
    """The screenshots in order: those the answer names, or those that lie there."""
    named = [Path(str(name)).name for name in answer.get("screenshots") or []]
    there = [name for name in named if (folder / name).is_file()]
    found = {int(match[1]): path.name for path in folder.iterdir() if (match := _SHOT.fullmatch(path.name))}
    return there or [found[number] for number in sorted(found)]


def _size(folder: Path, shots: list[str]) -> Size:
    return stated_size((folder / shots[0]).read_bytes()) if shots else fara.VIEWPORT


def _scores(folder: Path) -> Iterator[Verdict]:
    """What the harness's own judges said, as verdicts of theirs."""
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        told = _json(path)
        score = told.get("score")
        if isinstance(score, int | float) and 0 <= score <= 1:
            reason = str(told.get("gpt_response_text") or "")[:4000]
            yield Verdict("", f"webeval-{path.stem}", "success" if score >= PASS else "failure", reason, float(score))


def _json(path: Path | None) -> dict[str, Any]:
    if path is None or not path.is_file():
        return {}
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise BadInput(f"{path} is not valid JSON: {error}") from error
    return value if isinstance(value, dict) else {}


def write(out: Path, trajectory: Trajectory, pictures: PictureSource, verdicts: dict[str, Verdict]) -> Path:
    """One attempt as webeval lays it out, in a folder of its own below `out`; its path."""
    folder = out / "traj" / _folder_name(trajectory.task.id)
    if folder.exists():
        raise BadInput(f"{folder} exists already; choose a new folder to export into")
    make_folder(folder)
    names = [_write_picture(folder, number, pictures.read(ref)) for number, ref in enumerate(trajectory.pictures)]
    lines = [line for step in trajectory.steps for line in _events(step)]
    write_file(folder / LOG, "".join(f"{line}\n" for line in lines).encode())
    _write_json(folder / f"{folder.name}_final_answer.json", _final(trajectory, names))
    looks = [step.observation.time for step in trajectory.steps if step.observation.time is not None]
    seconds = max(looks, default=0.0)
    _write_json(folder / TIMES, {"start_time": 0.0, "end_time": seconds, "duration": seconds})
    _write_json(folder / DATA, _data(trajectory.task))
    for name, verdict in verdicts.items():
        if verdict.success is not None:
            score = float(verdict.success) if verdict.process is None else verdict.process
            told = {"score": score, "gpt_response_text": f"{verdict.outcome}: {verdict.reason}"}
            _write_json(folder / SCORES / f"{name}.json", told)
    return folder


def _folder_name(id: str) -> str:
    return id if re.fullmatch(r"[\w.-]{1,100}", id) and id not in (".", "..") else safe_name(id)


def _final(trajectory: Trajectory, names: list[str]) -> dict[str, Any]:
    usage = trajectory.usage
    tokens = {"agent": {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}}
    ended_well = trajectory.stop is not None and trajectory.stop.reason in ("terminated", "asked", "stopped_by_policy")
    return {
        "final_answer": trajectory.answer or NO_ANSWER,
        "env_state_json": NO_ANSWER,
        "env_state_raw": NO_ANSWER,
        "screenshots": names,
        "is_aborted": not ended_well,
        "is_rel_paths": True,
        "token_usage": tokens,
    }


def _data(task: Task) -> dict[str, Any]:
    return {"id": task.id, "question": task.instruction, "url": task.start_url or "", "category": task.category or ""}


def _events(step: Step) -> Iterator[str]:
    """A line for every call that a step is in the words of Fara; what has no such words is said plainly."""
    size = step.observation.size or fara.VIEWPORT
    for number, arguments in enumerate(_calls(step, size)):
        told = {**arguments, "thoughts": (step.thought or "") if number == 0 else ""}
        event = {
            "timestamp": "",
            "type": "WebSurferEvent",
            "source": "WebSurfer",
            "message": step.action_text or "",
            "url": step.observation.url or "",
            "action": arguments["action"],
            "arguments": told,
        }
        yield json.dumps(event, ensure_ascii=False)


def _calls(step: Step, size: Size) -> list[dict[str, Any]]:
    actions = tuple(taken.action for taken in step.actions)
    try:
        text = fara.format(scrolls_in("pixels", actions), size, FARA_7B)
    except DialectError:
        return [{"action": "other", "text": " ".join(in_words(taken) for taken in step.actions)}]
    calls = re.findall(r"<tool_call>\s*(.*?)\s*</tool_call>", text, re.DOTALL)
    return [json.loads(call)["arguments"] for call in calls]


def _write_picture(folder: Path, number: int, data: bytes) -> str:
    name = f"screenshot{number}.png"
    write_file(folder / name, data if data.startswith(b"\x89PNG") else encode(decode(data)))
    return name


def _write_json(path: Path, value: dict[str, Any]) -> None:
    make_folder(path.parent)
    write_file(path, json.dumps(value, ensure_ascii=False, indent=2).encode())
