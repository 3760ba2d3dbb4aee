"""What the documentation shows does run."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from understudy.env.conformance import check_agent

DOCS = Path(__file__).resolve().parents[2] / "docs"


def code(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)


class Model(BaseHTTPRequestHandler):
    """An endpoint that answers every chat the same way."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "CLICK 1"}}
        body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield
    server.shutdown()
    server.server_close()


@pytest.mark.asyncio(loop_scope="session")
async def test_the_agent_in_the_documentation_keeps_every_promise(
    endpoint: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shown_agent.py").write_text(code("own-agent.md")[0], encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    from importlib import import_module

    checks = await check_agent(import_module("shown_agent").MyAgent, steps=2)
    assert [check for check in checks if not check.passed] == []


def test_the_agent_in_the_documentation_is_short() -> None:
    lines = [line for line in code("own-agent.md")[0].splitlines() if line.strip()]
    assert len(lines) <= 30


@pytest.mark.parametrize("name", ["environment.md", "own-agent.md"])
def test_all_code_in_the_documentation_is_python(name: str) -> None:
    for number, part in enumerate(code(name)):
        compile(part, f"{name}, part {number}", "exec")
