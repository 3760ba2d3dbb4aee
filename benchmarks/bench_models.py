"""What talking to a model costs besides the model: imports, our share of a request, the transcript."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import Figure, interleaved
from workalike.core.screen import Size
from workalike.models.asked import Asked
from workalike.models.client import ServiceClient, ServiceLimits
from workalike.models.fences import Fence
from workalike.models.keys import Keys
from workalike.models.messages import Picture, Reply, Request, Text, said
from workalike.models.names import resolve
from workalike.models.served import Models
from workalike.models.server.app import application
from workalike.models.wire import chat
from workalike.runtime.serving import serving_apart

TIMES = 25
PICTURE = Picture(b"\x89PNG" + bytes(range(256)) * 800, Size(1428, 896))
REQUEST = Request((said("system", "rules " * 500), *[said("user", PICTURE, "look " * 50) for _ in range(3)]))


def measure() -> list[Figure]:
    return [*_imports(), *asyncio.run(_requests())]


def _imports() -> list[Figure]:
    def python(code: str) -> Any:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    works = {
        "bare": python("pass"),
        "package": python("import workalike"),
        "models": python("import workalike.models.served"),
    }
    seconds = interleaved(works, 7)
    code = "import sys, workalike.models.served; print(sum(m in sys.modules for m in ('openai', 'anthropic')))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [
        Figure("import workalike / a bare interpreter", seconds["package"] / seconds["bare"], aim="≈ 1"),
        Figure("import workalike.models.served / a bare interpreter", seconds["models"] / seconds["bare"]),
        Figure("model SDKs imported by it", float(found.stdout), "", "0"),
    ]


async def _requests() -> list[Figure]:
    """A request with three pictures over loopback: the SDK alone, with our books around it, and with a transcript."""

    async def answer(asked: Asked) -> Reply:
        return Reply((Text("ok"),))

    keys, limits = Keys({}), ServiceLimits()
    with serving_apart(application(answer)) as url, tempfile.TemporaryDirectory() as folder:
        endpoint = resolve(f"m@{url}/v1", keys)
        line, fence = ServiceClient(endpoint, keys, limits), Fence()
        async with Models(keys=keys, limits=limits) as models:
            plain = models.open(f"m@{url}/v1")
            kept = models.open(f"m@{url}/v1", transcript=Path(folder) / "transcript.jsonl")
            taken: dict[str, list[float]] = {"sdk": [], "plain": [], "kept": []}
            for _ in range(TIMES):
                body = chat.body(REQUEST, endpoint, fence)
                await _timed(taken["sdk"], line.post(chat.PATH, body, {}))
                await _timed(taken["plain"], plain.reply(REQUEST))
                await _timed(taken["kept"], kept.reply(REQUEST))
            await kept.close()
        await line.close()
    # The least of many: what else the machine does only adds to it.
    bare, plain_one, kept_one = (min(taken[name]) for name in ("sdk", "plain", "kept"))
    return [
        Figure("a request through our books / the SDK alone", plain_one / bare, aim="< 1.5"),
        Figure("the same with a synced transcript / the SDK alone", kept_one / bare, aim="< 2"),
        Figure("our share of a request, transcript included", (kept_one - bare) * 1000, "ms"),
    ]


async def _timed(into: list[float], work: Any) -> None:
    start = time.perf_counter()
    await work
    into.append(time.perf_counter() - start)
