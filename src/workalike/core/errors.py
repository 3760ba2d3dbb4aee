"""The one tree of errors. Each is raised with a sentence a user can act on.

WorkalikeError
├── BadInput                 what a user or a file gave is wrong; the command line exits with 2
│   ├── DialectError
│   │   ├── Unreadable       a text is not an action of this dialect
│   │   └── Inexpressible    an action has no form in this dialect
│   ├── Damaged              a file on disk is not what it should be
│   ├── MissingExtra         a package is not installed that only some jobs need
│   └── InUse                somebody else is writing there
├── ActionFailed             an action could not be carried out; the agent is told and goes on
├── Refused                  a policy stopped something; the agent is told and goes on
├── AgentFailed              the agent itself broke; the attempt ends as an agent error
├── ModelFailed              a model's service gave no usable answer
├── OverBudget               money, tokens or steps have run out
└── Infrastructure           browser, display, disk or network broke; the try is repeated
    ├── PageGone             a page crashed or closed under an action
    ├── ServiceDown          a model's service cannot be reached, or turns everybody away; nothing more is begun
    ├── DiskFailed           nothing can be written, as on a full disk; nothing more is begun
    └── NobodyLeft           no node of a cluster can do the work any more; nothing more is begun
"""

from __future__ import annotations


class WorkalikeError(Exception):
    """Everything this package raises on purpose."""


class BadInput(WorkalikeError):
    """What was given is wrong; the sentence names what, where and the remedy."""


class DialectError(BadInput):
    """A text and an action do not fit together in some dialect."""


class Unreadable(DialectError):
    """A text is not an action of the dialect that was asked to read it."""

    def __init__(self, reason: str, text: str = "", line: int | None = None) -> None:
        self.reason, self.text, self.line = reason, text, line
        where = f" in line {line}" if line is not None else ""
        shown = f": {_shorten(text)!r}" if text else ""
        super().__init__(f"{reason}{where}{shown}")


class Inexpressible(DialectError):
    """An action has no form in the dialect that was asked to write it."""

    def __init__(self, dialect: str, kind: str, reason: str = "") -> None:
        self.dialect, self.kind = dialect, kind
        super().__init__(f"the {dialect} dialect cannot express {kind}" + (f": {reason}" if reason else ""))


class Damaged(BadInput):
    """A file on disk is not what it should be."""


class MissingExtra(BadInput):
    """A package is not installed that only some jobs need. There is no release yet, so it comes from a clone."""

    def __init__(self, job: str, package: str, extra: str, otherwise: str = "") -> None:
        super().__init__(f"{job} needs {package}: {install_hint(extra)}{otherwise}")


class InUse(BadInput):
    """Somebody else is writing where we were asked to write."""


class ActionFailed(WorkalikeError):
    """An action could not be carried out; the agent is told and may go on."""


class Refused(WorkalikeError):
    """A policy stopped something; the agent is told and may go on."""


class AgentFailed(WorkalikeError):
    """The agent itself broke."""


class ModelFailed(WorkalikeError):
    """A model's service gave no usable answer."""


class OverBudget(WorkalikeError):
    """Money, tokens or steps have run out."""


class Infrastructure(WorkalikeError):
    """Browser, display, disk or network broke; never the agent's fault."""


class PageGone(Infrastructure):
    """A page crashed or closed under an action."""


class ServiceDown(Infrastructure):
    """A model's service cannot be reached or turns us away, whatever is asked; nothing more is begun."""


class DiskFailed(Infrastructure):
    """The disk takes nothing more, whatever is written; nothing more is begun, since it could not be kept."""


class NobodyLeft(Infrastructure):
    """No node of a cluster can do the work any more; nothing more is begun."""


def install_hint(extra: str) -> str:
    """How an extra is installed."""
    return f"run `pip install '.[{extra}]'` in a clone of Workalike"


def in_a_line(error: BaseException) -> str:
    """An error's kind and the first line of what it says."""
    first = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _shorten(text: str, most: int = 120) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
