"""People label trajectories: what a label must be, where it is kept, and the queue that deals out what too few people
have labelled. Two people at once get different cases as long as there are others.

A label is a line in the labeller's own layer (`layers/labels`); what was captured is never rewritten, and a label that
is taken back stays in the file above the line that takes it back."""

from __future__ import annotations

import math
import threading
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from workalike.core.errors import BadInput
from workalike.core.label import TRUTH, Label
from workalike.core.provenance import Provenance
from workalike.store.layers import Layer, LayerWriter, find_layers
from workalike.verify.labels import LABELS

ENOUGH = 2
"""How many people are to label each case."""
LONGEST_NAME, LONGEST_REASON = 60, 10_000
_NOBODY = (TRUTH, "majority")
_HELD_FOR = 900.0


class LabelForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A label as a person gives it."""

    success: bool | None
    process: float | None = None
    refused: bool = False
    reason: str = ""
    blind: bool = True


class LabelCounts(msgspec.Struct, frozen=True):
    """How far a set is labelled: how many cases there are, how many have enough labels, and how many labels each
    labeller gave."""

    cases: int
    enough: int
    labellers: dict[str, int]


def person_name(given: object) -> str:
    """The name of somebody who labels or reviews, as it is kept.

    >>> person_name("  Ann   Lee ")
    'Ann Lee'
    """
    name = " ".join(unicodedata.normalize("NFC", given).split()) if isinstance(given, str) else ""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadInput(f"say who you are, in 1 to {LONGEST_NAME} readable characters")
    if name.casefold() in _NOBODY:
        raise BadInput(f"nobody is called {name!r} here: choose another name")
    return name


def label_of(trajectory: str, labeller: str, form: LabelForm) -> Label:
    """The label that a form comes to."""
    if form.process is not None and not (math.isfinite(form.process) and 0 <= form.process <= 1):
        raise BadInput(f"a process score is a number from 0 to 1, not {form.process}")
    if len(form.reason) > LONGEST_REASON:
        raise BadInput(f"a reason has at most {LONGEST_REASON:,} characters, this one has {len(form.reason):,}")
    return Label(
        trajectory,
        form.success,
        labeller,
        form.process,
        reason=form.reason.strip(),
        refused=form.refused,
        blind=form.blind,
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )


class LabelBook:
    """The labels that people gave to the trajectories of one folder, read anew when another process wrote some."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[Path, tuple[tuple[int, int], str, dict[str, Label]]] = {}

    def labellers(self) -> dict[str, dict[str, Label]]:
        """Every labeller's labels, by trajectory."""
        found: dict[str, dict[str, Label]] = {}
        for path in find_layers(self.root, LABELS):
            name, labels = self._layer(path)
            if name not in _NOBODY:
                found.setdefault(name, {}).update(labels)
        return found

    def given(self, trajectory: str) -> list[Label]:
        """What people say of one trajectory, in the order of their names."""
        return [labels[trajectory] for _, labels in sorted(self.labellers().items()) if trajectory in labels]

    def known_as(self, name: object) -> str:
        """A labeller's name; who wrote it in other letters before is still the same person."""
        wanted = person_name(name)
        known = {each.casefold(): each for each in self.labellers()}
        return known.get(wanted.casefold(), wanted)

    def put(self, trajectory: str, labeller: str, form: LabelForm) -> Label:
        """Give a label; it is on disk when this returns."""
        label = label_of(trajectory, labeller, form)
        with self._writer(labeller) as layer:
            layer.put(trajectory, label)
        return label

    def take_back(self, trajectory: str, labeller: str) -> None:
        """Withdraw a label."""
        if trajectory not in self.labellers().get(labeller, {}):
            raise BadInput(f"{labeller} has not labelled {trajectory}, so there is nothing to take back")
        with self._writer(labeller) as layer:
            layer.take_back(trajectory)

    def counts(self, cases: Iterable[str]) -> LabelCounts:
        people, listed = self.labellers(), list(cases)
        labelled = [sum(case in labels for labels in people.values()) for case in listed]
        given = {name: len(labels) for name, labels in sorted(people.items())}
        return LabelCounts(len(listed), sum(count >= ENOUGH for count in labelled), given)

    def _writer(self, labeller: str) -> LayerWriter[Label]:
        return LayerWriter(self.root, LABELS, labeller, Label, provenance=Provenance("view"))

    def _layer(self, path: Path) -> tuple[str, dict[str, Label]]:
        stat = path.stat()
        version = (stat.st_mtime_ns, stat.st_size)
        held = self._read.get(path)
        if held is None or held[0] != version:
            layer = Layer(path, Label)
            name = layer.header.name
            said = {
                id: msgspec.structs.replace(label, trajectory=id, labeller=name)
                for (id, step), label in layer
                if step is None
            }
            held = self._read[path] = (version, name, said)
        return held[1], held[2]


class LabelQueue:
    """Deals cases out to people. `cases` tells all there are, in order. A case that somebody has at hand goes to others
    only when there is no other left, or when nothing was heard of it for a quarter of an hour. Several threads may ask
    at once."""

    def __init__(
        self, book: LabelBook, cases: Callable[[], Sequence[str]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._book, self._cases, self._clock = book, cases, clock
        self._held: dict[str, tuple[str, float]] = {}
        self._skipped: dict[str, list[str]] = {}
        self._lock = threading.Lock()

    def deal(self, labeller: str, skip: str | None = None) -> str | None:
        """The next case for somebody, None when nothing is left for them. What they had at hand and did not label is
        dealt again, unless it is the one to `skip`, which comes again when all others are done."""
        with self._lock:
            return self._deal(labeller, skip)

    def _deal(self, labeller: str, skip: str | None) -> str | None:
        now = self._clock()
        self._held = {who: held for who, held in self._held.items() if now - held[1] < _HELD_FOR}
        current = self._held.pop(labeller, ("", 0.0))[0]
        skipped = self._skipped.setdefault(labeller, [])
        if skip is not None:
            skipped[:] = [case for case in skipped if case != skip] + [skip]
        people = self._book.labellers()
        own = people.get(labeller, {})
        others = [labels for name, labels in people.items() if name != labeller]
        taken = {case for case, _ in self._held.values()}
        best: tuple[tuple[int, bool, bool, int], str] | None = None
        for case in self._cases():
            count = sum(case in labels for labels in others)
            if case in own or count >= ENOUGH:
                continue
            passed = skipped.index(case) + 1 if case in skipped else 0
            rank = (passed, case in taken, case != current, -count)
            if best is None or rank < best[0]:
                best = (rank, case)
        if best is None:
            return None
        self._held[labeller] = (best[1], now)
        return best[1]

    def hold(self, labeller: str, case: str) -> None:
        """Somebody has a case before them, wherever they found it."""
        with self._lock:
            self._held[labeller] = (case, self._clock())

    def done(self, labeller: str, case: str) -> None:
        """Somebody labelled a case: it is out of their hands."""
        with self._lock:
            if self._held.get(labeller, ("",))[0] == case:
                del self._held[labeller]
            self._skipped[labeller] = [each for each in self._skipped.get(labeller, []) if each != case]
