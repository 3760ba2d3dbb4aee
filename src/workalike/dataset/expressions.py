"""Filter expressions over the fields of a row: parsed by hand, never executed as code.

    efficiency_score >= 7 and system == 'ubuntu' and steps < 30
    domain in ['Work', 'Daily'] or instruction matches 'excel|sheet'
    count(traj, last_step_correct == false) == 0 and not (task_completed == null)
    any(traj, code contains 'hotkey') and verify_feedback.quality == 'good'

Names are fields of the row, of its metadata, or of a step within any(), all() and count(); dots reach into objects. A
name that is missing is null. Comparing what cannot be compared (null with a number, a text with a number) decides
nothing: the row does not pass, and `undecided` counts it, so that no row is dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from workalike.core.errors import BadInput

Test = Callable[[Mapping[str, Any]], Any]
_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?![\w.]))|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,))"
)
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "contains", "matches")
_QUANTIFIERS = ("any", "all", "count")
_FUNCTIONS = ("length", "lower")
_DEEPEST = 60
_LONGEST = 10_000


class Undecided(Exception):
    """Two values that cannot be compared met."""


class Token(NamedTuple):
    kind: str
    text: str
    at: int


class Expression:
    """A parsed filter. `names` are the fields it asks for; `undecided` counts the rows it could not decide."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: set[str] = set()
        self.undecided = 0
        self._test = _Parser(text, self.names).whole()

    def __call__(self, fields: Mapping[str, Any]) -> bool:
        """Whether a row passes."""
        try:
            return bool(self._test(fields))
        except Undecided:
            self.undecided += 1
            return False


class _Parser:
    """A recursive descent: or, and, not, comparison, value."""

    def __init__(self, text: str, names: set[str]) -> None:
        if len(text) > _LONGEST:
            raise BadInput(f"a filter of {len(text):,} characters is too long; at most {_LONGEST:,} are read")
        self.text, self.names = text, names
        self.tokens = _tokens(text)
        self.at = self.depth = self.within = 0

    def whole(self) -> Test:
        test = self.either()
        if self.at < len(self.tokens):
            raise self.complaint("nothing more was expected here")
        return test

    def either(self) -> Test:
        tests = [self.both()]
        while self.word("or"):
            tests.append(self.both())
        return tests[0] if len(tests) == 1 else lambda row: _some(True, (partial(test, row) for test in tests))

    def both(self) -> Test:
        tests = [self.negation()]
        while self.word("and"):
            tests.append(self.negation())
        return tests[0] if len(tests) == 1 else lambda row: not _some(False, (partial(test, row) for test in tests))

    def negation(self) -> Test:
        with self.deeper():
            if self.word("not"):
                test = self.negation()
                return lambda row: not test(row)
            return self.comparison()

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """What holds something within itself, down to a depth that every machine can follow."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise BadInput(f"the filter is nested more than {_DEEPEST} deep; say it more simply")
        yield
        self.depth -= 1

    def comparison(self) -> Test:
        left = self.value()
        denied = self.peek_word("not") and self.peek_word("in", 1)
        if denied:
            self.at += 1
        sign = self.peek()
        if sign is None or sign.text not in _COMPARISONS or sign.kind == "text":
            return left
        self.at += 1
        start = self.at
        right = self.value()
        compare = self.matcher(start) if sign.text == "matches" else _COMPARE[sign.text]
        if denied:
            return lambda row: not compare(left(row), right(row))
        return lambda row: compare(left(row), right(row))

    def matcher(self, start: int) -> Callable[[Any, Any], bool]:
        """A pattern must be written out, so that it is compiled once and a bad one is refused at once."""
        if self.at != start + 1 or self.tokens[start].kind != "text":
            raise self.complaint("`matches` needs a pattern in quotes", start)
        try:
            pattern = re.compile(_unquoted(self.tokens[start].text), re.IGNORECASE)
        except re.error as error:
            raise self.complaint(f"the pattern is no regular expression ({error})", start) from None
        return lambda value, _: _is_text(value) and pattern.search(value) is not None

    def value(self) -> Test:
        token = self.peek()
        if token is None:
            raise self.complaint("something is missing at the end")
        self.at += 1
        if token.kind == "number":
            number = float(token.text) if "." in token.text else int(token.text)
            return lambda row: number
        if token.kind == "text":
            text = _unquoted(token.text)
            return lambda row: text
        if token.kind == "name":
            return self.named(token)
        if token.text == "(":
            inner = self.either()
            self.expect(")")
            return inner
        if token.text == "[":
            return self.listed()
        raise self.complaint(f"a field or a value was expected, not {token.text!r}", self.at - 1)

    def named(self, token: Token) -> Test:
        name = token.text
        if name.lower() in _WORDS:
            word = _WORDS[name.lower()]
            return lambda row: word
        following = self.peek()
        if following is not None and following.text == "(" and following.kind == "sign":
            return self.called(token)
        if name in ("and", "or", "in", "contains", "matches", "not"):
            raise self.complaint(f"a field or a value was expected, not {name!r}", self.at - 1)
        if not self.within:
            self.names.add(name)
        return reach(name.split("."))

    def called(self, token: Token) -> Test:
        if token.text not in (*_QUANTIFIERS, *_FUNCTIONS):
            known = ", ".join((*_QUANTIFIERS, *_FUNCTIONS))
            raise self.complaint(f"there is no function {token.text!r}; there are {known}", self.at - 1)
        self.expect("(")
        with self.deeper():
            value = self.value()
        if token.text in _FUNCTIONS:
            self.expect(")")
            return _length(value) if token.text == "length" else _lower(value)
        self.expect(",")
        self.within += 1
        test = self.either()
        self.within -= 1
        self.expect(")")
        return _quantifier(token.text, value, test)

    def listed(self) -> Test:
        values: list[Test] = []
        while not self.take("]"):
            if values:
                self.expect(",")
            with self.deeper():
                values.append(self.value())
        return lambda row: [value(row) for value in values]

    def peek(self, ahead: int = 0) -> Token | None:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def peek_word(self, word: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token is not None and token.kind == "name" and token.text == word

    def word(self, word: str) -> bool:
        if self.peek_word(word):
            self.at += 1
            return True
        return False

    def take(self, sign: str) -> bool:
        token = self.peek()
        if token is not None and token.kind == "sign" and token.text == sign:
            self.at += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.complaint(f"{sign!r} was expected here")

    def complaint(self, reason: str, at: int | None = None) -> BadInput:
        index = self.at if at is None else at
        place = self.tokens[index].at if index < len(self.tokens) else len(self.text)
        return BadInput(f"the filter cannot be read: {reason}, at {self.text[:place]}▸{self.text[place:]}")


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None and text[at:].lstrip().startswith("="):
            raise BadInput(f"the filter cannot be read: equal is written ==, not =, at {text[:at]}▸{text[at:]}")
        if found is None:
            raise BadInput(f"the filter cannot be read: no field, value or sign, at {text[:at]}▸{text[at:]}")
        kind = found.lastgroup or ""
        tokens.append(Token(kind, found[kind], found.start(kind)))
        at = found.end()
    return tokens


def _unquoted(quoted: str) -> str:
    """A text without its quotes; a backslash stands before a quote or another backslash, and else for itself, as
    patterns want it."""
    return re.sub(r"\\(['\"\\])", r"\1", quoted[1:-1]) if "\\" in quoted else quoted[1:-1]


def reach(path: list[str]) -> Test:
    """Whoever looks up a name that may lead into objects, within a row or a step."""
    first, rest = path[0], path[1:]

    def reached(row: Mapping[str, Any]) -> Any:
        value = row.get(first)
        if value is None and first not in row:
            value = row["value"].get(first) if isinstance(row.get("value"), dict) else None
        for name in rest:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    return reached


def _some(wanted: bool, tests: Iterable[Callable[[], Any]]) -> bool:
    """Whether some test comes out as wanted. One that cannot be decided matters only where no other settles it."""
    undecided = False
    for test in tests:
        try:
            if bool(test()) is wanted:
                return True
        except Undecided:
            undecided = True
    if undecided:
        raise Undecided
    return False


def _quantifier(name: str, of: Test, test: Test) -> Test:
    def inner(row: Mapping[str, Any]) -> Any:
        items = of(row)
        if not isinstance(items, list | tuple):
            raise Undecided
        tests = (partial(test, item) for item in items if isinstance(item, dict))
        if name == "count":
            return sum(bool(passes()) for passes in tests)
        return _some(True, tests) if name == "any" else not _some(False, tests)

    return inner


def _length(value: Test) -> Test:
    def length(row: Mapping[str, Any]) -> int:
        held = value(row)
        if not isinstance(held, str | list | tuple | dict):
            raise Undecided
        return len(held)

    return length


def _lower(value: Test) -> Test:
    def lower(row: Mapping[str, Any]) -> str:
        held = value(row)
        if not isinstance(held, str):
            raise Undecided
        return held.lower()

    return lower


def _is_text(value: Any) -> bool:
    if not isinstance(value, str):
        raise Undecided
    return True


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def inner(left: Any, right: Any) -> bool:
        if not (_numbers(left, right) or (isinstance(left, str) and isinstance(right, str))):
            raise Undecided
        return compare(left, right)

    return inner


def _numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _same(left: Any, right: Any) -> bool:
    """Equal and of one kind: 1 is not true."""
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def _in(left: Any, right: Any) -> bool:
    if isinstance(right, str) and isinstance(left, str):
        return left in right
    if not isinstance(right, list | tuple):
        raise Undecided
    if isinstance(left, list | tuple):
        return any(_in(item, right) for item in left)
    return any(_same(left, item) for item in right)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": _same,
    "!=": lambda left, right: not _same(left, right),
    "<": _ordered(lambda left, right: bool(left < right)),
    "<=": _ordered(lambda left, right: bool(left <= right)),
    ">": _ordered(lambda left, right: bool(left > right)),
    ">=": _ordered(lambda left, right: bool(left >= right)),
    "in": _in,
    "contains": lambda left, right: _in(right, left),
}
