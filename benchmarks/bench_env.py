"""The browser environment against bare Playwright, on a page of about 2,000 accessibility nodes, network policy on.

Every pair is measured in turns on one machine in one run; the figures are ratios of medians. Chromium draws 60 frames a
second, so that what follows directly on a capture waits for the next one: each look and step begins at a moment of its
own, as it does after a model's answer.
"""

from __future__ import annotations

import asyncio
import base64
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from playwright.async_api import Browser, CDPSession, Page, async_playwright

from benchmarks import Figure, resident
from workalike.core.actions import Click, Visit
from workalike.core.contracts import Percept, Wants
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Step
from workalike.env.browser import chromium
from workalike.env.browser.environment import BrowserEnvironment
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.pictures.codec import decode, encode
from workalike.pictures.marks import draw_marks

ROUNDS = 40
NAVIGATIONS = 200
ATTEMPTS = 60
AT_ONCE = 4
FRAMES_A_SECOND = 60
HOST = "bench.localhost"
Work = Callable[[], Awaitable[object]]


def page() -> str:
    """A shop: header, search, filters, 110 products; about 2,000 nodes in the accessibility tree."""
    products = "".join(
        f"""<li><a href="/p/{n}"><b>Product {n}</b></a><p>Made of wood, {n} cm long, in stock</p><span>{n}.99 €</span>
        <label><input type=checkbox> Compare</label> <button onclick="add()">Add</button></li>"""
        for n in range(110)
    )
    return f"""<!doctype html><title>Shop</title><style>body {{ font: 15px sans-serif; margin: 0 }}
      ul {{ display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px; list-style: none }}
      li {{ border: 1px solid #ccc; padding: 8px; background: linear-gradient(#fff, #eef) }}</style>
      <header><h1>Shop</h1><input placeholder=Search><select><option>All<option>Wood</select><b id=count>0</b></header>
      <ul>{products}</ul><script>const add = () => count.textContent = +count.textContent + 1</script>"""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    body = page().encode()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _serve(line: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    line.send(server.server_address[1])
    server.serve_forever()


class Bare:
    """What the environment is compared with: a page of Playwright's and a CDP session, nothing in between."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.page, self.session = page, session

    @staticmethod
    async def open(browser: Browser, url: str) -> Bare:
        context = await browser.new_context(viewport={"width": 1440, "height": 900})
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await page.goto(url)
        return Bare(page, session)

    async def shot(self) -> bytes:
        taken = await self.session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return base64.b64decode(taken["data"])

    async def step(self) -> None:
        await self.page.mouse.click(*TARGET)
        await self.shot()

    async def visit(self, url: str) -> None:
        await self.page.goto(url)
        await self.shot()


TARGET = (156, 200)
CLICK = Click(Size(1440, 900).point(*TARGET))


class Ours:
    """The environment, doing the same and writing it down."""

    def __init__(self, environment: BrowserEnvironment, folder: Path) -> None:
        self.environment, self.folder = environment, folder
        self._lines = (folder / f"{id(self)}.jsonl").open("ab")

    async def observe(self) -> Percept:
        return await self.environment.observe(Wants(elements=True))

    async def marked(self) -> bytes:
        percept = await self.observe()
        assert percept.picture is not None
        return encode(draw_marks(decode(percept.picture), percept.observation.elements or ()), "jpeg")

    async def step(self) -> None:
        taken = await self.environment.act(CLICK)
        self._write(await self.environment.observe(), taken)

    async def visit(self, url: str) -> None:
        taken = await self.environment.act(Visit(url))
        assert taken.error is None
        percept = await self.environment.observe()
        assert percept.picture is not None
        self._write(percept, taken)

    def _write(self, percept: Percept, taken: ActionResult) -> None:
        """As the store does: the picture first, under its final name only when it is whole, then the line; synced."""
        assert percept.picture is not None
        assert percept.observation.picture is not None
        target = self.folder / percept.observation.picture.name
        if not target.exists():
            with target.with_suffix(".part").open("wb") as out:
                out.write(percept.picture)
                out.flush()
                os.fsync(out.fileno())
            target.with_suffix(".part").rename(target)
        self._lines.write(msgspec.json.encode(Step(percept.observation, (taken,))) + b"\n")
        self._lines.flush()
        os.fsync(self._lines.fileno())


def measure() -> list[Figure]:
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(child,), daemon=True)
    server.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(_measure(parent.recv(), Path(folder)))
    finally:
        server.terminate()
        server.join()


async def _measure(port: int, folder: Path) -> list[Figure]:
    policy = Policy(hosts={HOST: f"127.0.0.1:{port}"})
    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        stack.push_async_callback(browser.close)
        stage = await stack.enter_async_context(Stage())
        bares = [await Bare.open(browser, f"http://127.0.0.1:{port}/") for _ in range(AT_ONCE)]
        ours = []
        for _ in range(AT_ONCE):
            environment = stage.environment(policy)
            await environment.reset(Task("b", "b", start_url=f"http://{HOST}/"))
            stack.push_async_callback(environment.close)
            ours.append(Ours(environment, folder))
        figures = await _single(bares[0], ours[0], port)
        figures.append(await _at_once(bares, ours))
        figures.append(await _memory(stage, policy))
        return figures


async def _single(bare: Bare, ours: Ours, port: int) -> list[Figure]:
    nodes = len((await bare.session.send("Accessibility.getFullAXTree"))["nodes"])
    looks = await _in_turns({"bare": bare.shot, "elements": ours.observe, "marked": ours.marked}, ROUNDS)
    steps = await _in_turns({"bare": bare.step, "ours": ours.step}, ROUNDS)
    visits = await _in_turns(
        {"bare": lambda: bare.visit(f"http://127.0.0.1:{port}/"), "ours": lambda: ours.visit(f"http://{HOST}/")}, ROUNDS
    )
    for number in range(NAVIGATIONS):
        await ours.visit(f"http://{HOST}/{number}")
    return [
        _ratio("observation with the list of elements", looks["elements"], looks["bare"], "≤ 1.2", f"{nodes} nodes"),
        _ratio("… with marks drawn and encoded", looks["marked"], looks["bare"], "≤ 1.6"),
        _ratio("step: click, settle, observe, written and synced", steps["ours"], steps["bare"], "≤ 1.5"),
        _ratio("step that navigates", visits["ours"], visits["bare"], "≤ 1.5"),
        Figure(f"capture failures in {NAVIGATIONS} navigations", 0, "", "0"),
    ]


async def _at_once(bares: list[Bare], ours: list[Ours]) -> Figure:
    """Steps a second of four at once, ours over bare Playwright's."""

    async def all_of(steps: list[Callable[[], Awaitable[None]]]) -> None:
        async def several(step: Callable[[], Awaitable[None]]) -> None:
            for _ in range(8):
                await step()

        await asyncio.gather(*map(several, steps))

    taken = await _in_turns(
        {"bare": lambda: all_of([bare.step for bare in bares]), "ours": lambda: all_of([our.step for our in ours])}, 5
    )
    return Figure(
        f"{AT_ONCE} at once, steps a second over bare Playwright", taken["bare"] / taken["ours"], "×", "≥ 0.85"
    )


async def _memory(stage: Stage, policy: Policy) -> Figure:
    """How much memory (ours and the browser's) grows over the second half of many attempts."""
    sizes = []
    for number in range(ATTEMPTS):
        environment = stage.environment(policy)
        await environment.reset(Task("m", "m", start_url=f"http://{HOST}/"))
        await environment.act(Click(Point(0.5, 0.5)))
        await environment.close()
        if number + 1 in (ATTEMPTS // 2, ATTEMPTS):
            sizes.append(resident())
    detail = f"{sizes[0] / 1e6:.0f} MB after {ATTEMPTS // 2} attempts, {sizes[1] / 1e6:.0f} MB after {ATTEMPTS}"
    return Figure("memory after many attempts over half as many", sizes[1] / sizes[0], "×", "flat", detail)


async def _in_turns(works: dict[str, Work], times: int) -> dict[str, float]:
    """Median seconds of several works done in turns, after one round to warm up."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    moment = random.Random(1)
    for _ in range(times + 1):
        for name, work in works.items():
            await asyncio.sleep(moment.uniform(0, 2 / FRAMES_A_SECOND))
            start = time.perf_counter()
            await work()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(seconds[1:]) for name, seconds in taken.items()}


def _ratio(name: str, ours: float, bare: float, aim: str, more: str = "") -> Figure:
    detail = f"{ours * 1000:.0f} ms against {bare * 1000:.0f} ms" + (f", {more}" if more else "")
    return Figure(name, ours / bare, "×", aim, detail)
