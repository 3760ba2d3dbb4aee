"""Nothing but a request imports a model SDK."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("openai", "anthropic", "httpx", "httpx2", "pydantic", "genai_prices", "PIL", "uvicorn", "starlette")


def test_importing_the_package_pulls_in_no_sdk() -> None:
    code = (
        "import sys, workalike, workalike.models.served, workalike.models.ask, workalike.models.by_hand, "
        "workalike.models.probe, workalike.models.prompts\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
