"""The whole check of a set: every row is looked at, its pictures too where that is asked for, every defect is written
down, and rows that can be used are set apart from those that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path

import msgspec

from workalike.core.progress import Watch, ignore
from workalike.dataset.cleaning import Cleaned, clean
from workalike.dataset.defects import WARNINGS, Defect
from workalike.dataset.files import RowFiles
from workalike.dataset.picture_check import check_pictures
from workalike.dataset.survey import PartsElsewhere, Survey, note, survey
from workalike.store.lines import encode
from workalike.store.packed import writing
from workalike.store.pictures import open_pictures

Sink = Callable[[Defect], None]
Watching = Callable[[str], AbstractContextManager[Watch]]


class ValidateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked at, and what is written where: usable rows (mended with `fix`) to `out`, others to `reject`, every
    defect to `defects`. With `strict` warnings count as errors do."""

    texts: bool = True
    images: tuple[Path, ...] = ()
    decode: bool = True
    fix: bool = False
    strict: bool = False
    out: Path | None = None
    reject: Path | None = None
    defects: Path | None = None
    jobs: int = 1


class Validation(msgspec.Struct, frozen=True):
    """What was found, and what became of the rows where some were written."""

    survey: Survey
    cleaned: Cleaned | None
    failed: bool
    """Whether something is wrong that was not mended. A set without a row is none."""


def validate(
    found: RowFiles,
    options: ValidateOptions = ValidateOptions(),
    watching: Watching = lambda label: nullcontext(ignore),
    elsewhere: PartsElsewhere | None = None,
) -> Validation:
    """Check a set; rows may be looked at `elsewhere`."""
    stolen: set[tuple[str, int]] = set()
    with _writing_defects(found, options) as sink:
        with watching("validate") as watch:
            result = survey(found, options.texts, options.jobs, _noting(stolen, sink), watch, elsewhere)
        unusable = _unusable_pictures(found, options, result, sink, watching) if options.images else set()
        cleaned = None
        if options.out is not None or options.reject is not None:
            to = (options.out, options.reject, options.fix, options.strict, options.texts)
            cleaned = clean(found, *to, unusable, stolen)
    return Validation(result, cleaned, _failed(result, cleaned if options.fix else None, options.strict))


def _failed(result: Survey, mended: Cleaned | None, strict: bool) -> bool:
    if mended is not None and strict:
        return mended.rejected > 0 or result.tally.rows == 0
    counts = mended.mended if mended is not None else {}
    left = (kind for kind, count in result.defects.items() if count > counts.get(kind, 0))
    return result.tally.rows == 0 or any(strict or kind not in WARNINGS for kind in left)


@contextmanager
def _writing_defects(found: RowFiles, options: ValidateOptions) -> Iterator[Sink]:
    """Where every single defect goes: into a file where one was asked for."""
    if options.defects is None:
        yield lambda defect: None
        return
    found.refuse(options.defects)
    with writing(options.defects) as file:

        def sink(defect: Defect) -> None:
            file.write(encode(defect))

        yield sink


def _noting(stolen: set[tuple[str, int]], sink: Sink) -> Sink:
    """A sink that also keeps where the rows are whose pictures are another's."""

    def noted(defect: Defect) -> None:
        if defect.kind == "another task's picture":
            stolen.add((defect.file, defect.line))
        sink(defect)

    return noted


def _unusable_pictures(
    found: RowFiles, options: ValidateOptions, result: Survey, sink: Sink, watching: Watching
) -> set[str]:
    """Look at the pictures too. The names of those that cannot be used."""
    source = open_pictures(*options.images)
    with watching("pictures") as watch:
        take = partial(note, result=result, last={}, sink=sink)
        return check_pictures(found, source, options.decode, max(2, options.jobs), take, watch).unusable
