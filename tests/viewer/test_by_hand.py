"""The page for whoever is the model by hand, in a real browser: it shows a question, takes the reply, and hostile text
stays text."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.verify.cases import drawn
from tests.viewer.pages import axe, key_of, opened
from workalike.models.questions import Questions

EVIL = "<img src=x onerror=\"document.title='owned'\"> Which one?"


async def test_a_question_is_shown_and_answered(tmp_path: Path) -> None:
    questions = Questions(tmp_path / "questions")
    asked = questions.begin("shopping/1.1", "step-001")
    asked.ask(EVIL, {"1.png": drawn(1)})
    where = f"#/questions/{key_of(tmp_path / 'questions')}"
    async with opened(tmp_path / "questions", where) as page:
        await page.wait_for_selector("#form:not([hidden])")
        assert await axe(page) == []
        assert await page.inner_text("#text") == EVIL
        shown = page.locator("#pictures img")
        assert await shown.evaluate("image => image.decode().then(() => image.naturalWidth)") == 320
        waiting = asyncio.create_task(asked.reply(lambda sentence: None))
        await page.fill("#reply", "The blue one.")
        await page.click("button[type=submit]")
        assert await waiting == b"The blue one."
        await page.wait_for_selector("#form[hidden]", state="attached")
        assert await page.title() != "owned"
        assert await page.locator("img[src=x]").count() == 0
        later = questions.begin("shopping/1.1", "step-002")
        later.ask("And now?", {})
        await page.wait_for_selector("#text:text-is('And now?')")
    questions.close()
