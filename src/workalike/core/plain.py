"""Words of a page or a model, made fit to be shown."""

from __future__ import annotations


def plain(text: str) -> str:
    """The words as a terminal may be shown them: what would steer it, or turn the writing round, is marked instead.

    >>> plain("ok\\x1b[2J\\u202egnp")
    'ok\ufffd[2J\ufffdgnp'
    """
    return "".join(c if c.isprintable() or c in " \n" else "\ufffd" for c in text)
