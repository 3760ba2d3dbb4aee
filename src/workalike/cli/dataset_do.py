"""The parts of `workalike dataset` that check, describe, choose and fetch."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.dataset.choosing import Chosen
    from workalike.dataset.cleaning import Cleaned
    from workalike.dataset.defects import Defect
    from workalike.dataset.files import Found
    from workalike.dataset.survey import Survey


def validate(args: Namespace) -> int:
    from workalike.cli.progress import watching
    from workalike.dataset.survey import survey

    if args.fix and args.out is None:
        raise BadInput("--fix writes the mended rows to a new file: name it with --out FILE")
    outputs = [path.resolve() for path in (args.out, args.reject, args.defects) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise BadInput("--out, --reject and --defects need a file each; name different ones")
    with _rows(args) as found, _sink(args, found) as sink:
        with watching("validate") as watch:
            result = survey(found, not args.no_texts, args.jobs, sink, watch)
        unusable = _pictures(args, found, result, sink) if args.images else set()
        cleaned = _clean(args, found, unusable)
    _show_survey(args, result, cleaned)
    left = cleaned.rejected if cleaned is not None and args.fix else sum(result.defects.values())
    return FOUND_FAILURES if args.strict and left else DONE


def stats(args: Namespace) -> int:
    from workalike.cli.dataset_show import show_stats
    from workalike.cli.progress import watching
    from workalike.dataset.stats import describe
    from workalike.dataset.survey import survey

    with _rows(args) as found, watching("stats") as watch:
        result = survey(found, False, args.jobs, watch=watch)
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
    return DONE


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


def _choose(args: Namespace, work: Callable[[Found], Chosen]) -> int:
    from workalike.cli.dataset_show import show_chosen

    with _rows(args) as found:
        found.refuse(args.out)
        chosen = work(found)
    if args.json:
        print_json(chosen)
    else:
        show_chosen(chosen)
    return DONE


@contextmanager
def _rows(args: Namespace) -> Iterator[Found]:
    from workalike.dataset.sources import row_files

    def tell(text: str) -> None:
        print(text, file=sys.stderr)

    with row_files(args.paths, args.metadata, tell) as found:
        yield found


@contextmanager
def _sink(args: Namespace, found: Found) -> Iterator[Callable[[Defect], None]]:
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


def _pictures(args: Namespace, found: Found, result: Survey, sink: Callable[[Defect], None]) -> set[str]:
    """Look at the pictures too. The names of those that cannot be used."""
    from workalike.cli.progress import watching
    from workalike.dataset.picture_check import check_pictures
    from workalike.dataset.survey import note
    from workalike.store.pictures import open_pictures

    source = open_pictures(*args.images)
    with watching("pictures") as watch:
        take = partial(note, result=result, last={}, sink=sink)
        return check_pictures(found, source, not args.no_decode, max(2, args.jobs), take, watch).unusable


def _clean(args: Namespace, found: Found, unusable: set[str]) -> Cleaned | None:
    from workalike.dataset.cleaning import clean

    if args.out is None and args.reject is None:
        return None
    return clean(found, args.out, args.reject, args.fix, args.strict, not args.no_texts, unusable)


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
