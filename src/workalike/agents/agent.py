"""An agent that asks a model: looks, asks, reads, asks again when it cannot read, and decides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Percept, Wants
from workalike.core.errors import AgentFailed, BadInput, Infrastructure
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Usage
from workalike.dialects.reply import ParsedReply
from workalike.families import family
from workalike.families.base import Family
from workalike.families.shots import render, sent
from workalike.families.turns import Turn
from workalike.models.interface import Model
from workalike.models.messages import Reply, Request, SampleKey, said
from workalike.models.prompts import Prompts

LONGEST_KEPT = 100_000
LONGEST_TURN = 1_000
"""How many characters of a turn's words are told again where it is asked in words."""


class ModelAgent:
    """One attempt by one model of one family. `confirm` is asked before something is done that the service warns of.
    `unreadable` counts the replies that could not be read."""

    def __init__(
        self,
        family: Family[Any],
        model: Model,
        draw: SampleKey = SampleKey(),
        confirm: Callable[[str], bool] | None = None,
    ) -> None:
        self.name, self.family, self.unreadable = family.name, family, 0
        self.wants: Wants = family.wants
        self._model, self._draw, self._confirm = model, draw, confirm
        self._task: Task | None = None
        self._turns: list[Turn] = []

    @property
    def usage(self) -> Usage:
        """All that was spent so far, on replies that led to no decision too."""
        return self._model.usage

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What it remembers."""
        return tuple(self._turns)

    async def begin(self, task: Task) -> None:
        self._task, self._turns, self.unreadable = task, [], 0

    async def decide(self, percept: Percept) -> Decision:
        if self._task is None:
            raise AgentFailed("the agent was asked to decide before it was given a task")
        turn = await self._look(percept)
        reply, usage, notices = await self._ask(self.family.request(self._task, self._turns), turn)
        turn.said = said = turn.said and self._allowed(reply, turn.said)
        self._forget()
        return Decision(
            said.actions if said else (),
            reply=raw(reply),
            observation_text=said.observation_text if said else None,
            thought=(said.thought if said else None) or reply.thinking or None,
            action_text=said.action_text if said else None,
            usage=usage,
            notices=notices,
        )

    async def say(self, question: str) -> Decision | None:
        """Answer a question in words alone: without pictures or tools, from the task and its own words so far."""
        if self._task is None:
            return None
        told = "\n".join(f"{turn.number + 1}. {words}" for turn in self._turns if (words := _in_short(turn)))
        asked = self.family.words("say", task=self.family.task(self._task), said=told or "nothing", question=question)
        request = Request((said("user", asked),), (), self.family.sampling)
        reply = await self._model.reply(request, msgspec.structs.replace(self._draw, step=len(self._turns)))
        return Decision((), reply=raw(reply), thought=reply.text or None, usage=reply.usage)

    async def recall(self, percept: Percept, decision: Decision) -> None:
        """Take a past step for its own: what was seen, and what was decided on it, in the family's words. So it can be
        asked about a step in the middle of a recording."""
        turn = await self._look(percept)
        turn.warned = False
        said = ParsedReply(decision.actions, decision.thought, decision.observation_text, decision.action_text)
        self.family.recall(turn, said)
        self._forget()

    def hide(self, words: Mapping[str, str]) -> None:
        """Keep words out of what is written down of the conversation, each with what stands in its place."""
        self._model.hide(words)

    async def close(self) -> None:
        await self._model.close()

    async def _look(self, percept: Percept) -> Turn:
        turn = self.family.look(self._turns, percept)
        if percept.picture is None:
            turn.shot = None
        if turn.shot is not None and percept.picture is not None:
            # Scaling and encoding take tens of milliseconds, in which other attempts can go on.
            try:
                turn.picture = await asyncio.to_thread(render, turn.shot, percept.picture)
            except BadInput as error:
                raise Infrastructure(f"the screenshot cannot be read: {error}") from error
        self._turns.append(turn)
        return turn

    async def _ask(self, request: Request, turn: Turn) -> tuple[Reply, Usage, tuple[Notice, ...]]:
        """The model's reply, with as many corrections as are allowed where it cannot be read. A reply that stays
        unreadable costs a step and nothing more."""
        usage, notices = Usage(), [Notice("loop", "the model was told that it goes round in circles")] * turn.warned
        draw = msgspec.structs.replace(self._draw, step=turn.number)
        for number in range(self.family.settings.corrections + 1):
            messages = sent(request.messages + turn.corrected, self._turns)
            reply = await self._model.reply(msgspec.structs.replace(request, messages=messages), draw.again(number))
            usage = usage + reply.usage
            notices += self._warnings(reply)
            reason = self.family.hear(turn, reply, again=number < self.family.settings.corrections)
            if reason is None:
                break
            self.unreadable += 1
            notices.append(Notice("unreadable", reason))
        return reply, usage, tuple(notices)

    def _allowed(self, reply: Reply, said: ParsedReply) -> ParsedReply:
        """What was read, or the end where the service warns of it and nobody says yes."""
        warnings = self.family.warnings(reply)
        if not warnings or (self._confirm is None and self.family.waves_through):
            return said
        told = f"The service warns of the next step: {' '.join(warnings)}"
        if self._confirm is not None and self._confirm(told):
            return said
        return msgspec.structs.replace(said, actions=(Terminate("failure", f"{told} It was not allowed."),))

    def _warnings(self, reply: Reply) -> list[Notice]:
        checks = [check for call in reply.calls for check in call.checks]
        return [Notice("safety_check", f"{check.code or check.id}: {check.message or ''}".strip()) for check in checks]

    def _forget(self) -> None:
        """Let go of pictures that will not be shown again."""
        for turn in self._turns[: self.family.first_shown(self._turns)]:
            turn.picture = None


def _in_short(turn: Turn) -> str:
    """What was said on a turn, in one line."""
    return " ".join((turn.reply.text if turn.reply else "").split())[:LONGEST_TURN]


def raw(reply: Reply) -> str:
    """A reply as it is kept with its step: the words, then the calls as JSON. The whole of a very long one is in the
    transcript."""
    calls = [msgspec.json.encode({"name": call.name, "arguments": call.arguments}).decode() for call in reply.calls]
    text = "\n".join([*([reply.text] if reply.text else []), *calls])
    if len(text) <= LONGEST_KEPT:
        return text
    return f"{text[:LONGEST_KEPT]}… ({len(text):,} characters in all)"


def model_agent(
    name: str,
    model: Model,
    options: Mapping[str, Any] | None = None,
    prompts: Prompts | None = None,
    draw: SampleKey = SampleKey(),
    confirm: Callable[[str], bool] | None = None,
) -> ModelAgent:
    """An agent of a family, for one attempt."""
    return ModelAgent(family(name, options, prompts), model, draw, confirm)
