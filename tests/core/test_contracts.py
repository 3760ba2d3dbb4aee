"""An agent's author imports the contract and no browser."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"playwright", "openai", "anthropic", "PIL", "numpy", "starlette", "rich", "av"}


def test_the_contract_pulls_in_nothing_heavy() -> None:
    code = "import sys, workalike.core.contracts; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "workalike" in loaded
    assert not loaded & HEAVY
