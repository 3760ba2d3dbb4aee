"""PyAutoGUI code → actions by a whitelist over its syntax tree. Nothing is executed: what is not on the list is refused
with its line."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Iterator

from workalike.core.actions import Action, KeyDown, KeyUp, points
from workalike.core.errors import Unreadable
from workalike.core.screen import Point, Size
from workalike.core.spaces import Space
from workalike.dialects.gestures import joined
from workalike.dialects.pyautogui.calls import CALLS, CONSTANTS, TWEEN, Call, keys_of
from workalike.dialects.values import shown

_MODULES = ("pyautogui", "computer", "time")
_SETTINGS = ("pyautogui.PAUSE", "pyautogui.FAILSAFE")
_MOST_ACTIONS = 2_000


def read(code: str, screen: Size, space: Space, lines_before: int = 0) -> tuple[Action, ...]:
    """The actions of some code; line numbers in errors count `lines_before` too."""
    if code.lstrip("\r\n")[:1] in (" ", "\t"):
        code = textwrap.dedent(code)
    reader = _Reader(code, screen, space, lines_before)
    actions = joined(reader.statements(_tree(code, lines_before).body))
    if not actions:
        raise Unreadable("there is no action in this code", code)
    return actions


def _tree(code: str, lines_before: int) -> ast.Module:
    try:
        with warnings.catch_warnings():  # an odd escape in a text is the model's business, not a warning of ours
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except SyntaxError as error:
        line = (error.lineno or 1) + lines_before
        raise Unreadable(f"not Python code, {error.msg}", _line_at(code, error.lineno or 1), line) from error
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise Unreadable(f"not Python code, {str(error) or 'too deeply nested'}", code) from error


def _line_at(code: str, line: int) -> str:
    lines = code.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


class _Reader:
    """Walks the statements of one text, remembering what imports made names mean and where the pointer is."""

    def __init__(self, code: str, screen: Size, space: Space, lines_before: int) -> None:
        self.code, self.screen, self.space, self.lines_before = code, screen, space, lines_before
        self.names = {name: name for name in _MODULES}
        self.pointer: Point | None = None
        self.count = 0

    def statements(self, body: list[ast.stmt]) -> Iterator[Action]:
        for statement in body:
            try:
                yield from self.statement(statement)
            except Unreadable as error:
                if error.line is not None:
                    raise
                line = statement.lineno
                raise Unreadable(error.reason, _line_at(self.code, line), line + self.lines_before) from error

    def statement(self, statement: ast.stmt) -> Iterator[Action]:
        match statement:
            case ast.Expr(value=ast.Call() as call):
                yield from self.call(call)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=None)], body=body):
                yield from self.hold(call, body)
            case ast.Import(names=names):
                for alias in names:
                    self.bring_in(alias.name, alias.asname or alias.name)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    self.bring_in(f"{module}.{alias.name}", alias.asname or alias.name)
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if self.dotted(target) in _SETTINGS:
                self.value(value)
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                raise Unreadable(f"only calls of PyAutoGUI are read, not {_described(statement)}")

    def bring_in(self, dotted: str, name: str) -> None:
        if dotted.partition(".")[0] not in _MODULES or dotted.endswith("*"):
            raise Unreadable(f"only pyautogui and time may be imported by name, not {shown(dotted)}")
        self.names[name] = dotted

    def call(self, call: ast.Call) -> Iterator[Action]:
        name = self.dotted(call.func)
        reader = CALLS.get(name)
        if reader is None:
            raise Unreadable(f"{shown(name)} is not a call that is read" if name else "only named functions are read")
        made = reader(self.arguments(name, call))
        self.count += len(made)
        for point in (point for action in made for point in points(action)):
            self.pointer = point
        if self.count > _MOST_ACTIONS:
            raise Unreadable(f"more than {_MOST_ACTIONS:,} actions in one text")
        yield from made

    def hold(self, call: ast.Call, body: list[ast.stmt]) -> Iterator[Action]:
        name = self.dotted(call.func)
        if name != "pyautogui.hold":
            raise Unreadable(f"only pyautogui.hold(…) stands in a with, not {shown(name)}")
        keys = keys_of(self.arguments(name, call))
        yield from (KeyDown(key) for key in keys)
        yield from self.statements(body)
        yield from (KeyUp(key) for key in reversed(keys))

    def arguments(self, name: str, call: ast.Call) -> Call:
        named: dict[str, object] = {}
        for keyword in call.keywords:
            if keyword.arg is None or keyword.arg in named:
                raise Unreadable(f"{name} has arguments that are not read: {keyword.arg or '**'}")
            named[keyword.arg] = self.value(keyword.value)
        return Call(
            name, [self.value(argument) for argument in call.args], named, self.screen, self.space, self.pointer
        )

    def value(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.UnaryOp(op=ast.UAdd(), operand=ast.Constant(value=int() | float() as value)):
                return value
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.item(item) for item in items]
            case ast.Attribute():
                return self.constant(self.dotted(node))
            case _:
                raise Unreadable(f"only plain values are read as arguments, not {_described(node)}")

    def constant(self, name: str) -> str:
        """`pyautogui.LEFT` and its kind; the names of tweens tell only how the pointer travels."""
        module, _, short = name.partition(".")
        if module == "pyautogui" and (short == "linear" or short.startswith("ease")):
            return TWEEN
        if module != "pyautogui" or short not in CONSTANTS:
            raise Unreadable(f"only plain values are read as arguments, not {shown(name)}")
        return CONSTANTS[short]

    def item(self, node: ast.expr) -> object:
        if isinstance(node, ast.List | ast.Tuple):
            raise Unreadable("lists within lists are not read")
        return self.value(node)

    def dotted(self, node: ast.expr) -> str:
        """`pg.click` → "pyautogui.click", given `import pyautogui as pg`; empty for what is no dotted name."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name, name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                return f"{self.names.get(name, name)}.{attribute}"
            case _:
                return ""


_WORDS = {
    "FunctionDef": "a function", "For": "a loop", "While": "a loop", "If": "an if", "Try": "a try",
    "Assign": "an assignment", "Expr": "an expression", "JoinedStr": "an f-string", "BinOp": "a calculation",
    "Name": "a variable", "Call": "a call", "With": "such a with",
}  # fmt: skip


def _described(node: ast.AST) -> str:
    name = type(node).__name__
    return _WORDS.get(name, f"a {name}")
