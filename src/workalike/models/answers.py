"""Questions written down and answers taken from where they lie: nobody is asked, and nobody waits.

A question has a folder of its own, always the same one, in the form of `questions`: its page with the pictures beside
it, and `reply.md` once somebody or something has answered. So a whole set can be asked in batches: write what can be
asked now, have it answered by any means, go on, until nothing waits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workalike.core.errors import ModelFailed
from workalike.core.trajectory import Usage
from workalike.models.keys import Keys
from workalike.models.messages import Reply, Request, SampleKey, Sampling, Text
from workalike.models.names import Api
from workalike.models.pages_by_hand import page
from workalike.models.prompts import Prompts
from workalike.models.questions import REPLY, Question
from workalike.store.files import make_folder


class Unanswered(ModelFailed):
    """A question that nobody has answered yet."""


class WrittenModels:
    """Opens models whose replies lie in a folder. `waiting` counts the questions that have none; they are written there
    to be answered."""

    def __init__(self, folder: Path, *, prompts: Prompts | None = None, keys: Keys | None = None) -> None:
        self.folder, self.usage, self.waiting = folder, Usage(), 0
        self.prompts, self.keys = prompts or Prompts(), keys or Keys.load()

    def open(
        self,
        spec: str,
        *,
        api: Api | None = None,
        sampling: Sampling = Sampling(),
        transcript: Path | None = None,
        headers: Mapping[str, str] | None = None,
        topic: str = "",
    ) -> WrittenModel:
        return WrittenModel(self, spec, topic)


class WrittenModel:
    """One conversation whose replies lie in a folder."""

    def __init__(self, models: WrittenModels, name: str, topic: str) -> None:
        self.name, self.usage = name, Usage()
        self._models, self._topic = models, topic

    async def reply(self, request: Request, draw: SampleKey = SampleKey()) -> Reply:
        """The reply that lies there, or `Unanswered` once the question is written down."""
        told = {"round": draw.repeat, "vote": draw.vote, "again": draw.reask}
        name = "-".join([f"step-{draw.step + 1:03}", *(f"{word}-{number}" for word, number in told.items() if number)])
        question = Question(self._models.folder / self._topic / name)
        answer = question.folder / REPLY
        if answer.is_file():
            return Reply((Text(self._models.keys.strike(answer.read_text("utf-8-sig", "replace")).strip()),))
        make_folder(question.folder, private=True)
        shown = page(f"{self._topic} · step {draw.step + 1}", request, self._models.prompts, awaited=False)
        question.ask(self._models.keys.redact(shown.text), shown.pictures)
        self._models.waiting += 1
        raise Unanswered(f"the question in {question.folder} has no reply yet")

    def hide(self, words: Mapping[str, str]) -> None:
        """Nothing is to be hidden in questions about what was done before."""

    async def close(self) -> None:
        pass
