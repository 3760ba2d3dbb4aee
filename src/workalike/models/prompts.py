"""Prompts are files beside the code that uses them. A user's folder may replace any of them; whatever a prompt made
records that prompt's hash.

The prompts of `workalike/FOLDER` lie in `FOLDER/prompts/NAME.md` and are called `FOLDER/NAME`; `--prompts DIR` looks
for `DIR/FOLDER/NAME.md` first. `{{word}}` stands for a value that the code fills in. Those of `families` are called
`agents/NAME`: under that name users' folders and runs on disk know them.
"""

from __future__ import annotations

import hashlib
import re
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from workalike.core.errors import BadInput
from workalike.models.messages import Part, Text, Untrusted

_HOLE = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
_PACKAGE = Path(__file__).resolve().parents[1]
_CALLED = {"families": "agents"}

V = TypeVar("V")
Value = str | Part | tuple[Part, ...]


class Prompt(msgspec.Struct, frozen=True, dict=True):
    """The words of one prompt, and where they came from."""

    name: str
    text: str
    path: Path

    @cached_property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def _pieces(self) -> list[str]:
        """Words and names of holes in turn."""
        return _HOLE.split(self.text)

    @cached_property
    def holes(self) -> frozenset[str]:
        """The names of the values it asks for."""
        return frozenset(self._pieces[1::2])

    def parts(self, **values: Value) -> tuple[Part, ...]:
        """The prompt filled in: strings are put in as they are (and never filled in again), pictures and untrusted
        words keep their place among the text."""
        filled: list[Part] = []
        words = ""
        for index, piece in enumerate(self._pieces):
            value = self._value(piece, values) if index % 2 else piece
            if isinstance(value, str):
                words += value
                continue
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, Text):
                    words += part.text
                elif not isinstance(part, Untrusted) or part.text:
                    filled += (Text(words), part) if words else (part,)
                    words = ""
        return (*filled, Text(words)) if words else tuple(filled)

    def fill(self, **values: str) -> str:
        """The prompt filled in with plain words.

        >>> Prompt("a/b", "Do {{what}}.", Path("b.md")).fill(what="{{nothing}}")
        'Do {{nothing}}.'
        """
        return "".join(self._value(piece, values) if index % 2 else piece for index, piece in enumerate(self._pieces))

    def _value(self, hole: str, values: dict[str, V]) -> V:
        if hole not in values:
            known = ", ".join(sorted(values)) or "nothing"
            raise BadInput(f"{self.path} asks for {{{{{hole}}}}}, which {self.name} does not offer; it offers {known}")
        return values[hole]


class Prompts:
    """Finds prompts by name and remembers which were used."""

    def __init__(self, override: Path | None = None) -> None:
        self._override = override
        self._loaded: dict[str, Prompt] = {}
        if override is not None:
            _check(override)

    def get(self, name: str) -> Prompt:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    @property
    def replaced(self) -> bool:
        """Whether some may be a user's own."""
        return self._override is not None

    @property
    def used(self) -> dict[str, str]:
        """The hash of every prompt that was asked for, by name; for provenance."""
        return {name: prompt.hash for name, prompt in sorted(self._loaded.items())}

    def _load(self, name: str) -> Prompt:
        own = self._override / f"{name}.md" if self._override else None
        path = own if own is not None and own.is_file() else _path(name)
        if not path.is_file():
            raise BadInput(f"there is no prompt {name!r}")
        try:
            return Prompt(name, path.read_text("utf-8").rstrip("\n"), path)
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"the prompt {path} cannot be read as UTF-8 text: {error}") from error


def prompt_names() -> tuple[str, ...]:
    """Every prompt there is."""
    found = (path.relative_to(_PACKAGE).with_suffix("").parts for path in _PACKAGE.glob("*/prompts/**/*.md"))
    return tuple(sorted("/".join((_CALLED.get(folder, folder), *rest)) for folder, _, *rest in found))


def _path(name: str) -> Path:
    called, _, rest = name.partition("/")
    folder = next((folder for folder, other in _CALLED.items() if other == called), called)
    return _PACKAGE / folder / "prompts" / f"{rest}.md"


def _check(override: Path) -> None:
    """A file that replaces nothing is a typing error, said at once."""
    if not override.is_dir():
        raise BadInput(f"there is no folder {override} to take prompts from")
    known = prompt_names()
    for path in sorted(override.rglob("*.md")):
        name = path.relative_to(override).with_suffix("").as_posix()
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}.md?" if near else f"a prompt is called {known[0]}.md, say"
            raise BadInput(f"{path} replaces no prompt: {hint}")
