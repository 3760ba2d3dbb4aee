"""Questions written down, and replies taken from where they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from workalike.models.answers import Unanswered, WrittenModels
from workalike.models.keys import Keys
from workalike.models.messages import Picture, Request, SampleKey, said

QUESTION = Request((said("user", "What is this?", Picture(b"\x89PNG not really")),))


async def test_a_question_waits_in_its_own_folder_and_its_reply_is_taken_from_there(tmp_path: Path) -> None:
    models = WrittenModels(tmp_path, keys=Keys({}))
    model = models.open("anybody", topic="demo/generator")
    for _ in range(2):  # asked again it is the same question
        with pytest.raises(Unanswered, match="has no reply yet"):
            await model.reply(QUESTION, SampleKey(step=2))
    (page,) = tmp_path.rglob("question.md")
    assert page.parent == tmp_path / "demo" / "generator" / "step-003"
    assert "What is this?" in page.read_text()
    assert "touch done" not in page.read_text(), "nobody waits for it"
    assert (page.parent / "1.png").read_bytes() == b"\x89PNG not really"
    (page.parent / "reply.md").write_text("A button.\n")
    reply = await model.reply(QUESTION, SampleKey(step=2))
    assert (reply.text, reply.usage.requests, models.waiting) == ("A button.", 0, 2)
    with pytest.raises(Unanswered, match="step-003-again-1"):
        await model.reply(QUESTION, SampleKey(step=2).again())
