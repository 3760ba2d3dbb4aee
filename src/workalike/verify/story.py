"""What an agent did, as a judge is told it. Everything that the task, a page or the agent wrote is fenced: a judge's
prompt holds no word of theirs outside a fence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory
from workalike.core.wording import in_words
from workalike.models.messages import Part, Text, Untrusted
from workalike.verify.findings import Finding, silent
from workalike.verify.screens import DistinctScreen

LONGEST_TEXT = 4_000
LONGEST_STORY = 60_000
SHORTEST_LINE = 60


def task_part(task: Task) -> Untrusted:
    """The task's own text, with what the user lets the agent know of them."""
    lines = [task.instruction]
    if task.start_url:
        lines.append(f"(begins at {task.start_url})")
    if task.persona:
        lines.append("(the user: " + "; ".join(f"{name} {value}" for name, value in task.persona.items()) + ")")
    return Untrusted(cut("\n".join(lines), 4 * LONGEST_TEXT), "task")


def answer_part(trajectory: Trajectory) -> Untrusted | Text:
    """What the agent said to the user last."""
    if silent(trajectory):
        return Text("(nothing was said)")
    return Untrusted(cut((trajectory.answer or "").strip(), 4 * LONGEST_TEXT), "answer of the agent")


def ending_part(trajectory: Trajectory) -> Text:
    """How it ended, by the harness's own word."""
    return Text(trajectory.stop.reason.replace("_", " ") if trajectory.stop else "not known")


def story_part(trajectory: Trajectory, thoughts: bool = True) -> Untrusted:
    """Every step, in words: where it was, what was thought and done, what came of it. Where that is too long, every
    line is shortened before any is left out: who thinks at length must not hide a step by it."""
    lines = [line for number, step in enumerate(trajectory.steps, 1) for line in step_lines(number, step, thoughts)]
    if sum(map(len, lines)) + len(lines) > LONGEST_STORY:
        lines = [cut(line, max(SHORTEST_LINE, LONGEST_STORY // len(lines) - 40)) for line in lines]
    return Untrusted(cut("\n".join(lines) or "(no step was taken)", LONGEST_STORY), "steps of the agent")


def step_lines(number: int, step: Step, thoughts: bool = True) -> list[str]:
    """One step in words; steps are counted from 1 here, as people do. What somebody wrote stays on the line of who
    wrote it, or further in: a thought cannot pass for a step."""
    lines = [f"Step {number}" + (f", at {step.observation.url}" if step.observation.url else "")]
    if thoughts and step.thought:
        lines.append(f"  thought: {cut(step.thought)}")
    for taken in step.actions:
        lines.append(f"  did: {cut(in_words(taken))}")
        if taken.error:
            lines.append(f"  failed: {cut(taken.error)}")
        if taken.result:
            lines.append(f"  came back: {cut(taken.result)}")
    if step.observation.dialog:
        lines.append(f"  a dialog stood open: {cut(step.observation.dialog.message)}")
    lines += [f"  notice: {cut(notice.text)}" for notice in step.notices]
    return [further_in(line) for line in lines]


def further_in(line: str) -> str:
    """A line whose own line breaks begin no line of ours."""
    return "\n      ".join(line.splitlines())


def screen_parts(screens: Iterable[DistinctScreen], trajectory: Trajectory) -> tuple[Part, ...]:
    """Screenshots, each with its number, when it was seen, and what the agent said and did on it."""
    parts: list[Part] = []
    for screen in screens:
        parts += [Text(f"\n\nScreenshot {screen.number}, seen {seen_at(screen)}:\n"), screen.picture]
        parts += [Text("\nWhat was said and done on it:\n"), Untrusted(_done_on(screen, trajectory), "agent and page")]
    return tuple(parts)


def seen_at(screen: DistinctScreen) -> str:
    """When a screen was seen, in words."""
    steps = [str(look.step + 1) for look in screen.looks if look.step is not None]
    final = any(look.step is None for look in screen.looks)
    told = [f"at step {', '.join(steps)}"] if steps else []
    return " and ".join([*told, *(["at the end"] if final else [])])


def findings_part(found: Sequence[Finding]) -> Untrusted | Text:
    """What programs found. Fenced, too: an error's own words come from a page."""
    if not found:
        return Text("(nothing)")
    lines = [
        f"{each.kind}{f' at step {each.step + 1}' if each.step is not None else ''}: {each.text}" for each in found
    ]
    return Untrusted(cut("\n".join(map(further_in, lines)), 2 * LONGEST_TEXT), "found by programs")


def _done_on(screen: DistinctScreen, trajectory: Trajectory) -> str:
    steps = [look.step for look in screen.looks if look.step is not None]
    lines = [line for step in steps for line in step_lines(step + 1, trajectory.steps[step])]
    last = f"(the last look, at {screen.looks[-1].observation.url or 'an unknown address'})"
    return cut("\n".join(lines) or further_in(last))


def cut(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text of bounded length: its beginning and its end, and how much is left out between."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} […{len(text) - 2 * half:,} characters left out…] {text[-half:]}"
