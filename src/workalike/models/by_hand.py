"""A person as the model: a question appears in a folder, the reply is awaited there. Just another client.

Whoever opens models (a run, an attempt, a judge) opens this one as any other, as `by-hand`; `questions` says how a
question lies on disk, `pages_by_hand` how it reads. It takes as long as it takes, and costs nothing."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from workalike.core.errors import Unreadable
from workalike.core.trajectory import Usage
from workalike.models.calls_by_hand import read_reply
from workalike.models.keys import Keys
from workalike.models.messages import Reply, Request, SampleKey, Sampling, by_reference, said
from workalike.models.names import Api, Endpoint
from workalike.models.pages_by_hand import page
from workalike.models.prompts import Prompts
from workalike.models.questions import Question, Questions
from workalike.models.striking import Striker
from workalike.models.transcript import Got, Transcript

BY_HAND = "by-hand"
"""What a person is called where a model is named."""
QUESTIONS = "questions"
"""The folder for the questions, beside whatever else is written."""


class ManualModels:
    """Opens a person as the model, whatever the API. `tell` hears of every question that waits:

    async with ManualModels(Path("questions"), tell=print) as models:
        model = models.open(BY_HAND, topic="shopping-1/1.1")
    """

    def __init__(
        self,
        folder: Path,
        *,
        prompts: Prompts | None = None,
        keys: Keys | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.usage, self.keys, self.prompts = Usage(), keys or Keys.load(), prompts or Prompts()
        self.tell = tell or (lambda sentence: None)
        self._questions, self._waiting = Questions(folder), 0

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
        topic: str = "",
    ) -> ManualModel:
        written = Transcript(transcript, self.keys) if transcript else None
        return ManualModel(self, Endpoint(spec, spec, api or "chat", "", ""), topic, written)

    async def ask(self, request: Request, topic: str, draw: SampleKey) -> tuple[Question, bytes]:
        """Put a question and wait for its reply."""
        question = self._questions.begin(topic, _name(draw))
        shown = page(_title(topic, draw), request, self.prompts)
        question.ask(self.keys.redact(shown.text), shown.pictures)
        self._waiting += 1
        others = f" ({self._waiting} wait)" if self._waiting > 1 else ""
        self.tell(f"a question waits for its reply{others}: {question.page}")
        try:
            return question, await question.reply(self.tell)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        self._questions.close()

    async def __aenter__(self) -> ManualModels:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class ManualModel:
    """A person in one conversation, which is about its `topic`."""

    def __init__(self, models: ManualModels, endpoint: Endpoint, topic: str, transcript: Transcript | None) -> None:
        self.name, self.usage = endpoint.spec, Usage()
        self._models, self._endpoint, self._topic, self._transcript = models, endpoint, topic, transcript
        self._asked: list[Question] = []
        self._words: dict[str, str] = {}
        self._hidden = Striker({})

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        """The person's reply. One that is in no form to be read is asked for again, in a question of its own."""
        started = time.monotonic()
        while True:
            question, data = await self._models.ask(self._hidden.value(request), self._topic, draw)
            self._asked.append(question)
            text = self._models.keys.strike(data.decode("utf-8-sig", "replace")).strip()
            try:
                reply = read_reply(text, request, question.folder.name)
                break
            except Unreadable as error:
                request = self._corrected(request, text, str(error))
        self._write(request, draw, reply, time.monotonic() - started)
        return reply

    def hide(self, words: Mapping[str, str]) -> None:
        self._words |= words
        self._hidden = Striker(self._words)
        for question in self._asked:
            question.change(self._hidden.text)
        if self._transcript:
            self._transcript.hide(self._words)

    async def close(self) -> None:
        if self._transcript:
            self._transcript.close()
            self._transcript = None

    def _corrected(self, request: Request, text: str, reason: str) -> Request:
        again = self._models.prompts.get("models/by_hand_again").fill(reason=reason)
        messages = (*request.messages, said("assistant", text), said("user", again))
        return msgspec.structs.replace(request, messages=messages)

    def _write(self, request: Request, draw: SampleKey, reply: Reply, seconds: float) -> None:
        """Question and reply into the transcript, together: a question without a reply was charged by nobody."""
        if self._transcript is None:
            return
        request_id, exchange = uuid.uuid4().hex, self._transcript.open_exchange()
        asked = tuple(map(by_reference, request.messages))
        self._transcript.first(request_id, exchange, self._endpoint, request, asked, draw)
        self._transcript.got(Got(request_id, exchange, round(seconds, 4), reply))


def _name(draw: SampleKey) -> str:
    return f"step-{draw.step + 1:03}" + (f"-vote-{draw.vote}" if draw.vote else "")


def _title(topic: str, draw: SampleKey) -> str:
    return " · ".join([*([topic] if topic else []), f"step {draw.step + 1}"])
