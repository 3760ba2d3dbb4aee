"""`serve-oracle` for harnesses that are not ours: a raw HTTP client and plain Playwright solve a task with it."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Page, async_playwright

from workalike.cli import main
from workalike.env.browser import chromium

WIDTH, HEIGHT = 1280, 800
_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, str]]:
    """The server as anybody would start it, on ports that are free: its addresses by what they are for."""
    ports = ["--port", "0", "--town-port", "0", "--proxy-port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "workalike.cli", "serve-oracle", *ports, "--task", "shopping_list_1"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    found = {line.split()[0]: re.search(r"http://127\.0\.0\.1:\d+", line) for line in lines}
    yield {name: each[0] for name, each in found.items() if each}
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


@pytest.fixture(scope="module")
def address(served: dict[str, str]) -> str:
    return served["model"]


def fetch(url: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **(headers or {})})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return dict(json.load(answer))


def ask(address: str, token: str, screenshot: bytes) -> dict[str, Any]:
    """One question over chat completions, as a harness for Fara1.5 would put it; the call in the reply."""
    picture = {"url": f"data:image/jpeg;base64,{base64.b64encode(screenshot).decode()}"}
    content = [{"type": "text", "text": "What next?"}, {"type": "image_url", "image_url": picture}]
    body = {"model": "fara-1.5", "messages": [{"role": "user", "content": content}]}
    reply = fetch(f"{address}/v1/chat/completions", body, {"authorization": f"Bearer {token}"})
    assert reply["usage"]["total_tokens"] > 0
    found = _CALL.search(reply["choices"][0]["message"]["content"])
    assert found is not None
    return dict(json.loads(found[1])["arguments"])


async def do(page: Page, call: dict[str, Any]) -> None:
    """Carry a call out the simplest way; places are in thousandths of the screen."""
    x, y = (each * side / 1000 for each, side in zip(call.get("coordinate", (500, 500)), (WIDTH, HEIGHT), strict=True))
    match call["action"]:
        case "left_click":
            await page.mouse.click(x, y)
        case "mouse_move":
            await page.mouse.move(x, y)
        case "type":
            await page.keyboard.type(call["text"])
        case "key":
            await page.keyboard.press("+".join(call["keys"]))
        case "scroll":
            await page.mouse.wheel(0, -call["pixels"])
        case "visit_url":
            await page.goto(call["url"])
        case "wait":
            pass
        case other:
            raise AssertionError(f"the harness has no {other}")
    await page.wait_for_timeout(400)
    await page.wait_for_load_state("networkidle")


async def attempt(address: str, token: str, start: str) -> str:
    """Act until the model says that it is done; its answer."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium.find()), args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        page = await context.new_page()
        await page.goto(start)
        await page.wait_for_load_state("networkidle")
        for _ in range(80):
            page = context.pages[-1]
            call = ask(address, token, await page.screenshot(type="jpeg"))
            if call["action"] == "terminate":
                await browser.close()
                return str(call.get("answer", ""))
            await do(page, call)
    raise AssertionError("the model never came to an end")


@pytest.mark.parametrize("task", ["shopping_1", "comparison_shopping_1"])
async def test_somebody_elses_harness_solves_a_task(address: str, task: str) -> None:
    opened = fetch(f"{address}/attempts", {"task": task})
    assert opened["instruction"]
    answer = await attempt(address, opened["token"], opened["start"])
    judged = fetch(f"{address}/attempts/{opened['token']}/verdict?answer={quote(answer)}")
    assert judged["outcome"] == "success", judged
    untouched = fetch(f"{address}/attempts/shopping_list_1/verdict")
    assert untouched["outcome"] != "success"


def test_the_harness_in_the_docs_solves_its_task_through_the_proxy(served: dict[str, str], tmp_path: Path) -> None:
    """As a stranger would: the page's code in a file of its own, without anything of ours to import."""
    page = Path(__file__).parents[2] / "docs" / "other-harnesses.md"
    found = re.search(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert found is not None
    (tmp_path / "harness.py").write_text(found[1], "utf-8")
    own = {"MODEL": served["model"], "PROXY": served["proxy"], "CHROMIUM": str(chromium.find()), "PYTHONPATH": ""}
    harness = [sys.executable, "harness.py"]
    done = subprocess.run(harness, cwd=tmp_path, env={**os.environ, **own}, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("success\n", "")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/attempts", {"task": "no_such_task"}),
        ("/attempts", {"task": "shopping_1", "name": "a b"}),
        ("/attempts", {}),
        ("/attempts/nothing/verdict", None),
    ],
)
def test_what_cannot_be_done_is_said(address: str, path: str, body: dict[str, Any] | None) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        fetch(f"{address}{path}", body)
    assert caught.value.code == 400
    assert "that cannot be done" in json.load(caught.value)["error"]


def _given(ports: dict[str, int]) -> list[str]:
    return [word for option, port in ports.items() for word in (option, str(port))]


@pytest.mark.parametrize("option", ["--town-port", "--port", "--proxy-port"])
def test_a_port_that_is_taken_is_named_by_its_option(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = {"--town-port": 0, "--port": 0, "--proxy-port": 0, option: taken.getsockname()[1]}
        assert main(["serve-oracle", *_given(ports)]) == 2
    told = capsys.readouterr().err
    assert f"workalike: {option}: port {ports[option]} " in told
    assert "choose another, or 0" in told
    assert main(["serve-oracle", *_given({**ports, option: 70000})]) == 2
    assert f"{option}: must be a port from 0 to 65535, not 70000" in capsys.readouterr().err
