"""What must not be kept of a browser, recorded for real: password fields wherever they are, pages that are left out."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from playwright.async_api import FloatRect, Page

from tests.env.web import Web
from tests.record.browsers import Newest, drawn, middle, recording, texts
from workalike.core.recording import Event, KeyChanged, PageChanged, Paused, Resumed
from workalike.record.page_secrets import within
from workalike.record.settings import RecordSettings
from workalike.store.recording_video import Pixels, VideoFrame
from workalike.store.recordings import Recording


def inside(frame: VideoFrame, box: FloatRect | None) -> float:
    """How much there is to see in the middle of a place."""
    assert box
    x, y, wide, high = (int(box[side]) for side in ("x", "y", "width", "height"))
    return float(frame.rgb()[y + 8 : y + high - 8, x + 8 : x + wide - 8].astype(int).std())


def frames(out: Path, since: float = 0.0, until: float = 1e9) -> list[VideoFrame]:
    found = [frame for segment in Recording(out).segments for frame in segment.frames()]
    return [frame for frame in found if since <= frame.time <= until]


def masked(events: list[Event]) -> int:
    return sum(1 for event in events if isinstance(event, KeyChanged) and event.masked and event.down)


def addresses(web: Web, events: list[Event]) -> list[tuple[str, str]]:
    return [(e.url.removeprefix(web.address()), e.title) for e in events if isinstance(e, PageChanged)]


async def test_fields_in_frames_within_frames_are_hidden_where_they_are(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/frames") as (recorder, _):
        page = recorder.page
        field = page.frame_locator("iframe").frame_locator("iframe").locator("#secret")
        before = await field.bounding_box()
        assert before
        await page.mouse.click(before["x"] + 50, before["y"] + 20)
        await page.keyboard.type("MMMMMM")
        await field.evaluate("(field) => { field.type = 'text'; }")
        await drawn(page)
        typed = recorder.clock.now()
        await page.mouse.wheel(0, 100)
        await page.wait_for_function("scrollY === 100")
        await drawn(page)
        scrolled, after = recorder.clock.now(), await field.bounding_box()
        await page.locator("iframe").evaluate("(frame) => frame.remove()")
        await drawn(page)
        await recorder.seen(lines, recorder.clock.now())
    assert after
    assert after["y"] == before["y"] - 100
    events = list(Recording(tmp_path / "r").events())
    assert (texts(events), masked(events)) == ("", 6)
    assert all(inside(frame, before) < 25 for frame in frames(tmp_path / "r", 0, typed) if inside_frame(frame))
    moved = frames(tmp_path / "r", typed, scrolled)
    assert inside(moved[-1], after) < 25
    unshifted: FloatRect = {"x": 20, "y": 30, "width": 200, "height": 40}
    assert inside(moved[-1], unshifted) > 100, "what lies there in the page itself is seen"
    last = frames(tmp_path / "r")[-1]
    assert inside(last, after) > 100, "what is hidden goes with the frame"


def inside_frame(frame: VideoFrame) -> bool:
    """Whether the frame in the page has been drawn."""
    return bool(frame.rgb()[300, 120].min() > 200)


async def test_fields_in_shadow_roots_are_hidden_closed_ones_too(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/shadow") as (recorder, _):
        page = recorder.page
        await page.wait_for_function("fields.open")
        boxes: dict[str, FloatRect] = {}
        for name in ("open", "closed", "inner", "plain"):
            boxes[name] = await page.evaluate(f"fields.{name}().getBoundingClientRect().toJSON()")
            await page.mouse.click(boxes[name]["x"] + 50, boxes[name]["y"] + 20)
            await drawn(page)
            await page.keyboard.type("open" if name == "plain" else "MMMMM")
            await page.evaluate(f"fields.{name}().type = 'text'")
            await drawn(page)
        declared = await page.locator("#declared").bounding_box()
        assert declared
        await page.mouse.click(declared["x"] + 50, declared["y"] + 20)
        await page.keyboard.type("secret")
        await drawn(page)
    events = list(Recording(tmp_path / "r").events())
    assert (texts(events), masked(events)) == ("open", 21)
    last = frames(tmp_path / "r")[-1]
    assert [name for name, box in boxes.items() if inside(last, box) > 25] == ["plain"]
    for frame in frames(tmp_path / "r"):
        assert max(inside(frame, boxes[name]) for name in ("open", "closed", "inner")) < 25


async def test_a_key_let_go_elsewhere_does_not_tell_what_was_typed(web: Web, tmp_path: Path) -> None:
    """A field that takes one character and gives the keyboard to the next."""
    async with recording(tmp_path / "r", web.address() + "/leap") as (recorder, _):
        await recorder.page.mouse.click(*await middle(recorder.page, "#from"))
        await recorder.page.keyboard.press("x")
        await recorder.page.keyboard.press("y")
        await drawn(recorder.page)
    keys = [event for event in Recording(tmp_path / "r").events() if isinstance(event, KeyChanged)]
    assert [(event.key, event.down) for event in keys][:4] == [("", True), ("", False), ("y", True), ("y", False)]
    assert {event.key for event in keys} == {"", "y"}


async def test_a_field_is_still_hidden_when_its_page_comes_back_to_the_front(web: Web, tmp_path: Path) -> None:
    """And the page is told again, so that what follows is not taken to happen in the other."""
    async with recording(tmp_path / "r", web.address() + "/") as (recorder, _):
        page = recorder.page
        await page.mouse.click(*await middle(page, "#secret"))
        await page.keyboard.type("MMMM")
        await page.mouse.click(*await middle(page, "#show"))
        field = await page.locator("#secret").bounding_box()
        async with page.context.expect_page() as opening:
            await page.mouse.click(*await middle(page, "#tab"))
        tab = await opening.value
        await tab.wait_for_function("document.title === 'Later'")
        await drawn(tab)
        await tab.close()
        back = recorder.clock.now()
        await drawn(page)
        await page.mouse.click(*await middle(page, "#name"))
        await drawn(page)
    seen = frames(tmp_path / "r", back)
    assert seen
    assert all(inside(frame, field) < 25 for frame in seen)
    told = addresses(web, list(Recording(tmp_path / "r").events()))
    pages = [address for address, _ in groupby(address for address, _ in told)]  # a title that comes later is told, too
    assert pages == ["/", "/next", "/"]


@pytest.mark.parametrize("pattern", ["*vault*", "my v*"])
async def test_pages_can_be_left_out(web: Web, tmp_path: Path, pattern: str) -> None:
    settings = RecordSettings(leave_out=(pattern,))
    async with recording(tmp_path / "r", web.address() + "/shop", settings) as (recorder, run):
        page = recorder.page
        await type_in(page, "fine")
        await page.click("#leave")
        await page.wait_for_url("**/vault")
        await drawn(page)
        came = recorder.clock.now()
        await type_in(page, "hidden")
        await recorder.seen(lines, came)
        left = recorder.clock.now()
        await page.go_back()
        await page.wait_for_url("**/shop")
        await drawn(page)
        await type_in(page, "after")
        recorder.stop()
        assert (await run).counts["events_left_out"] >= 12
    events = list(Recording(tmp_path / "r").events())
    assert texts(events) == "fineafter"
    told = addresses(web, events)
    assert [told[0], told[-1], set(told[1:-1])] == [("/shop", "Shop"), ("/shop", "Shop"), {("", "(left out)")}]
    assert b"ault" not in b"".join(path.read_bytes() for path in (tmp_path / "r").rglob("*.jsonl"))
    hidden = frames(tmp_path / "r", came, left)
    assert hidden
    assert not any(striped(frame) for frame in hidden)
    shown = frames(tmp_path / "r", 0, came - 1) + frames(tmp_path / "r")[-1:]
    assert striped(shown[-1])


async def test_a_page_is_seen_as_soon_as_it_is_no_longer_left_out(web: Web, tmp_path: Path) -> None:
    """Here only its title changes; nothing is drawn anew."""
    settings = RecordSettings(leave_out=("my vault",))
    async with recording(tmp_path / "r", web.address() + "/vault", settings) as (recorder, _):
        await recorder.seen(lines)
        await drawn(recorder.page)
        changed = recorder.clock.now()
        await recorder.page.evaluate("document.title = 'Shop'")
        await drawn(recorder.page)
        await recorder.seen(lines, recorder.clock.now())
    assert not any(striped(frame) for frame in frames(tmp_path / "r", 0, changed))
    assert striped(frames(tmp_path / "r")[-1])


async def type_in(page: Page, text: str) -> None:
    await page.mouse.click(*await middle(page, "#field"))
    await page.keyboard.type(text)
    await drawn(page)


def lines(pixels: Pixels) -> bool:
    return bool(pixels[400:500].astype(int)[..., :1].std() > 50)


def striped(frame: VideoFrame) -> bool:
    return lines(frame.rgb())


async def test_after_a_pause_the_page_in_front_is_told_and_seen(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/") as (recorder, _):
        page = recorder.page
        await drawn(page)
        await paused_or_resumed(recorder)
        await page.goto(web.address() + "/next")
        await page.wait_for_function("document.title === 'Later'")
        await page.goto(web.address() + "/shop")
        await recorder.seen(lines)
        await drawn(page)
        await recorder.page.keyboard.press("Control+Shift+F11")
        await recorder.seen(lines, recorder.clock.now())
    events = [e for e in Recording(tmp_path / "r").events() if isinstance(e, PageChanged | Paused | Resumed)]
    kinds = [event.title if isinstance(event, PageChanged) else type(event).__name__ for event in events]
    assert kinds == ["Form", "Paused", "Resumed", "Shop"]
    shown = [striped(frame) for frame in frames(tmp_path / "r")]
    assert shown[0] is False
    assert shown[-1] is True


async def paused_or_resumed(recorder: Newest) -> None:
    await recorder.page.keyboard.press("Control+Shift+F11")
    await drawn(recorder.page)


def test_a_place_in_a_frame_is_cut_to_what_the_frame_shows() -> None:
    quad = (100.0, 50.0, 300.0, 50.0, 300.0, 150.0, 100.0, 150.0)
    assert within(quad, (200, 100), (150, 80, 100, 100)) == (250, 130, 50, 20)
    assert within(quad, (200, 100), (10, 120, 50, 20)) is None
    turned = (100.0, 0.0, 100.0, 200.0, 0.0, 200.0, 0.0, 0.0)
    assert within(turned, (200, 100), (0, 0, 20, 10)) == (90, 0, 10, 20)
