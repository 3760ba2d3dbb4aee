"""An agent that asks a model: looks, asks, reads, asks again when it cannot read, and decides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from workalike.agents.family import Family
from workalike.agents.loops import newly_looping
from workalike.agents.turns import Turn
from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Sight, Wants
from workalike.core.errors import AgentFailed, BadInput, DialectError, Infrastructure
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Usage
from workalike.dialects.reply import Reply as Said
from workalike.models.interface import Model
from workalike.models.messages import Draw, Reply, Request

LONGEST_KEPT = 100_000


class ModelAgent:
    """One attempt by one model of one family. `confirm` is asked before something is done that the service warns of.
    `unreadable` counts the replies that could not be read."""

    def __init__(
        self, family: Family[Any], model: Model, draw: Draw = Draw(), confirm: Callable[[str], bool] | None = None
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

    async def decide(self, sight: Sight) -> Decision:
        if self._task is None:
            raise AgentFailed("the agent was asked to decide before it was given a task")
        turn = await self._look(sight)
        reply, said, usage, notices = await self._ask(self.family.request(self._task, self._turns), turn)
        said = said and self._allowed(reply, said)
        turn.reply, turn.said = reply, said
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

    async def recall(self, sight: Sight, decision: Decision) -> None:
        """Take a past step for its own: what was seen, and what was decided on it, in the family's words. So it can be
        asked about a step in the middle of a recording."""
        turn = await self._look(sight)
        turn.warned = False
        turn.said = Said(decision.actions, decision.thought, decision.observation_text, decision.action_text)
        turn.reply = self.family.in_own_words(turn.said, turn)
        self._forget()

    async def close(self) -> None:
        await self._model.close()

    async def _look(self, sight: Sight) -> Turn:
        # Scaling and encoding take tens of milliseconds, in which other attempts can go on.
        try:
            shot = await asyncio.to_thread(self.family.shot, sight)
        except BadInput as error:
            raise Infrastructure(f"the screenshot cannot be read: {error}") from error
        turn = Turn(len(self._turns), msgspec.structs.replace(sight, picture=None), shot)
        turn.warned = self.family.manner.loops and newly_looping(self._turns)
        self._turns.append(turn)
        return turn

    async def _ask(self, request: Request, turn: Turn) -> tuple[Reply, Said | None, Usage, tuple[Notice, ...]]:
        """The model's reply, and what could be read from it after as many corrections as are allowed. A reply that
        stays unreadable costs a step and nothing more."""
        usage, notices = Usage(), [Notice("loop", "the model was told that it goes round in circles")] * turn.warned
        draw, asked = msgspec.structs.replace(self._draw, step=turn.number), request.messages
        for number in range(self.family.manner.corrections + 1):
            reply = await self._model.reply(request, draw.again(number))
            usage = usage + reply.usage
            notices += self._warnings(reply)
            try:
                return reply, self._read(reply, turn), usage, tuple(notices)
            except DialectError as error:
                self.unreadable += 1
                reason = f"it was cut off at its longest ({error})" if reply.ending == "length" else str(error)
                notices.append(Notice("unreadable", reason))
                if number < self.family.manner.corrections:
                    turn.corrected += self.family.correction(reply, reason, turn)
                    request = msgspec.structs.replace(request, messages=asked + turn.corrected)
        return reply, None, usage, tuple(notices)

    def _read(self, reply: Reply, turn: Turn) -> Said:
        """A service's own refusal is an end, not a mistake in writing."""
        if reply.ending == "refused" and not reply.calls:
            return Said((Terminate("failure", reply.text or "The model's service refused to answer."),))
        return self.family.read(reply, turn)

    def _allowed(self, reply: Reply, said: Said) -> Said:
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
        """Let go of screenshots that will not be shown again."""
        for turn in self._turns[: self.family.first_shown(self._turns)]:
            turn.shot = None


def raw(reply: Reply) -> str:
    """A reply as it is kept with its step: the words, then the calls as JSON. The whole of a very long one is in the
    transcript."""
    calls = [msgspec.json.encode({"name": call.name, "arguments": call.arguments}).decode() for call in reply.calls]
    text = "\n".join([*([reply.text] if reply.text else []), *calls])
    if len(text) <= LONGEST_KEPT:
        return text
    return f"{text[:LONGEST_KEPT]}… ({len(text):,} characters in all)"
