"""The parts of the script in every page share one scope."""

from __future__ import annotations

import re
from collections import Counter

from workalike.env.browser import world

_DECLARED = re.compile(r"^(?:const|let|class|(?:async )?function\*?) ([A-Za-z_$][\w$]*)", re.MULTILINE)


def test_no_two_parts_declare_the_same_name() -> None:
    """Two constants of one name break the whole script; of two functions only the last would be heard."""
    declared = Counter(_DECLARED.findall(world.script(())))
    assert len(declared) > 50
    assert [name for name, count in declared.items() if count > 1] == []
