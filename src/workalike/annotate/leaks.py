"""The leak check: words that give away what only the annotator was shown. Caught by rule, asked again, then flagged.

The rules of `dataset.leaks` are made for published texts and hardly ever speak up on sound ones. Here it is known what
was drawn on the picture and what the page said before and after, so more can be told: any talk of marks and zooms that
the page itself does not hold, and words that only the screen after the action shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from workalike.core.actions import Write
from workalike.core.observation import Observation
from workalike.core.trajectory import Trajectory
from workalike.dataset.leaks import leaks
from workalike.models.prompts import Prompts

T = TypeVar("T")
_DRAWN = "mark(?:er|ing)?|ring|circle|dot|outline|arrow|crosshair|bounding box|rectangle|highlight(?:ing)?"
_MARK = re.compile(
    rf"\b(?:red|drawn|added|overlaid)[ -](?:{_DRAWN})s?\b"
    rf"|\b(?:marked|circled|ringed|outlined|highlighted|boxed|indicated) (?:in|with|by) (?:a |the )?(?:red|{_DRAWN})\b"
    rf"|\bthe (?:{_DRAWN}) (?:shows|indicates|marks|points|highlights|surrounds|is around|around)\b",
    re.IGNORECASE,
)
_CROP = re.compile(
    r"\b(?:zoomed(?:[- ]in)?|magnified|enlarged|cropped|close-?up) (?:view|image|picture|screenshot|area|region|part"
    r"|crop|section|version)s?\b"
    r"|\b(?:first|second|third|other) (?:image|picture|screenshot) (?:shows|displays|is|confirms|gives)\b"
    r"|\b(?:the|this) crop\b|\bscreenshots? (?:shows?|provided|given|above|below)\b|\bin the screenshot\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\bpyautogui\b|\bcomputer\.(?:terminate|wait|tripleClick)\b|\b(?:given|provided|following|shown) code\b"
    r"|\baccording to the code\b|\bthe code (?:says|tells|shows|indicates|clicks|moves|types|presses|performs|does)\b"
    r"|\b(?:click|doubleClick|rightClick|moveTo|dragTo|write|press|hotkey|scroll)\([^)]{0,60}\)",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\b[xy] ?[=:] ?-?\d|\(\s*(?:0?\.\d+|\d{2,4})\s*,\s*(?:0?\.\d+|\d{2,4})\s*\)", re.IGNORECASE)
_OWN = (
    ("mentions the marker", _MARK),
    ("mentions the crop", _CROP),
    ("mentions code", _CODE),
    ("mentions coordinates", _NUMBERS),
)
FUTURE = "mentions what is seen only afterwards"
_LETTERS = re.compile(r"\w")


def found_in(text: str, shown: str = "") -> list[tuple[str, str]]:
    """What a text gives away of the annotator's picture, at most once a kind, with the words that do; what the page
    itself says (`shown`, folded) is nobody's secret.

    >>> found_in("I look at the enlarged area and click the Red Circle.")
    [('mentions the marker', 'Red Circle'), ('mentions the crop', 'enlarged area')]
    """
    found: dict[str, str] = {}
    for kind, pattern in _OWN:
        hits = (match[0] for match in pattern.finditer(text))
        first = next((words for words in hits if words.casefold() not in shown), None)
        if first is not None:
            found[kind] = " ".join(first.split())
    for told, words in leaks(text):
        if words.casefold() not in shown:
            found.setdefault(told, words)
    return list(found.items())


def page_words(seen: Observation | None) -> set[str]:
    """What a screen is known to say: names and values of its elements, its title; folded."""
    if seen is None or seen.elements is None:
        return set()
    said = [words for each in seen.elements for words in (each.name, each.value or "")]
    return {" ".join(words.split()).casefold() for words in (*said, seen.title or "") if words.strip()}


class PageWords:
    """What the screens of a trajectory are known to say, each read once; the last is the final one."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._seen = (*(step.observation for step in trajectory.steps), trajectory.final)
        self._words: dict[int, set[str]] = {}

    def at(self, place: int) -> set[str]:
        if place not in self._words:
            self._words[place] = page_words(self._seen[place])
        return self._words[place]

    def until(self, place: int) -> set[str]:
        return set[str]().union(*map(self.at, range(place + 1)))

    def kept(self, place: int) -> bool:
        seen = self._seen[place]
        return seen is not None and seen.elements is not None


def future_words(trajectory: Trajectory, place: int, pages: PageWords | None = None) -> set[str]:
    """What the screen after a step says and nothing before it did, as far as elements were kept on both sides; only
    what nobody would say by chance. What was asked for and what is typed are known before."""
    pages = pages or PageWords(trajectory)
    if not (pages.kept(place) and pages.kept(place + 1)):
        return set()
    step = trajectory.steps[place]
    typed = (done.action.text for done in step.actions if isinstance(done.action, Write))
    known = "\n".join((trajectory.task.instruction, *typed, step.observation.url or "")).casefold()
    known += "\n" + "\n".join(pages.at(place))
    new = pages.at(place + 1) - pages.until(place)
    return {words for words in new if _is_telling(words) and words not in known}


def future_in(text: str, future: Iterable[str]) -> str | None:
    """Words of a text that only the screen after the action shows."""
    said = " ".join(text.split()).casefold()
    return next((words for words in sorted(future, key=len, reverse=True) if words in said), None)


class LeakGuard(Generic[T]):
    """A check for `ask`: an answer that leaks is sent back once or twice with the reason, then taken and flagged.
    `kept` is the last answer that was well-formed, for when no better one comes."""

    def __init__(
        self,
        texts: Callable[[T], Mapping[str, str]],
        prompts: Prompts,
        shown: str = "",
        future: frozenset[str] = frozenset(),
        again: int = 2,
    ) -> None:
        self._texts, self._prompts, self._shown, self._future, self._left = texts, prompts, shown, future, again
        self.flags: tuple[str, ...] = ()
        self.kept: T | None = None

    def __call__(self, answer: T) -> str | None:
        found = [(name, kind, words) for name, text in self._texts(answer).items() for kind, words in self._leaks(text)]
        self.kept, self.flags = answer, tuple(f"{name} {kind}: {words}" for name, kind, words in found)
        if not found or not self._left:
            return None
        self._left -= 1
        again = self._prompts.get("annotate/leaks_again")
        return "; ".join(again.fill(field=name, kind=kind, words=repr(words)) for name, kind, words in found)

    def _leaks(self, text: str) -> list[tuple[str, str]]:
        later = future_in(text, self._future)
        return [*found_in(text, self._shown), *([(FUTURE, later)] if later else [])]


def _is_telling(words: str) -> bool:
    """Whether words are so much their own that nobody hits on them by chance: several of them, or with a number."""
    numbered = any(letter.isdigit() for letter in words)
    return (len(words) >= 4 and numbered and len(_LETTERS.findall(words)) >= 4) or (
        len(words) >= 14 and len(words.split()) >= 3
    )
