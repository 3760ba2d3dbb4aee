"""What the documentation shows does run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from workalike.env.conformance import check_agent
from workalike.models.asked import Asked
from workalike.models.messages import Reply, Text
from workalike.models.server.app import application
from workalike.runtime.serving import serving_apart

DOCS = Path(__file__).resolve().parents[2] / "docs"


def code(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)


async def clicks(asked: Asked) -> Reply:
    return Reply((Text("CLICK 1"),))


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A model that answers every chat the same way."""
    with serving_apart(application(clicks)) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield


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
