"""What programs that an agent controls get of the user's environment variables: how to run here, and no keys."""

from __future__ import annotations

import os

COMMON = (
    *("PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "LC_*", "TMPDIR", "TEMP", "TMP"),
    *("FONTCONFIG_PATH", "FONTCONFIG_FILE", "SYSTEMROOT", "LOCALAPPDATA"),
)
"""Where programs, libraries, fonts and words are found; a `*` at the end stands for anything."""


def inherited(*names: str) -> dict[str, str]:
    """The variables of these names, and the common ones, as far as they are set."""
    wanted = (*COMMON, *names)
    return {name: value for name, value in os.environ.items() if any(_is(name, one) for one in wanted)}


def _is(name: str, wanted: str) -> bool:
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted
