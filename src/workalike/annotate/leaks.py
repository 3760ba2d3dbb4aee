"""The leak check: words that give away what only the annotator was shown. Caught by rule, asked again, then flagged.

The rules of `dataset.leaks` are made for published texts and hardly ever speak up on sound ones. Here it is known what
was drawn on the picture and what the page said before and after, so more can be told: any talk of marks and zooms that
the page itself does not hold, and words that only the screen after the action shows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec.structs import replace

from workalike.core.actions import Write
from workalike.core.observation import Element, Observation
from workalike.core.recording import Tree, TreeNode
from workalike.core.trajectory import Trajectory
from workalike.dataset.leaks import leaks
from workalike.models.prompts import Prompts

T = TypeVar("T")
_DRAWN = "mark(?:er|ing)?|ring|circle|dot|outline|arrow|crosshair|bounding box|rectangle|highlight(?:ing)?"
_MARK = re.compile(
    rf"\b(?:red|drawn|added|overlaid)[ -](?:{_DRAWN})s?\b"
    rf"|\b(?:marked|circled|ringed|outlined|highlighted|boxed|indicated) (?:in|with|by) (?:a |the )?(?:red|{_DRAWN})\b"
    rf"|\bthe (?:{_DRAWN}) (?:shows|indicates|marks|points|highlights|surrounds|is around|around)\b"
    r"|\bthe (?:marked|circled|ringed|highlighted|boxed|indicated) (?:element|area|region|spot|point|place|position"
    r"|location|target)\b",
    re.IGNORECASE,
)
_CROP = re.compile(
    r"\b(?:zoomed(?:[- ]in)?|magnified|enlarged|cropped|close-?up) (?:view|image|picture|screenshot|area|region|part"
    r"|crop|section|version)s?\b"
    r"|\b(?:first|second|third|other) (?:image|picture|screenshot) (?:shows|displays|is|confirms|gives)\b"
    r"|\b(?:the|this) crop\b|\bscreenshots? (?:shows?|provided|given|above|below)\b|\bin the screenshot\b"
    r"|\b(?:provided|given|attached) (?:image|picture|screenshot)s?\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\bpyautogui\b|\bcomputer\.(?:terminate|wait|tripleClick)\b|\b(?:given|provided|following|shown) code\b"
    r"|\baccording to the code\b|\bthe code (?:says|tells|shows|indicates|clicks|moves|types|presses|performs|does)\b"
    r"|\b(?:click|doubleClick|rightClick|moveTo|dragTo|write|press|hotkey|scroll)\([^)]{0,60}\)",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\b[xy] ?[=:] ?-?\d|\(\s*(?:0?\.\d+|\d{2,4})\s*,\s*(?:0?\.\d+|\d{2,4})\s*\)"
    r"|\b\d{1,3}(?:\.\d+)? ?(?:%|percent) (?:from the (?:left|right|top|bottom)|of the way (?:down|across))\b",
    re.IGNORECASE,
)
_OWN = (
    ("mentions the marker", _MARK),
    ("mentions the crop", _CROP),
    ("mentions code", _CODE),
    ("mentions coordinates", _NUMBERS),
)
FUTURE = "mentions what is seen only afterwards"
_LETTERS, _WORD = re.compile(r"\w"), re.compile(r"\w+")
_BETWEEN = re.compile(r"\s+[·|/–—-]\s+")
_STATING = ("heading", "text", "statictext", "paragraph", "label", "status", "alert", "dialog", "alertdialog")
"""Roles of what tells something and is not acted on: a button's name can be foreseen, what a page reports cannot."""


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


def stated_words(seen: Observation | None) -> set[str]:
    """What a screen says of itself, folded: the title of its page and window, whole and in its parts, an open dialog,
    names in its address, and texts that nobody acts on."""
    if seen is None:
        return set()
    titles = [title for title in (seen.title, seen.window) if title]
    said = [*titles, *(part for title in titles for part in _BETWEEN.split(title))]
    said += [seen.dialog.message] if seen.dialog else []
    said += [words for each in seen.elements or () if each.role in _STATING for words in (each.name, each.value or "")]
    said += [spoken for name in _names_in(seen.url or "") for spoken in (name, re.sub(r"[-_+]+", " ", name))]
    return _folded(said)


def page_words(seen: Observation | None) -> set[str]:
    """What a screen is known to say: names and values of its elements, and what it states of itself; folded."""
    elements = (seen.elements or ()) if seen else ()
    return _folded(words for each in elements for words in (each.name, each.value or "")) | stated_words(seen)


def with_trees(trajectory: Trajectory, trees: Sequence[Tree]) -> Trajectory:
    """A trajectory whose looks know what the accessibility trees of its recording say, each by the last one that was
    taken before it. What was kept with a look itself stays."""

    def knowing(seen: Observation) -> Observation:
        last = bisect_right(trees, seen.time, key=lambda tree: tree.time) - 1 if seen.time is not None else -1
        if last < 0 or seen.elements is not None:
            return seen
        return replace(seen, elements=tuple(_nodes(trees[last].root)), window=seen.window or trees[last].title or None)

    steps = tuple(replace(step, observation=knowing(step.observation)) for step in trajectory.steps)
    return replace(trajectory, steps=steps, final=knowing(trajectory.final) if trajectory.final else None)


class PageWords:
    """What the screens of a trajectory are known to say, each read once; the last is the final one."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._seen = (*(step.observation for step in trajectory.steps), trajectory.final)
        self._words: dict[int, set[str]] = {}

    def at(self, place: int) -> set[str]:
        if place not in self._words:
            self._words[place] = page_words(self._seen[place])
        return self._words[place]

    def stated(self, place: int) -> set[str]:
        return stated_words(self._seen[place])

    def until(self, place: int) -> set[str]:
        return set[str]().union(*map(self.at, range(place + 1)))

    def kept(self, place: int) -> bool:
        seen = self._seen[place]
        return seen is not None and seen.elements is not None


def future_words(trajectory: Trajectory, place: int, pages: PageWords | None = None) -> set[str]:
    """What the screen after a step says and nothing before it did, where the elements before it were kept; only what
    nobody would say by chance. What was asked for, what is typed and what is acted on are known before."""
    pages = pages or PageWords(trajectory)
    if not pages.kept(place):
        return set()
    step, before = trajectory.steps[place], pages.until(place)
    typed = (done.action.text for done in step.actions if isinstance(done.action, Write))
    hit = (done.hit.name for done in step.actions if done.hit)
    known = "\n".join((trajectory.task.instruction, *typed, *hit, step.observation.url or "", *before)).casefold()
    new = {words for words in pages.at(place + 1) - before if words not in known}
    spoken = frozenset(_WORD.findall(known))
    telling = {words for words in new if _is_telling(words)}
    return telling | {words for words in new & pages.stated(place + 1) if _is_news(words, spoken)}


def future_in(text: str, future: Iterable[str]) -> str | None:
    """Words of a text that only the screen after the action shows."""
    said = " ".join(text.split()).casefold()
    return next((words for words in sorted(future, key=len, reverse=True) if _stands_in(words, said)), None)


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


def _nodes(node: TreeNode) -> Iterator[Element]:
    yield Element(node.role, node.name, value=node.value, states=node.states)
    for child in node.children:
        yield from _nodes(child)


def _is_telling(words: str) -> bool:
    """Whether words are so much their own that nobody hits on them by chance: several of them, or with a number."""
    numbered = any(letter.isdigit() for letter in words)
    return (len(words) >= 4 and numbered and len(_LETTERS.findall(words)) >= 4) or (
        len(words) >= 14 and len(words.split()) >= 3
    )


def _is_news(words: str, spoken: frozenset[str]) -> bool:
    """Whether a short phrase tells what came of something: at least one of its words was nowhere before it."""
    parts = _WORD.findall(words)
    return len(words) >= 9 and len(parts) > 1 and any(len(part) >= 5 and part not in spoken for part in parts)


def _stands_in(words: str, said: str) -> bool:
    return words in said and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", said) is not None


def _folded(said: Iterable[str]) -> set[str]:
    plain = (" ".join(words.split()).casefold().strip(" .,;:!?…") for words in said)
    return {words for words in plain if words}


def _names_in(url: str) -> list[str]:
    """What an address says in its path and in its values."""
    parts = urlsplit(url)
    return [unquote(name) for name in parts.path.split("/") if name] + [value for _, value in parse_qsl(parts.query)]
