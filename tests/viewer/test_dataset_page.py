"""The page of a dataset in a real browser: indexed while one watches, searched, filtered by a click, flagged."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.dataset.rows import put, row, step
from tests.viewer.pages import axe, key_of, opened
from tests.viewer.sample import EVIL, dataset
from workalike.cli import main
from workalike.viewer.index import build_index


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


async def test_a_dataset_is_indexed_searched_and_filtered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dataset(tmp_path / "set")
    async with opened(path, f"#/dataset/{key_of(path)}") as page:
        await page.wait_for_selector(".found tbody tr")
        assert "All 60 trajectories" in await page.inner_text("main")
        assert await page.locator(".found tbody tr").count() == 50
        await page.wait_for_selector(".facet")
        assert await axe(page) == []
        await page.keyboard.press("n")
        await expect(page.locator(".found tbody tr")).to_have_count(10)
        await page.keyboard.press("/")
        await page.keyboard.type("spreadsheet")
        await expect(page.locator("main")).to_contain_text("12 trajectories of 60")
        assert await page.locator(".snippet mark").first.inner_text() == "spreadsheet"
        await page.click(".facet button:has-text('macos')")
        await expect(page.locator("main")).to_contain_text("4 trajectories of 60")
        await page.fill("input[aria-label^=Filter]", "efficiency_score >= 5")
        await page.keyboard.press("Enter")
        await expect(page.locator("main")).to_contain_text("2 trajectories of 60")
        await page.keyboard.press("Escape")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("f")
        await page.wait_for_selector(".command:has-text('1 row flagged')")
        await page.select_option(".command select", "found")
        await expect(page.locator(".command pre")).not_to_contain_text('in ["t15"]')
        assert await axe(page) == []
        command = shlex.split(await page.inner_text(".command pre"))
        monkeypatch.chdir(tmp_path)
        assert main(command[1:]) == 0
        kept = [json.loads(line)["task_id"] for line in (tmp_path / "chosen.jsonl").read_text().splitlines()]
        assert kept == ["t15", "t45"]
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".page-trajectory")
        assert await page.locator(".told mark").first.inner_text() == "spreadsheet"
        await page.go_back()
        await page.wait_for_selector(".found tbody tr")


async def test_hostile_rows_stay_text(tmp_path: Path) -> None:
    steps = [step(0, f"pyautogui.write(message={EVIL!r})", thought=EVIL, image="../../../etc/passwd"), step(1, EVIL)]
    fields = {"domain": EVIL, "alignment_score": EVIL, EVIL: EVIL, "task_completed": EVIL}
    path = tmp_path / "evil.jsonl"
    put(path, row(EVIL, steps, instruction=EVIL, **fields), row("\"';--", 2))
    build_index(path)
    async with opened(path, f"#/dataset/{key_of(path)}?q=script") as page:
        await page.wait_for_selector(".found tbody tr")
        assert EVIL in await page.inner_text(".found")
        await page.check(".found input")
        await page.wait_for_selector(".command pre")
        assert await page.title() != "owned"
        assert await page.locator("img[src=x], main script").count() == 0
