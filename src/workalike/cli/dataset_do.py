"""The parts of `workalike dataset` that check, describe, choose and fetch."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.cli.parsing import weighted
from workalike.core.errors import BadInput

if TYPE_CHECKING:
    from workalike.dataset.choosing import Chosen
    from workalike.dataset.files import RowFiles
    from workalike.dataset.survey import PartsElsewhere


def validate(args: Namespace) -> int:
    from workalike.cli.dataset_show import show_validation
    from workalike.cli.progress import watching
    from workalike.dataset.validating import ValidateOptions, validate

    if args.fix and args.out is None:
        raise BadInput("--fix writes the mended rows to a new file: name it with --out FILE")
    outputs = [path.resolve() for path in (args.out, args.reject, args.defects) if path is not None]
    if len(set(outputs)) < len(outputs):
        raise BadInput("--out, --reject and --defects need a file each; name different ones")
    options = ValidateOptions(
        texts=not args.no_texts,
        images=tuple(args.images),
        decode=not args.no_decode,
        fix=args.fix,
        strict=args.strict,
        out=args.out,
        reject=args.reject,
        defects=args.defects,
        jobs=args.jobs,
    )
    with _rows(args) as found:
        done = validate(found, options, watching, _elsewhere(args))
    show_validation(done, options, args.stats, args.json)
    return FOUND_FAILURES if done.failed else DONE


def _elsewhere(args: Namespace) -> PartsElsewhere | None:
    """Who looks at rows on a Ray cluster, where that was asked for."""
    from workalike.cli.asking import ray_choice

    choice = ray_choice(args)
    if choice is None:
        return None
    from workalike.dataset.remote import parts_on_ray

    return parts_on_ray(choice, args.jobs, lambda sentence: print(sentence, file=sys.stderr))


def stats(args: Namespace) -> int:
    from workalike.cli.dataset_show import show_stats, show_unread
    from workalike.cli.progress import watching
    from workalike.dataset.files import telling
    from workalike.dataset.stats import describe
    from workalike.dataset.survey import survey

    unread: list[str] = []
    with _rows(args) as found, watching("stats") as watch:
        result = survey(found, False, args.jobs, telling(unread.append), watch, _elsewhere(args))
    show_unread(unread)
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
        name, weight = weighted("--into", given, "train=90")
        if not name or "/" in name or name in (".", ".."):
            raise BadInput(f"--into {given}: {name!r} cannot be a file's name")
        parts[name] = weight
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
    from workalike.cli.dataset_show import show_chosen, show_unread

    with _rows(args) as found:
        found.refuse(args.out)
        chosen = work(found)
    show_unread(chosen.unread)
    if args.json:
        print_json(chosen)
    else:
        show_chosen(chosen)
    return DONE


@contextmanager
def _rows(args: Namespace) -> Iterator[RowFiles]:
    from workalike.cli.dataset_show import show_unread
    from workalike.dataset.sources import row_files

    told: list[str] = []
    with ExitStack() as stack:
        try:
            found = stack.enter_context(row_files(args.paths, args.metadata, told.append))
        finally:
            show_unread(told)
        yield found
