"""A person at a task of the town: recorded, judged by the same truth, kept and reported like a run."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from workalike.bench.loading import load_benchmark
from workalike.bench.person import AGENT, RECORDING, attempt_by_person, find
from workalike.cli import main
from workalike.core.errors import BadInput
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.record.browser import BrowserRecorder
from workalike.store.config import RunConfig
from workalike.store.recordings import Recording
from workalike.store.runs import Run


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("shopping_1", "--on takes a benchmark and a task"),
        ("webtailbench/united_13", "people are judged on the town alone"),
        ("town/shopping_999", "town has no task"),
    ],
)
def test_what_cannot_be_done_is_told(named: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        find(named)


def priced() -> str:
    """A task of the train split that asks for a price, with nothing in the way."""
    loaded = load_benchmark(RunConfig(benchmark="town", agent=AGENT, split="train"))
    keys = loaded.task_set.keys.values()
    return next(
        key.task_id for key in keys if key.extra["template"] == "shop-train-price" and "obstacles" not in key.setting
    )


@pytest.mark.sweep
async def test_a_person_is_recorded_judged_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        chromium.find()
    except BadInput as problem:
        pytest.skip(str(problem))
    found = find(f"town/{priced()}")
    ((item,),) = [[goal["item"] for goal in found.key.plan["goals"]]]

    async def work(recorder: BrowserRecorder) -> None:
        """Look the product up with the search engine, open it at the right shop, read, and stop."""
        run, page = asyncio.create_task(recorder.run()), recorder.page
        await page.wait_for_load_state("load")
        await page.mouse.click(*await _middle(page, "input[name=q]"))
        await page.keyboard.type(item["name"])
        await page.keyboard.press("Enter")
        link = f"a[href*='{item['site']}.town.localhost'][href$='/p/{item['slug']}']"
        await page.wait_for_selector(link)
        await page.mouse.click(*await _middle(page, link))
        await page.wait_for_selector(".one-price")
        await asyncio.sleep(0.7)  # a person looks before stopping
        recorder.stop()
        await run

    def ask(task: Task) -> str:
        return str(found.key.plan["line"])

    came = await attempt_by_person(found, tmp_path / "people", ask, work, headless=True)
    assert came.verdict.outcome == "success", came.verdict.reason
    assert came.steps >= 3
    assert Recording(Path(came.folder) / RECORDING).header.task.id == found.task.id
    again = await attempt_by_person(
        found, tmp_path / "people", lambda task: "ANSWER: price = $0.01", work, headless=True
    )
    assert again.verdict.outcome == "failure", "the answer is judged, not the way"
    run = Run(tmp_path / "people")
    assert run.info.settings["agent"] == AGENT
    assert [attempt.repeat for attempt in run.attempts(found.task.id)] == [1, 2]
    main(["report", str(tmp_path / "people"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert AGENT in json.dumps(told)


async def _middle(page: object, selector: str) -> tuple[float, float]:
    box = await page.locator(selector).first.bounding_box()  # type: ignore[attr-defined]
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
