"""`workalike dataset export`: how the examples are made, in which form they are written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.core.errors import BadInput
from workalike.core.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workalike.core.trajectory import Trajectory
    from workalike.dataset.examples import Recipe
    from workalike.dataset.manifest import Manifest
    from workalike.store.pictures import PictureSource

FORMATS = ("chat", "sharegpt", "trl", "parquet", "agentnet", "agentnetbench")
_MADE = dict.fromkeys(FORMATS, ("examples",)) | {"agentnet": ("trajectories",), "agentnetbench": ("tasks",)}
OUTCOMES = get_args(Outcome)
FAMILIES = ("opencua", "fara", "fara-1.5", "uitars", "qwen", "qwen-2.5", "som", "grounding")


def add_arguments(part: ArgumentParser) -> None:
    part.add_argument("--format", choices=FORMATS, default="chat", help="the form of the files (chat)")
    part.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder for them")
    _how(part)
    _which(part)


def _how(part: ArgumentParser) -> None:
    how = part.add_argument_group("how examples are made")
    how.add_argument("--family", choices=FAMILIES, default="opencua", help="in whose words (opencua)")
    how.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="L[=W]",
        help="l1, l2 (default) or l3; several are mixed by weight",
    )
    how.add_argument("--seed", type=int, default=0, help="for the mix (0)")
    how.add_argument(
        "--screenshots", type=int, default=3, metavar="K", help="pictures in an example, the current one included (3)"
    )
    how.add_argument("--history", type=int, default=10, metavar="N", help="earlier steps that are told (10)")
    how.add_argument(
        "--history-level", choices=["l1", "l2", "l3"], default="l1", help="how much of them (l1: their actions)"
    )
    how.add_argument(
        "--order",
        choices=["before", "after"],
        default="before",
        help="a picture before its turn, as in the published code, or after it, as on the card",
    )
    how.add_argument("--wrong", action="store_true", help="learn from steps judged wrong, too")
    how.add_argument("--redundant", action="store_true", help="learn from steps judged redundant, too")
    how.add_argument(
        "--coordinates", choices=["fractions", "pixels", "qwen2.5", "qwen3"], default="fractions", help="(fractions)"
    )
    how.add_argument(
        "--instruction", choices=["instruction", "natural_language_task", "actual_task"], default="instruction"
    )
    how.add_argument(
        "--grounding", choices=["point", "box"], default="point", help="the answer of a grounding pair (point)"
    )
    how.add_argument(
        "--grounded",
        choices=["hits", "elements"],
        default="hits",
        help="grounding pairs of what was hit, or of every element",
    )
    how.add_argument(
        "--prompts", type=Path, metavar="DIR", help="prompts of your own: DIR/dataset/system_l2.md and so on"
    )
    how.add_argument(
        "--loss",
        choices=["mask", "role", "all"],
        default="mask",
        help="learn from the last turn only: told by a weight (default) or by roles; or from all",
    )


def _which(part: ArgumentParser) -> None:
    which = part.add_argument_group("what is taken")
    which.add_argument("--verdict", choices=OUTCOMES, help="of runs: only trajectories with this verdict")
    which.add_argument("--verifier", metavar="V", help="whose verdict")
    which.add_argument(
        "--images",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="where the pictures are: folder, zip, split zip, run",
    )
    which.add_argument(
        "--pictures",
        choices=["names", "copy", "inline"],
        default="names",
        help="by name (default), copied beside the examples, or within them",
    )
    which.add_argument("--prefix", default="", help="put before every picture's name")
    which.add_argument("--zip", choices=["gz", "zst"], help="pack the lines")
    which.add_argument("--licence", action="append", default=[], help="a line for the manifest")
    which.add_argument("--citation", action="append", default=[], help="a line for the manifest")


def export_(args: Namespace) -> int:
    from workalike.store.pictures import open_pictures

    source = open_pictures(*args.images) if args.images else None
    told: list[str] = []
    if args.format == "agentnet":
        manifest = _rows(args, told)
    elif args.format == "agentnetbench":
        manifest = _step_tasks(args, source, told)
    else:
        manifest = _messages(args, source, told)
    if args.json:
        print_json(manifest)
    else:
        _show(manifest, args.out)
    for text in told[:5]:
        print(text, file=sys.stderr)
    if len(told) > 5:
        print(f"… and {len(told) - 5} more that could not be read", file=sys.stderr)
    if not any(manifest.counts.get(name) for name in _MADE[args.format]):
        print(_nothing(manifest), file=sys.stderr)
        return FOUND_FAILURES
    return DONE


def _nothing(manifest: Manifest) -> str:
    """Why an export is empty, in a sentence."""
    if not manifest.counts.get("trajectories") and not manifest.left_out:
        return "nothing was exported: no trajectory was found there that was asked for"
    reasons = sorted(manifest.left_out.items(), key=lambda each: -each[1])[:3]
    return f"nothing was exported; left out: {', '.join(f'{reason} ({count:,})' for reason, count in reasons)}"


def _messages(args: Namespace, source: PictureSource | None, told: list[str]) -> Manifest:
    from workalike.dataset.export import Order, export
    from workalike.models.prompts import Prompts

    ending = "" if args.zip is None or args.format == "parquet" else f".{args.zip}"
    order = Order(args.format, recipe(args), args.pictures, args.prefix, args.loss, ending)
    prompts = Prompts(args.prompts)
    inputs, licence, citation = _origin(args)
    return export(_found(args, told), args.out, order, source, prompts, inputs, licence, citation)


def _rows(args: Namespace, told: list[str]) -> Manifest:
    from workalike.dataset.export import new_folder
    from workalike.dataset.manifest import write_manifest
    from workalike.dataset.sources import rows_of
    from workalike.store.packed import writing

    inputs, licence, citation = _origin(args)
    settings = {"format": "agentnet", "verdict": args.verdict}
    count = 0
    with new_folder(args.out) as folder:
        out = folder / ("agentnet.jsonl" + (f".{args.zip}" if args.zip else ""))
        with writing(out) as file:
            for line in rows_of(_found(args, told), told.append):
                file.write(line)
                count += 1
        left_out = {"could not be read or said": len(told)} if told else {}
        return write_manifest(folder, settings, {"trajectories": count}, left_out, inputs, [out], {}, licence, citation)


def _step_tasks(args: Namespace, source: PictureSource | None, told: list[str]) -> Manifest:
    from workalike.dataset.export import export_step_tasks

    inputs, licence, citation = _origin(args)
    return export_step_tasks(_found(args, told), args.out, source, inputs, licence, citation)


def recipe(args: Namespace) -> Recipe:
    """The recipe that the arguments ask for."""
    from workalike.dataset.examples import Recipe

    levels: dict[str, float] = {}
    for given in args.level or ["l2"]:
        name, _, weight = given.partition("=")
        try:
            levels[name.lower()] = float(weight or 1)
        except ValueError:
            raise BadInput(f"--level {given}: the weight must be a number, such as l1=0.5") from None
    return Recipe(
        family=args.family,
        levels=levels,
        seed=args.seed,
        pictures=args.screenshots,
        history=args.history,
        history_level=args.history_level,
        order=args.order,
        wrong=args.wrong,
        redundant=args.redundant,
        coordinates=args.coordinates,
        instruction=args.instruction,
        grounding=args.grounding,
        grounded=args.grounded,
    )


def _found(args: Namespace, told: list[str]) -> Iterator[Trajectory]:
    from workalike.dataset.sources import Choice, trajectories

    choice = Choice(args.verdict, args.verifier)
    return trajectories(args.paths, args.metadata, choice, told.append)


def _origin(args: Namespace) -> tuple[list[tuple[str, Path]], list[str], list[str]]:
    """The files that were read, and under which licence and whom to cite where they are published ones."""
    from workalike.dataset.manifest import AGENTNET_CITATION, AGENTNET_LICENCE
    from workalike.dataset.sources import input_files

    files = input_files(args.paths, args.metadata)
    theirs = any(name.startswith(("agentnet_", "meta_data")) for name, _ in files)
    licence = ([AGENTNET_LICENCE] if theirs else []) + args.licence
    return files, licence, ([AGENTNET_CITATION] if theirs else []) + args.citation


def _show(manifest: Manifest, folder: Path) -> None:
    for name, count in manifest.counts.items():
        print(f"{count:>12,}  {name}")
    for reason, count in manifest.left_out.items():
        print(f"{count:>12,}  left out: {reason}")
    for file in manifest.outputs[:8]:
        print(f"{file.size:>12,}  bytes in {folder / file.name}")
    for note in manifest.notes:
        print(note)
