"""Workalike: watch people use computers, learn from it, act, and judge honestly.

import workalike as wa

done = wa.run("town", "oracle", limit=5, repeats=1, out="runs/first")
for trajectory in wa.load("runs/first"):
    print(trajectory.task.instruction, trajectory.answer)

Each verb is imported when it is first used. `docs/python.md` shows them all.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workalike.api import export, load, make, make_async, make_vec, reduce, report, run, verify

__version__ = "0.1.0"
__all__ = ["export", "load", "make", "make_async", "make_vec", "reduce", "report", "run", "verify"]


class _Room(ModuleType):
    """A folder of the package that bears a verb's name: called, it is the verb."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        return getattr(import_module("workalike.api"), self.__name__.rpartition(".")[2])(*given, **named)


class _Package(ModuleType):
    """The package itself, which finds verbs when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'workalike' has no attribute {name!r}")
        return getattr(import_module("workalike.api"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in __all__ and isinstance(value, ModuleType):  # a room of that name has just been imported
            value.__class__ = _Room
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
