"""Labels at the viewer, over its API and in a real browser: blind until given, dealt out to two people, exported, and
used by `agreement`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Page
from starlette.testclient import TestClient

from tests.viewer.pages import axe, key_of, opened
from workalike.cli import main
from workalike.core.actions import Click, Terminate
from workalike.core.observation import Observation
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Stop
from workalike.core.verdict import Outcome, Verdict
from workalike.pictures.codec import encode
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.runs import RunInfo, RunWriter
from workalike.verify.labels import people_labels
from workalike.viewer.library import Library
from workalike.viewer.server import make_app

EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
TRUE: dict[str, Any] = {"notices": (Notice("truth", "harmful"),)}
OUTCOMES: tuple[Outcome, ...] = ("success", "failure", "success", "failure")


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A run of four attempts, each judged by a verifier that is right but for the last."""
    folder = tmp_path / "run"
    tasks = [Task(f"task-{number}", f"Do number {number} {EVIL}", "shopping") for number in range(4)]
    with (
        RunWriter(folder, RunInfo("r1", "", {}), tasks) as run,
        LayerWriter(folder, VERDICTS, "judge", Verdict) as said,
    ):
        shot = run.pictures.put(encode(Image.new("RGB", (144, 90), "white")), Size(144, 90))
        seen = Observation(shot, Size(144, 90), title=EVIL)
        for task, outcome in zip(tasks, OUTCOMES, strict=True):
            attempt, writer = run.begin(task, 1)
            writer.step(
                Step(seen, (ActionResult(Click(Point(0.5, 0.5))),), thought=EVIL, reflection="It failed.", **TRUE)
            )
            writer.step(Step(seen, (ActionResult(Terminate("success", EVIL)),)))
            writer.finish(Stop("terminated"), seen, **TRUE)
            said.put(attempt.id, Verdict(attempt.id, "judge", outcome, f"because {EVIL}"))
    return folder


class Client:
    """The API over one run."""

    def __init__(self, folder: Path) -> None:
        self.http = TestClient(make_app(Library(folder)), base_url="http://127.0.0.1")
        self.key = key_of(folder)

    def deal(self, labeller: str, skip: str | None = None) -> str | None:
        reply = self.http.post(f"/api/deal/{self.key}", json={"labeller": labeller, "skip": skip})
        assert reply.status_code == 200, reply.text
        ref: str | None = reply.json()["ref"]
        return ref

    def give(self, ref: str, labeller: str, **label: Any) -> dict[str, Any]:
        sent = {"labeller": labeller, "label": label}
        reply = self.http.post(f"/api/label/{self.key}", params={"ref": ref}, json=sent)
        assert reply.status_code == 200, reply.text
        said: dict[str, Any] = reply.json()
        return said


def test_a_case_tells_nothing_of_verdicts_or_others_before_it_is_labelled(run_folder: Path) -> None:
    client = Client(run_folder)
    ref = client.deal("Ann")
    assert ref is not None
    client.give(ref, "Bob", success=False, reason="Bob's reason")
    asked = {"ref": ref, "labeller": "Ann"}
    blind = client.http.get(f"/api/case/{client.key}", params=asked)
    for word in ("judge", "because", "Bob", "It failed", "harmful"):
        assert word not in blind.text
    client.give(ref, "Ann", success=True)
    told = client.http.get(f"/api/case/{client.key}", params=asked)
    for word in ("judge", "because", "Bob's reason", "It failed", "harmful"):
        assert word in told.text


def test_two_labellers_over_the_api_never_hold_the_same_case(run_folder: Path) -> None:
    client = Client(run_folder)
    for turn in range(4):
        refs = [client.deal("Ann"), client.deal("Bob")]
        assert None not in refs
        assert refs[0] != refs[1] or turn == 3
        for name, ref in zip(("Ann", "Bob"), refs, strict=True):
            assert ref is not None
            client.give(ref, name, success=True)
    assert client.deal("Ann") is None
    assert len(people_labels(run_folder)) == 8


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"labeller": "Ann"}',
        b'{"labeller": "", "label": {"success": true}}',
        b'{"labeller": "truth", "label": {"success": true}}',
        b'{"labeller": "Ann", "label": {"success": "yes"}}',
        b'{"labeller": "Ann", "label": {"success": true, "process": 2}}',
        b'{"labeller": "Ann", "label": {"success": true, "process": 1e999}}',
        b'{"labeller": "Ann", "label": {"success": true, "colour": "red"}}',
        json.dumps({"labeller": "Ann", "label": {"success": True, "reason": "x" * 10_001}}).encode(),
    ],
)
def test_bad_input_is_answered_in_a_sentence_and_writes_nothing(run_folder: Path, body: bytes) -> None:
    client = Client(run_folder)
    ref = client.deal("Ann")
    headers = {"content-type": "application/json"}
    reply = client.http.post(f"/api/label/{client.key}", params={"ref": str(ref)}, content=body, headers=headers)
    assert reply.status_code == 400
    assert reply.text
    assert "\n" not in reply.text
    assert not (run_folder / "layers" / "labels").exists()


def test_a_label_of_nothing_and_one_that_was_never_given(run_folder: Path) -> None:
    client = Client(run_folder)
    label = {"labeller": "Ann", "label": {"success": True}}
    assert client.http.post(f"/api/label/{client.key}", params={"ref": "../x"}, json=label).status_code == 404
    ref = client.deal("Ann")
    back = client.http.post(f"/api/unlabel/{client.key}", params={"ref": str(ref)}, json={"labeller": "Ann"})
    assert back.status_code == 400
    assert "nothing to take back" in back.text
    assert not (run_folder / "layers" / "labels").exists()


async def _named(page: Page, name: str) -> None:
    """Say who labels, by keyboard: the field has the focus."""
    await page.wait_for_selector(".person input:focus")
    await page.keyboard.type(name)
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".strip button")


async def _told(page: Page, count: int) -> None:
    await page.wait_for_selector(f".label-panel:has-text('given {count}.')")


async def test_labels_made_by_keyboard_are_exported_and_used_by_agreement(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(run_folder, f"#/queue/{key_of(run_folder)}") as page:
        await _named(page, "Ann")
        assert "because" not in await page.inner_text("main")
        for number, key in enumerate("pfpp"):
            await page.keyboard.press("ArrowRight")
            await page.keyboard.press(key)
            await page.keyboard.press("7")
            await page.keyboard.press("w")
            await page.keyboard.type(f"reason {number} {EVIL}")
            await page.keyboard.press("Enter")
            await page.keyboard.press("Enter")
            await _told(page, number + 1)
        await page.wait_for_selector("text=nothing left for you")
        assert "owned" not in await page.title()
        assert await page.locator("img[src=x]").count() == 0
        async with page.expect_download() as download:
            await page.click("text=Labels as CSV")
        await (await download.value).save_as(tmp_path / "labels.csv")
    assert [label.success for label in people_labels(run_folder)] == [True, False, True, True]
    assert {label.process for label in people_labels(run_folder)} == {0.7}
    assert all(label.blind for label in people_labels(run_folder))
    assert main(["labels", str(run_folder), "--out", str(tmp_path / "same.csv")]) == 0
    assert (tmp_path / "same.csv").read_text() == (tmp_path / "labels.csv").read_text()
    capsys.readouterr()
    for words in (["--labels", str(tmp_path / "labels.csv")], []):
        assert main(["agreement", str(run_folder), "--json", *words]) == 0
        report = json.loads(capsys.readouterr().out)
        (judge,) = report["verifiers"]
        assert report["labels"] == judge["figures"]["cases"] == 4
        assert judge["figures"]["accuracy"]["mean"] == 0.75
        assert judge["refusals"]["cases"] == 4


async def test_two_people_label_at_once_and_one_takes_theirs_back(run_folder: Path) -> None:
    where = f"#/queue/{key_of(run_folder)}"
    async with opened(run_folder, where) as ann:
        await _named(ann, "Ann")
        other = await ann.context.browser.new_context(  # type: ignore[union-attr]
            proxy={"server": "per-context", "bypass": "127.0.0.1"}
        )
        bob = await other.new_page()
        await bob.goto(ann.url)
        await _named(bob, "Bob")
        tasks = [await page.inner_text(".task h1") for page in (ann, bob)]
        assert tasks[0] != tasks[1]
        assert await axe(ann) == []
        await ann.keyboard.press("f")
        await ann.keyboard.press("Enter")
        await _told(ann, 1)
        await ann.keyboard.press("z")
        await ann.wait_for_selector(".answers [aria-pressed=true]:has-text('Fail')")
        assert await ann.inner_text(".task h1") == tasks[0]
        assert people_labels(run_folder) == []
        await ann.check("text=Then show what verifiers and others say")
        await ann.click(".task h1")
        await ann.keyboard.press("p")
        await ann.keyboard.press("Enter")
        await ann.wait_for_selector("text=Next case")
        assert f"because {EVIL}" in await ann.inner_text(".tab")
        (label,) = people_labels(run_folder)
        assert (label.success, label.blind) == (True, True)
        await ann.keyboard.press("z")
        await ann.wait_for_selector("text=taken back")
        assert "because" not in await ann.inner_text("main")
        await ann.keyboard.press("Enter")
        await ann.wait_for_selector("text=Next case")
        await other.close()
    (label,) = people_labels(run_folder)
    assert (label.success, label.blind) == (True, False), "by then the verdicts had been seen"


async def test_the_panel_hides_verdicts_from_who_labels_blind(run_folder: Path) -> None:
    client = Client(run_folder)
    ref = client.deal("Cid")
    where = f"#/trajectory/{client.key}/{str(ref).replace('/', '%2F')}"
    async with opened(run_folder, where) as page:
        await page.wait_for_selector(".strip button")
        assert "by judge" in await page.inner_text(".task")
        await page.click("role=tab[name=Label]")
        await page.check("text=Hide the verdicts")
        assert "by judge" not in await page.inner_text(".task")
        await page.fill(".label-panel .person input", "Ann")
        await page.keyboard.press("Enter")
        await page.click("role=button[name=Fail]")
        await page.click("text=Give the label")
        await page.wait_for_selector("text=Change the label")
        assert "by judge" in await page.inner_text(".task")
        assert await axe(page) == []
    (label,) = people_labels(run_folder)
    assert label.success is False
    assert label.blind is False, "the verdicts had been seen before they were hidden"
