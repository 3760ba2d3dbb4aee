"""The parts of `workalike dataset` that check, describe, choose and fetch."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.dataset.choosing import Chosen
    from workalike.dataset.cleaning import Cleaned
    from workalike.dataset.defects import Defect
    from workalike.dataset.files import RowFiles
    from workalike.dataset.survey import PartsElsewhere, Survey


MOST_TOLD = 5


def validate(args: Namespace) -> int:
    from workalike.cli.progress import watching
    from workalike.dataset.survey import survey

    if args.fix and args.out is None:
        raise BadInput("--fix writes the mended rows to a new file: name it with --out FILE")
    outputs = [path.resolve() for path in (args.out, args.reject, args.defects) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise BadInput("--out, --reject and --defects need a file each; name different ones")
    stolen: set[tuple[str, int]] = set()
    with _rows(args) as found, _sink(args, found) as sink:
        with watching("validate") as watch:
            result = survey(found, not args.no_texts, args.jobs, _noting(stolen, sink), watch, _elsewhere(args))
        unusable = _pictures(args, found, result, sink) if args.images else set()
        cleaned = _clean(args, found, unusable, stolen)
    _show_survey(args, result, cleaned)
    return FOUND_FAILURES if _left(result, cleaned if args.fix else None, args.strict) else DONE


def _elsewhere(args: Namespace) -> PartsElsewhere | None:
    """Who looks at rows on a Ray cluster, where that was asked for."""
    from workalike.cli.asking import ray_choice

    choice = ray_choice(args)
    if choice is None:
        return None
    from workalike.dataset.remote import parts_on_ray

    return parts_on_ray(choice, args.jobs, lambda sentence: print(sentence, file=sys.stderr))


def _left(result: Survey, cleaned: Cleaned | None, strict: bool) -> bool:
    """Whether something is wrong that was not mended: warnings count when it is to be strict. A set without a row is
    none."""
    from workalike.dataset.defects import WARNINGS

    if cleaned is not None and strict:
        return cleaned.rejected > 0 or result.tally.rows == 0
    mended = cleaned.mended if cleaned is not None else {}
    found = (kind for kind, count in result.defects.items() if count > mended.get(kind, 0))
    return result.tally.rows == 0 or any(strict or kind not in WARNINGS for kind in found)


def stats(args: Namespace) -> int:
    from workalike.cli.dataset_show import show_stats
    from workalike.cli.progress import watching
    from workalike.dataset.files import telling
    from workalike.dataset.stats import describe
    from workalike.dataset.survey import survey

    unread: list[str] = []
    with _rows(args) as found, watching("stats") as watch:
        result = survey(found, False, args.jobs, telling(unread.append), watch, _elsewhere(args))
    _tell_unread(unread)
    if not result.tally.rows:
        print("there is no trajectory in it", file=sys.stderr)
    described = describe(result.tally)
    if args.html is not None:
        from workalike.dataset.stats_page import page
        from workalike.store.files import write_file

        title = ", ".join(str(path) for path in args.paths)
        write_file(args.html, page(described, title).encode())
    if args.json:
        print_json(described)
    else:
        show_stats(described)
        if args.html is not None:
            print(f"pictures in {args.html}")
    return DONE if result.tally.rows else FOUND_FAILURES


def filter_(args: Namespace) -> int:
    from workalike.dataset.choosing import filter_rows
    from workalike.dataset.expressions import Expression

    expression = Expression(args.where)
    return _choose(args, lambda found: filter_rows(found, expression, args.out))


def split(args: Namespace) -> int:
    from workalike.dataset.choosing import split_rows

    parts: dict[str, float] = {}
    for given in args.into:
        name, _, weight = given.partition("=")
        try:
            parts[name] = float(weight or 1)
        except ValueError:
            raise BadInput(f"--into {given}: the weight must be a number, such as train=90") from None
        if not name or "/" in name or name in (".", ".."):
            raise BadInput(f"--into {given}: {name!r} cannot be a file's name")
    return _choose(args, lambda found: split_rows(found, parts, args.out, args.seed, args.by))


def merge(args: Namespace) -> int:
    from workalike.dataset.choosing import merge_rows

    return _choose(args, lambda found: merge_rows(found, args.out, args.on_duplicate))


def dedupe(args: Namespace) -> int:
    from workalike.dataset.dedupe import dedupe_rows

    return _choose(args, lambda found: dedupe_rows(found, args.out, args.near, args.same_id, args.keep))


def sample(args: Namespace) -> int:
    from workalike.dataset.choosing import sample_rows

    return _choose(args, lambda found: sample_rows(found, args.out, args.count, args.share, args.seed, args.by))


def fetch_(args: Namespace) -> int:
    from workalike.dataset.fetching import choose, fetch, list_files

    files = list_files(args.repo, args.revision)
    chosen = choose(files, args.part) if args.part else files
    if args.list or not args.part:
        if args.json:
            print_json(chosen)
        else:
            for file in chosen:
                print(f"{file.size:>16,}  {file.path}")
            print(f"{sum(file.size for file in chosen):>16,}  in all; name what you want with --part and --out")
        return DONE
    if args.out is None:
        raise BadInput("name the folder to fetch into with --out DIR")
    tell = (lambda done: None) if args.json else (lambda done: print(f"{done.state:>14}  {done.path}", flush=True))
    done = fetch(chosen, args.out, args.repo, args.revision, tell=tell)
    if args.json:
        print_json(done)
    return DONE


def _choose(args: Namespace, work: Callable[[RowFiles], Chosen]) -> int:
    from workalike.cli.dataset_show import show_chosen

    with _rows(args) as found:
        found.refuse(args.out)
        chosen = work(found)
    _tell_unread(chosen.unread)
    if args.json:
        print_json(chosen)
    else:
        show_chosen(chosen)
    return DONE


def _tell_unread(texts: Sequence[str]) -> None:
    """What could not be read, beside what was made of the rest."""
    for text in texts[:MOST_TOLD]:
        print(text, file=sys.stderr)
    if len(texts) > MOST_TOLD:
        print(f"… and {len(texts) - MOST_TOLD:,} more that could not be read", file=sys.stderr)


@contextmanager
def _rows(args: Namespace) -> Iterator[RowFiles]:
    from workalike.dataset.sources import row_files

    def tell(text: str) -> None:
        print(text, file=sys.stderr)

    with row_files(args.paths, args.metadata, tell) as found:
        yield found


@contextmanager
def _sink(args: Namespace, found: RowFiles) -> Iterator[Callable[[Defect], None]]:
    """Where every single defect goes: into a file where one was asked for."""
    from workalike.store.lines import encode
    from workalike.store.packed import writing

    if args.defects is None:
        yield lambda defect: None
        return
    found.refuse(args.defects)
    with writing(args.defects) as file:
        yield lambda defect: _put(file.write, encode(defect))


def _put(write: Callable[[bytes], object], line: bytes) -> None:
    write(line)


def _pictures(args: Namespace, found: RowFiles, result: Survey, sink: Callable[[Defect], None]) -> set[str]:
    """Look at the pictures too. The names of those that cannot be used."""
    from workalike.cli.progress import watching
    from workalike.dataset.picture_check import check_pictures
    from workalike.dataset.survey import note
    from workalike.store.pictures import open_pictures

    source = open_pictures(*args.images)
    with watching("pictures") as watch:
        take = partial(note, result=result, last={}, sink=sink)
        return check_pictures(found, source, not args.no_decode, max(2, args.jobs), take, watch).unusable


def _noting(stolen: set[tuple[str, int]], sink: Callable[[Defect], None]) -> Callable[[Defect], None]:
    """A sink that also keeps where the rows are whose pictures are another's."""

    def noted(defect: Defect) -> None:
        if defect.kind == "another task's picture":
            stolen.add((defect.file, defect.line))
        sink(defect)

    return noted


def _clean(args: Namespace, found: RowFiles, unusable: set[str], stolen: set[tuple[str, int]]) -> Cleaned | None:
    from workalike.dataset.cleaning import clean

    if args.out is None and args.reject is None:
        return None
    return clean(found, args.out, args.reject, args.fix, args.strict, not args.no_texts, unusable, stolen)


def _show_survey(args: Namespace, result: Survey, cleaned: Cleaned | None) -> None:
    from workalike.cli.dataset_show import show_cleaned, show_stats, show_survey
    from workalike.dataset.stats import describe

    if args.json:
        document = {"survey": result, "cleaned": cleaned}
        print_json({**document, "stats": describe(result.tally)} if args.stats else document)
        return
    show_survey(result)
    if args.stats:
        show_stats(describe(result.tally))
    if cleaned is not None:
        show_cleaned(cleaned, args.out, args.reject)
    if args.defects is not None:
        print(f"every defect is in {args.defects}")
