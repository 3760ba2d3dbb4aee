"""The answer's line, asked of every agent alike: one paragraph below the instruction, and one more question, in words
alone, where no line can be read in what an agent says last."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from workalike.core.actions import Action, Ask, Terminate
from workalike.core.contracts import Agent, Decision, Percept, Speaking
from workalike.core.task import Task
from workalike.core.trajectory import ASKED_AGAIN, Notice, Usage
from workalike.models.prompts import Prompts
from workalike.verify.answer import read_answer

LINE_PROMPTS = ("bench/answer_line", "bench/answer_again")
"""The words of both."""


def with_paragraph(task: Task, prompts: Prompts | None = None) -> Task:
    """The task as agents are told it. One without a form stays as it is."""
    if task.form is None:
        return task
    paragraph = (prompts or Prompts()).get(LINE_PROMPTS[0]).fill(fields=_fields(task)).strip()
    return replace(task, instruction=f"{task.instruction}\n\n{paragraph}")


class LineAgent:
    """An agent that is told of the line, and asked for it again where it ends without one. `nobody` says that no user
    answers, so that a question is an end, too."""

    def __init__(self, agent: Agent, prompts: Prompts | None = None, nobody: bool = True) -> None:
        self.name, self.wants = agent.name, agent.wants
        self._agent, self._prompts, self._nobody = agent, prompts or Prompts(), nobody
        self._task: Task | None = None

    async def begin(self, task: Task) -> None:
        self._task = task
        await self._agent.begin(with_paragraph(task, self._prompts))

    async def decide(self, percept: Percept) -> Decision:
        decision = await self._agent.decide(percept)
        if self._task is None or self._task.form is None or not self._ends(decision):
            return decision
        if read_answer(_words(decision), self._task.form) is not None or not isinstance(self._agent, Speaking):
            return decision
        again = await self._agent.say(self._question(self._task))
        return decision if again is None else _joined(decision, again)

    def hide(self, words: Mapping[str, str]) -> None:
        """Keep words out of what the agent writes down of itself, where it does."""
        hide = getattr(self._agent, "hide", None)
        if hide is not None:
            hide(words)

    async def close(self) -> None:
        await self._agent.close()

    def _ends(self, decision: Decision) -> bool:
        return any(isinstance(a, Terminate) or (self._nobody and isinstance(a, Ask)) for a in decision.actions)

    def _question(self, task: Task) -> str:
        return self._prompts.get(LINE_PROMPTS[1]).fill(fields=_fields(task)).strip()


def _fields(task: Task) -> str:
    return "; ".join(f"{field.name} = …" for field in task.form or ()) or "done"


def _words(decision: Decision) -> str:
    answers = [action.answer for action in decision.actions if isinstance(action, Terminate)]
    questions = [action.question for action in decision.actions if isinstance(action, Ask)]
    said = (decision.observation_text, decision.thought, decision.action_text, *answers, *questions)
    return "\n".join(part for part in said if part)


def _joined(decision: Decision, again: Decision) -> Decision:
    """The end with what was said when asked again, marked as that."""
    said = again.thought or again.reply or ""
    return replace(
        decision,
        actions=tuple(_with_words(action, said) for action in decision.actions),
        notices=(*decision.notices, Notice(ASKED_AGAIN, "asked once more for the answer's line, in words alone")),
        usage=(decision.usage or Usage()) + (again.usage or Usage()),
    )


def _with_words(action: Action, said: str) -> Action:
    match action:
        case Terminate(answer=answer):
            return replace(action, answer="\n".join(part for part in (answer, said) if part))
        case Ask(question=question):
            return replace(action, question=f"{question}\n{said}")
        case _:
            return action
