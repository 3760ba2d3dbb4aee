"""A browser recorded for real: what is done in pages, what it was done to, and nothing that should stay secret."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.env.web import Web
from tests.programs import needs
from tests.record.browsers import VIEW, Newest, drawn, middle, recording, texts
from tests.record.conftest import TASK, Desktops
from tests.record.counter_program import read_count
from workalike.cli import main
from workalike.core.actions import Action, Click, Drag, Hotkey, Press, Scroll, Write
from workalike.core.recording import ButtonChanged, KeyChanged, PageChanged, SegmentHeader, WheelTurned
from workalike.core.screen import Size
from workalike.env.desktop.display import connect
from workalike.env.desktop.input import XInput
from workalike.env.desktop.screen import Stillness
from workalike.record.browser import BrowserRecorder, _is_late
from workalike.reduce.reducer import reduction
from workalike.store.recordings import Recording


async def test_a_form_is_filled_in(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/") as (recorder, _):
        page = recorder.page
        await page.mouse.click(*await middle(page, "#name"))
        await page.keyboard.type("Bob Ä")
        await page.keyboard.press("Tab")
        await page.keyboard.type("S3cret!")
        await page.mouse.click(*await middle(page, "#show"))
        await page.mouse.click(*await middle(page, "#secret"))
        await page.keyboard.type("more")
        await drawn(page)
        field = await page.locator("#secret").bounding_box()
        await page.mouse.click(*await middle(page, "#list"))
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await page.mouse.click(*await middle(page, "form button"))
        await page.wait_for_url("**/next**")
        await page.wait_for_function("document.title === 'Later'")
        await drawn(page)
    found = Recording(tmp_path / "r")
    events = list(found.events())
    assert found.header.kind == "browser"
    assert texts(events) == "Bob Ä"
    assert sum(1 for event in events if isinstance(event, KeyChanged) and event.masked and event.down) == 11
    assert not any(b"S3cret" in path.read_bytes() for path in (tmp_path / "r").rglob("*.json*"))
    hits = [event.hit for event in events if isinstance(event, ButtonChanged) and event.down and event.hit]
    assert [(hit.role, hit.name, hit.selector) for hit in hits] == [
        ("textbox", "Name", "#name"),
        ("button", "Show", "#show"),
        ("textbox", "Password", "#secret"),
        ("combobox", "l", "#list"),
        ("button", "Go", "html > body > form > button"),
    ]
    pages = [(event.url.removeprefix(web.address()), event.title) for event in events if isinstance(event, PageChanged)]
    assert pages[0] == ("/", "Form")
    assert pages[-1][0].startswith("/next?n=Bob")
    assert "l=two" in pages[-1][0]
    assert pages[-1][1] == "Later"
    assert field
    x, y = int(field["x"] + 8), int(field["y"] + 5)
    for frame in found.segments[0].frames():
        assert frame.rgb()[y : y + 10, x : x + 120].astype(int).std() < 25, "nothing can be read where it was typed"


async def test_frames_of_other_sites_and_new_tabs(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/") as (recorder, _):
        page = recorder.page
        frame = await page.locator("iframe").bounding_box()
        assert frame
        await page.mouse.move(5, 5)
        inside = (round(frame["x"] + 2 + 50), round(frame["y"] + 2 + 20))
        await page.mouse.click(*inside)
        async with page.context.expect_page() as opening:
            await page.mouse.click(*await middle(page, "#tab"))
        tab = await opening.value
        await tab.wait_for_load_state()
        await drawn(tab)
        await tab.keyboard.press("x")
        await tab.close()
        await drawn(page)
        await page.mouse.wheel(0, 250)
        await drawn(page)
    found = Recording(tmp_path / "r")
    events = list(found.events())
    first = next(event for event in events if isinstance(event, ButtonChanged))
    assert (first.x, first.y) == inside
    assert first.hit
    assert (first.hit.name, first.hit.selector) == ("Inside", "#inner")
    assert first.hit.box
    assert VIEW.pixel(first.hit.box.centre) == inside
    assert [event.url.removeprefix(web.address()) for event in events if isinstance(event, PageChanged)][:2] == [
        "/",
        "/next",
    ]
    assert texts(events) == "x"
    assert [(event.dx, event.dy) for event in events if isinstance(event, WheelTurned)] == [(0, 2.5)]
    times = [event.time for event in events]
    assert times == sorted(times)


async def test_what_is_done_comes_back_with_the_frames_before_it(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/counter") as (recorder, run):
        done = await work(recorder)
        await recorder.page.keyboard.press("Control+Shift+F12")
        assert (await run).reason == "stopped"
    (segment,) = Recording(tmp_path / "r").segments
    events = list(segment.events())
    reduced = reduction(events, VIEW)
    assert [action for gesture in reduced.gestures for action in gesture.actions] == [action for action, _, _ in done]
    frames = [(frame.time, read_count(frame.luma())) for frame in segment.frames()]
    before = 0
    for (action, presses, start), gesture in zip(done, reduced.gestures, strict=True):
        assert start - 0.05 < gesture.start, action
        assert [count for moment, count in frames if moment <= gesture.start][-1] == before, action
        before += presses
    assert frames[-1][1] == before


async def work(recorder: Newest) -> list[tuple[Action, int, float]]:
    """Do things of every kind; answers each with how often it counts and when it began."""
    mouse, keys, counted = recorder.page.mouse, recorder.page.keyboard, 0
    done: list[tuple[Action, int, float]] = []

    def at(x: int, y: int) -> Click:
        return Click(VIEW.point(x, y))

    async def drag() -> None:
        await mouse.down()
        await mouse.move(500, 400, steps=6)
        await mouse.up()

    todo: list[tuple[Action, int, tuple[int, int] | None, Callable[[], Awaitable[None]]]] = [
        (at(300, 300), 1, (300, 300), lambda: mouse.click(300, 300)),
        (Click(VIEW.point(600, 200), count=2), 2, (600, 200), lambda: mouse.dblclick(600, 200)),
        (Write("Hello, World!"), 13, None, lambda: keys.type("Hello, World!")),
        (Press(("enter",)), 1, None, lambda: keys.press("Enter")),
        (Hotkey(("ctrl", "b")), 1, None, lambda: keys.press("Control+b")),
        (Scroll(0, 3, at=VIEW.point(400, 500)), 1, (400, 500), lambda: mouse.wheel(0, 300)),
        (Click(VIEW.point(200, 600), "right"), 1, (200, 600), lambda: mouse.click(200, 600, button="right")),
        (Drag((VIEW.point(500, 400),), VIEW.point(100, 200)), 1, (100, 200), drag),
        (Press(("esc",)), 1, None, lambda: keys.press("Escape")),
    ]
    await recorder.shows(0)
    for action, presses, place, act in todo:
        if place:
            await mouse.move(*place, steps=4)
        start = recorder.clock.now()
        await act()
        counted += presses
        await recorder.shows(counted)
        done.append((action, presses, start))
    return done


async def test_closing_the_browser_ends_it(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/counter") as (recorder, run):
        await recorder.page.mouse.click(50, 100)
        await recorder.page.close()
        assert (await asyncio.wait_for(run, 10)).reason == "browser closed"
    assert len([e for e in Recording(tmp_path / "r").events() if isinstance(e, ButtonChanged)]) == 2


async def test_the_keys_that_stop_it_do_so_in_a_password_field_too(web: Web, tmp_path: Path) -> None:
    """Whichever modifier goes down first; shift alone, which would tell of capitals, is written without its name."""
    for number, keys in enumerate(("Control+Shift+F12", "Shift+Control+F12")):
        out = tmp_path / str(number)
        async with recording(out, web.address() + "/") as (recorder, run):
            await recorder.page.mouse.click(*await middle(recorder.page, "#secret"))
            await recorder.page.keyboard.press("Shift+A")
            await recorder.page.keyboard.press(keys)
            assert (await asyncio.wait_for(run, 20)).reason == "stopped"
        typed = [event for event in Recording(out).events() if isinstance(event, KeyChanged)]
        assert [(event.key, event.down, event.masked) for event in typed] == [
            ("", down, True) for down in (True, True, False, False)
        ]


async def test_another_size_of_the_view_begins_a_segment(web: Web, tmp_path: Path) -> None:
    async with recording(tmp_path / "r", web.address() + "/counter") as (recorder, _):
        await drawn(recorder.page)
        await recorder.page.set_viewport_size({"width": 640, "height": 480})
        await recorder.page.mouse.click(50, 100)
        await drawn(recorder.page)
    assert [segment.header.screen for segment in Recording(tmp_path / "r").segments] == [VIEW, Size(640, 480)]


@pytest.mark.sweep
async def test_a_window_a_person_sees(
    web: Web, desktops: Desktops, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with a window on a display, worked by XTest."""
    needs("chromium")
    desktop = desktops()
    monkeypatch.setenv("DISPLAY", desktop.name)
    async with BrowserRecorder(tmp_path / "r", TASK, web.address() + "/") as recorder:
        run = asyncio.create_task(recorder.run())
        page = recorder.page
        await page.wait_for_load_state()
        hands, stillness = XInput(connect(desktop.name)), Stillness(connect(desktop.name))
        await asyncio.to_thread(stillness.settle, 5.0, 1.0, 30.0)
        corner = await page.evaluate("[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]")
        places = [await middle(page, selector) for selector in ("#name", "#secret")]
        for place, text in zip(places, ("Grüße", "s3cret"), strict=True):
            hands.move(round(corner[0] + place[0]), round(corner[1] + place[1]))
            await asyncio.to_thread(stillness.settle)  # nobody presses in the instant of arriving
            hands.button("left", True)
            hands.button("left", False)
            await asyncio.to_thread(stillness.settle)
            hands.write(text)
            await asyncio.to_thread(stillness.settle)
        hands.hotkey(("ctrl", "shift", "f12"))
        assert (await asyncio.wait_for(run, 20)).reason == "stopped"
    events = list(Recording(tmp_path / "r").events())
    hits = [event.hit.selector for event in events if isinstance(event, ButtonChanged) and event.down and event.hit]
    assert hits == ["#name", "#secret"]
    assert texts(events) == "Grüße"
    assert any(frame.rgb().std() > 10 for frame in Recording(tmp_path / "r").segments[-1].frames())


def test_the_command(web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["record", "--task", "look", "--out", str(tmp_path / "r"), "--headless", "--seconds", "1", "--json"]
    began = time.monotonic()
    assert main([*words, "--browser", web.address() + "/"]) == 0
    end = json.loads(capsys.readouterr().out)
    assert end["reason"] == "time is up"
    assert time.monotonic() - began < 60
    assert Recording(tmp_path / "r").header.task.start_url == web.address() + "/"


def test_an_address_that_cannot_be_opened(web: Web, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["record", "--task", "t", "--out", str(tmp_path / "r"), "--headless", "--browser", "http://127.0.0.1:9/"]
    assert main(words) == 2
    assert "http://127.0.0.1:9/ cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("frame", "view", "late"),
    [
        (Size(1280, 800), Size(640, 480), True),
        (Size(640, 480), Size(640, 480), False),
        (Size(1280, 800), Size(1280, 800), False),
        (Size(1280, 800), Size(640, 400), False),
    ],
)
def test_a_frame_of_the_view_before_is_told_by_its_shape(frame: Size, view: Size, late: bool) -> None:
    """It begins no segment of its own: what is told with it has changed before its picture did."""
    assert _is_late(SegmentHeader(0, Size(1280, 800), 0.0), frame, view) is late
