"""A model of the three roles that follows a script: it answers in the expected form from the words it is shown, behind
a real server. For trying the whole way with no key, for tests, and as the judge that any other should beat.

It judges by one rule: what changed nothing on the screen was not needed, unless it ends the task; all else was
right."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from workalike.annotate.annotator import Role
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Request, Text
from workalike.models.names import SCRIPTED
from workalike.models.server.app import application
from workalike.models.server.counting import Books
from workalike.runtime.serving import serving_apart

FENCED = re.compile(
    r"<<<(?P<label>[\w ]+?) (?P<code>[0-9a-f]+): [^\n]*>>>\n(?P<words>.*?)\n<<<end (?P=code)>>>", re.DOTALL
)
_NUMBER = re.compile(r"(?:observation, the thought and the action of|Judge|to be expected of) step (\d+)")
_PLACE = re.compile(r"\(?x=[\d.]+, y=[\d.]+\)?,?")


class ScriptedQuestion(msgspec.Struct, frozen=True):
    """A question as the one who answers sees it."""

    role: Role
    number: int
    said: dict[str, str]
    text: str


def read_question(request: Request) -> ScriptedQuestion:
    """Who is asked, about which step, and what stood within the fences."""
    text = "".join(message.text for message in request.messages if message.role == "user")
    system = "".join(message.text for message in request.messages if message.role == "system")
    role: Role = "reflector" if "You judge one step" in system else "generator"
    role = "summarizer" if "You sum up" in system else "valuer" if "You say what is to be expected" in system else role
    found = _NUMBER.search(text)
    said = {match["label"]: match["words"] for match in FENCED.finditer(text)}
    return ScriptedQuestion(role, int(found[1]) if found else 0, said, text)


class ScriptedAnnotator:
    """Answers like a patient annotator with little to say. `latency` is how many seconds it takes its time."""

    def __init__(self, latency: float = 0.0) -> None:
        self._latency = latency

    async def __call__(self, asked: Asked) -> Reply:
        if self._latency:
            await asyncio.sleep(self._latency)
        return Reply((Text(msgspec.json.encode(self.answer(read_question(asked.request))).decode()),))

    def answer(self, question: ScriptedQuestion) -> dict[str, object]:
        match question.role:
            case "generator":
                return _generated(question)
            case "valuer":
                return {"reason": "It leads on from here.", "value": 7}
            case "reflector":
                return _reflected(question)
            case _:
                return _summarized(question)


@contextmanager
def scripted_model(latency: float = 0.0, books: Books | None = None) -> Iterator[str]:
    """The scripted model behind a server on loopback; its name, as `--model` takes it."""
    with serving_apart(application(ScriptedAnnotator(latency), books, SCRIPTED)) as address:
        yield f"{SCRIPTED}@{address}/v1"


def _generated(question: ScriptedQuestion) -> dict[str, object]:
    done, goal = _in_words(question.said), _short(question.said.get("task", ""))
    screen = question.said.get("screen", "(nothing)")
    title = next((line.partition(": ")[2] for line in screen.splitlines() if line.startswith(("title", "window"))), "")
    seen = f"{title!r} is in front." if title else "A window is in front."
    return {
        "observation": f"{seen} Step {question.number} begins here, and what is needed next is in view.",
        "thought": f"I want this: {goal}. So far {question.number - 1} steps are done. The next one is to "
        f"{done[0].lower()}{done[1:]}, after which the screen should show that it worked.",
        "action": f"{done}.",
    }


def _reflected(question: ScriptedQuestion) -> dict[str, object]:
    ends = "terminate(" in question.said.get("code", "")
    idle = "nothing visible changed" in question.text and not ends
    found = "The screen is as it was before" if idle else "The screen changed in answer to what was done"
    return {
        "correct": True,
        "redundant": idle,
        "reflection": f"{found}. {'The step could have been left out.' if idle else 'That is what was meant.'}",
    }


def _summarized(question: ScriptedQuestion) -> dict[str, object]:
    steps = question.said.get("steps", "").splitlines()
    counted = [line for line in steps if re.match(r"\d+\. ", line)]
    needless = sum(line.endswith("[not needed]") for line in counted)
    done = "as a success" in question.said.get("ending", "")
    goal = _short(question.said.get("task", ""))
    return {
        "natural_language_task": goal,
        "actual_task": f"{goal} ({len(counted)} steps)",
        "task_completed": done,
        "alignment_score": 9 if done else 3,
        "efficiency_score": max(0, 10 - needless),
        "task_difficulty": min(10, 1 + len(counted) // 5),
        "reason": f"{len(counted)} steps were told, {needless} of them were not needed.",
    }


def _in_words(said: dict[str, str]) -> str:
    """What the code does, as far as its names tell, with what was acted on."""
    code = said.get("code", "")
    target = next((line for line in said.get("screen", "").splitlines() if line.startswith("acted on: ")), "")
    on = target.removeprefix("acted on: ") or "the place that matters"
    typed = re.search(r"message='((?:[^'\\]|\\.)*)'", code)
    keys = re.search(r"keys=\[([^\]]*)\]", code)
    if typed:
        return f'Type "{typed[1]}" into {on}'
    if keys:
        return f"Press {keys[1].replace(chr(39), '')}"
    for word, told in _VERBS.items():
        if word in code:
            return told.format(on=on)
    return _short(_PLACE.sub("", code)) or "Go on"


_VERBS = {
    "tripleClick": "Triple-click {on}",
    "doubleClick": "Double-click {on}",
    "rightClick": "Right-click {on}",
    "middleClick": "Middle-click {on}",
    "dragTo": "Drag {on} to where it belongs",
    "click": "Click {on}",
    "hscroll": "Scroll sideways on {on}",
    "scroll(-": "Scroll down on {on}",
    "scroll": "Scroll up on {on}",
    "moveTo": "Move the pointer to {on}",
    "terminate": "End the task, which is done",
    "wait": "Wait for a moment",
}


def _short(text: str) -> str:
    plain = " ".join(text.split()).rstrip(".")
    return plain if len(plain) <= 200 else plain[:199] + "…"
