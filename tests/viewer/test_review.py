"""Recordings under review, over the API and in a real browser: watched, trimmed, undone, relabelled, hidden, accepted;
and what `reduce` makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.viewer.pages import axe, key_of, opened
from tests.viewer.recorded import CLICKS, EVIL, TYPED_AT, record
from workalike.cli import main
from workalike.core.actions import Click, Write
from workalike.core.observation import Observation
from workalike.core.review import DemonstrationReview
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step, Stop, Trajectory
from workalike.formats.agentnet_tool import import_recording
from workalike.pictures.codec import decode
from workalike.store.pictures import PictureStore
from workalike.store.recordings import Recording
from workalike.store.reviews import latest, revisions
from workalike.store.trajectories import FILE, read_trajectory, write_trajectory
from workalike.viewer.library import Library
from workalike.viewer.server import make_app

JSON = {"content-type": "application/json"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return record(tmp_path / "recording")


def client(path: Path) -> TestClient:
    return TestClient(make_app(Library(path)), base_url="http://127.0.0.1")


def send(http: TestClient, key: str, review: dict[str, Any], base: int = 0, by: str = "Ann", **query: str) -> Any:
    sent = {"by": by, "base": base, "what": "edit", "review": review}
    return http.post(f"/api/review/{key}", json=sent, params=query)


def reduced(path: Path, out: Path, *words: str) -> Trajectory:
    assert main(["reduce", str(path), "--out", str(out), *words]) == 0
    return read_trajectory(out / "trajectory.jsonl").trajectory


def starts(trajectory: Trajectory) -> list[float | None]:
    return [step.actions[0].start for step in trajectory.steps[:-1]]


async def test_a_recording_is_watched_trimmed_undone_and_reduced_with_and_without(made: Path, tmp_path: Path) -> None:
    async with opened(made, f"#/review/{key_of(made)}/2") as page:
        await page.wait_for_selector(".review-steps [aria-current=true]")
        assert await page.locator(".review-steps li.kept").count() == 4
        await page.fill(".person input", "Ann")
        await page.keyboard.press("Enter")
        await page.keyboard.press("i")
        await page.wait_for_selector(".review-steps li.trimmed")
        assert await page.locator(".review-steps li.trimmed").count() == 1
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("d")
        await page.wait_for_selector(".review-steps li.deleted")
        await page.keyboard.press("u")
        await page.wait_for_selector(".review-steps:not(:has(li.deleted))")
        await page.keyboard.press("Control+z")
        await page.wait_for_selector(".review-steps:not(:has(li.trimmed))")
        undone = reduced(made, tmp_path / "undone")
        await page.keyboard.press("y")
        await page.wait_for_selector(".review-steps li.trimmed")
        assert await axe(page) == []
    assert starts(undone) == [*CLICKS, TYPED_AT]
    assert starts(reduced(made, tmp_path / "trimmed")) == [*CLICKS[1:], TYPED_AT]
    assert starts(reduced(made, tmp_path / "whole", "--ignore-edits")) == [*CLICKS, TYPED_AT]
    assert [each.by for each in revisions(made, "made")] == ["Ann"] * 5


async def test_a_region_a_label_and_a_decision_are_made_by_keyboard_alone(made: Path, tmp_path: Path) -> None:
    async with opened(made, f"#/review/{key_of(made)}/4") as page:
        await page.wait_for_selector(".review-steps [aria-current=true]")
        await page.fill(".person input", "Ann")
        await page.keyboard.press("Enter")
        for key in ("r", "ArrowLeft", "Shift+ArrowRight", "Enter"):
            await page.keyboard.press(key)
        await page.wait_for_selector(".frame .region:not(.draft)", state="attached")
        await page.keyboard.press("e")
        await page.keyboard.type(f"Greet {EVIL}")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".review-steps .said:has-text('Greet')")
        await page.keyboard.press("c")
        await page.keyboard.type("pyautogui.write(message='hello there')")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".history-room li:has-text('correct')", state="attached")
        await page.keyboard.press("a")
        await page.keyboard.press("1")
        await page.wait_for_selector("[aria-pressed=true]:has-text('good')")
        assert await page.title() != "owned"
        assert await page.locator("img[src=x]").count() == 0
    review = latest(made, "made").review
    assert (review.decision, review.quality) == ("accepted", "good")
    (region,) = review.regions
    assert [round(part, 2) for part in (region.box.x, region.box.y, region.box.width, region.box.height)] == [
        0.39,
        0.4,
        0.21,
        0.1,
    ]
    trajectory = reduced(made, tmp_path / "out")
    assert trajectory.steps[3].action_text == f"Greet {EVIL}"
    assert trajectory.steps[3].actions[0].action == Write("hello there")
    picture = trajectory.steps[0].observation.picture
    assert picture is not None
    shown = np.asarray(decode(PictureStore(tmp_path / "out" / "pictures").read(picture)))
    assert np.ptp(shown[80:100, 125:190]) == 0


async def test_the_video_plays_and_the_events_are_drawn_on_it(made: Path) -> None:
    async with opened(made, f"#/review/{key_of(made)}/3") as page:
        await page.wait_for_selector(".frame .mark", state="attached")
        await page.wait_for_selector(".review-steps li:nth-child(3) [aria-current=true]")
        assert await page.evaluate("document.querySelector('video').videoWidth") == 320
        assert f"Squares {EVIL}" in await page.inner_text(".where")
        await page.select_option("select[aria-label=Speed]", "2")
        await page.keyboard.press(" ")
        await page.wait_for_selector(".typed:has-text('hello')")
        await page.wait_for_selector(".review-steps li:nth-child(4) [aria-current=true]")
        await page.keyboard.press(" ")
        await page.wait_for_selector("button:has-text('Play')")
        assert await page.evaluate("document.querySelector('video').hidden") is False
        assert await page.locator("img[src=x]").count() == 0


def test_the_video_is_answered_in_parts_and_nothing_else_is_read(made: Path) -> None:
    http, key = client(made), key_of(made)
    whole = (made / "segments" / "0" / "video.mp4").read_bytes()
    part = http.get(f"/video/{key}?segment=0", headers={"range": "bytes=10-29"})
    assert (part.status_code, part.content) == (206, whole[10:30])
    assert part.headers["content-range"] == f"bytes 10-29/{len(whole)}"
    assert "default-src 'none'" in part.headers["content-security-policy"]
    for asked in ("7", "-1", "../0", "9" * 30):
        assert http.get(f"/video/{key}", params={"segment": asked}).status_code in (400, 404)
    assert http.get(f"/still/{key}?time=5").content.startswith(b"\xff\xd8")
    for asked in ("nan", "inf", "soon"):
        assert http.get(f"/still/{key}", params={"time": asked}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"by": "Ann"}',
        b'{"by": "", "base": 0, "review": {}}',
        b'{"by": "Ann", "base": 0, "review": {"colour": 1}}',
        b'{"by": "Ann", "base": 0, "review": {"trim_start": 5, "trim_end": 4}}',
        b'{"by": "Ann", "base": 0, "review": {"trim_start": 1e999}}',
        b'{"by": "Ann", "base": 0, "review": {"steps": {"77": {"deleted": true}}}}',
        b'{"by": "Ann", "base": 0, "review": {"steps": {"2000": {"actions": [{"do": "fly"}]}}}}',
        b'{"by": "Ann", "base": 0, "review": {"regions": [{"box": [0, 0, 2, 2]}]}}',
        b'{"by": "Ann", "base": 0, "review": {"decision": "maybe"}}',
        b'{"by": "Ann", "base": 0, "review": {"task": " "}}',
    ],
)
def test_a_bad_edit_is_refused_in_a_sentence_and_writes_nothing(made: Path, body: bytes) -> None:
    reply = client(made).post(f"/api/review/{key_of(made)}", content=body, headers=JSON)
    assert reply.status_code == 400
    assert reply.text
    assert "\n" not in reply.text
    assert not (made / "layers").exists()


def test_code_is_read_and_never_run(made: Path) -> None:
    http = client(made)
    told = http.post("/api/code", json={"code": "pyautogui.click(x=0.1, y=0.2)"})
    assert told.json() == [{"do": "click", "at": [0.1, 0.2]}]
    for code in ("import os", "__import__('os').system('true')", "", "pyautogui.click(", "x" * 100_000):
        refused = http.post("/api/code", json={"code": code})
        assert refused.status_code == 400
        assert refused.text


def test_who_edits_what_another_has_edited_is_told(made: Path) -> None:
    http, key = client(made), key_of(made)
    assert send(http, key, {"trim_start": 1.0}).status_code == 200
    late = send(http, key, {"trim_start": 2.0}, by="Bob")
    assert late.status_code == 409
    assert "Ann has edited this review meanwhile" in late.text
    assert latest(made, "made").review == DemonstrationReview(trim_start=1.0)


_NAMES = st.sampled_from(["by", "base", "review", "steps", "2000", "regions", "box", "trim_start", "task", "deleted"])
_LEAVES = st.none() | st.booleans() | st.floats() | st.text(max_size=6)
_ANYTHING = st.recursive(_LEAVES, lambda inner: st.dictionaries(_NAMES, inner), max_leaves=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(_ANYTHING)
def test_whatever_is_sent_is_taken_or_refused(made: Path, sent: Any) -> None:
    http, key = client(made), key_of(made)
    reply = http.post(f"/api/review/{key}", content=json.dumps(sent).encode(), headers=JSON)
    assert reply.status_code in (200, 400, 409)


def test_a_trajectory_is_reviewed_too_but_has_no_video(tmp_path: Path) -> None:
    steps = tuple(
        Step(Observation(size=Size(100, 100)), (ActionResult(Click(Point(0.1 * n, 0.1))),)) for n in range(1, 4)
    )
    write_trajectory(tmp_path / "demo" / FILE, Trajectory("d", Task("d", "Do it"), steps, stop=Stop("terminated")))
    http, key = client(tmp_path / "demo"), key_of(tmp_path / "demo")
    for review in ({"trim_start": 1.0}, {"regions": [{"box": [0, 0, 0.5, 0.5]}]}, {"steps": {"3": {"deleted": True}}}):
        assert send(http, key, review, ref="0").status_code == 400
    told = send(http, key, {"steps": {"1": {"deleted": True}}, "quality": "fair"}, ref="0").json()
    assert told["fates"] == ["kept", "deleted", "kept"]
    assert http.get(f"/video/{key}").status_code == 404


@pytest.mark.sweep
async def test_a_recording_of_agentnet_tool_goes_the_whole_way(fixtures: Path, tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    import_recording(fixtures / "agentnet-recording", path)
    async with opened(path, f"#/review/{key_of(path)}/1") as page:
        await page.wait_for_selector(".review-steps [aria-current=true]")
        kept = await page.locator(".review-steps li.kept").count()
        await page.fill(".person input", "Ann")
        await page.keyboard.press("Enter")
        await page.keyboard.press("d")
        await page.wait_for_selector(".review-steps li:first-child.deleted")
        await page.keyboard.press("a")
        await page.wait_for_selector("[aria-pressed=true]:has-text('Accept')")
    trajectory = reduced(path, tmp_path / "demo")
    assert len(trajectory.steps) == kept, "one fewer, and the ending"
    account = trajectory.extra["reduction"]
    parts = account["used"] + account["deleted"] + account["trimmed"] + sum(account["left_out"].values())
    assert parts == account["events"] == len(list(Recording(path).events()))
    out = tmp_path / "rows"
    assert main(["dataset", "export", str(tmp_path / "demo"), "--format", "agentnet", "--out", str(out)]) == 0
    assert len(json.loads((out / "agentnet.jsonl").read_text())["traj"]) == kept
