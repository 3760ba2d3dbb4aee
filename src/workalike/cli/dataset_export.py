"""`workalike dataset export`: how the examples are made, in which form they are written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from workalike.cli import DONE, FOUND_FAILURES, asking, print_json
from workalike.core.errors import BadInput
from workalike.core.verdict import Outcome
from workalike.families import FAMILIES, family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workalike.core.trajectory import Trajectory
    from workalike.dataset.examples import Recipe
    from workalike.dataset.manifest import Manifest, Origin
    from workalike.store.pictures import PictureSource

FORMATS = ("chat", "sharegpt", "trl", "parquet", "agentnet", "agentnetbench")
_MADE = dict.fromkeys(FORMATS, "examples") | {"agentnet": "trajectories", "agentnetbench": "tasks"}
OUTCOMES = get_args(Outcome)
GROUNDING, USUAL = "grounding", "opencua-relative"
_HISTORY = {"l1": "action", "l2": "thought", "l3": "observation"}


def add_arguments(part: ArgumentParser) -> None:
    part.add_argument("--format", choices=FORMATS, default="chat", help="the form of the files (chat)")
    part.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder for them")
    part.add_argument("--jobs", type=int, default=1, metavar="N", help="with --ray: processes on each node (1)")
    asking.add_ray(
        part, "export every file on some node of a Ray cluster that sees it, into a folder of its own in OUT"
    )
    _how(part)
    _which(part)


def _how(part: ArgumentParser) -> None:
    how = part.add_argument_group("how examples are made")
    how.add_argument(
        "--family",
        choices=[*FAMILIES, GROUNDING],
        default=USUAL,
        metavar="NAME",
        help=f"in whose words, with whose prompts: an agent's name, or {GROUNDING} ({USUAL})",
    )
    how.add_argument(
        "--option", action="append", metavar="NAME=VALUE", dest="options", help="of the family, as for its agent"
    )
    how.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="L[=W]",
        help="of opencua: l1, l2 (default) or l3; several are mixed by weight",
    )
    how.add_argument("--seed", type=int, default=0, help="for the mix (0)")
    how.add_argument(
        "--screenshots", type=int, metavar="K", help="pictures in an example, the current one included (the family's)"
    )
    how.add_argument("--history", type=int, metavar="N", help="of opencua: earlier steps that are told (all)")
    how.add_argument("--history-level", choices=list(_HISTORY), help="of opencua: how much of them (l1: their actions)")
    how.add_argument("--wrong", action="store_true", help="learn from steps judged wrong, too")
    how.add_argument("--redundant", action="store_true", help="learn from steps judged redundant, too")
    how.add_argument(
        "--min-value",
        type=float,
        metavar="N",
        help="learn only from steps of which a judge expected at least N of 10 (see `workalike annotate`)",
    )
    how.add_argument(
        "--coordinates",
        choices=["fractions", "pixels", "qwen2.5", "qwen3"],
        help="of opencua and grounding: what places are told in (the family's; fractions)",
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
        "--prompts",
        type=Path,
        metavar="DIR",
        help="prompts of your own, as for the agent: DIR/agents/opencua/system.md and so on",
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
    told: list[str] = []
    manifests: dict[Path, Manifest] = {}
    if args.ray is None:
        manifests[args.out] = export_one(args, told)
    else:
        from workalike.cli.dataset_by_files import export_by_files

        for part in export_by_files(args):
            manifests[Path(part.folder)] = part.manifest
            told += part.told
    if args.json:
        whole = next(iter(manifests.values())) if args.ray is None else {str(at): m for at, m in manifests.items()}
        print_json(whole)
    for folder, manifest in manifests.items() if not args.json else ():
        _show(manifest, folder)
    for text in told[:5]:
        print(text, file=sys.stderr)
    if len(told) > 5:
        print(f"… and {len(told) - 5} more that were left out", file=sys.stderr)
    if not any(manifest.counts.get(_MADE[args.format]) for manifest in manifests.values()):
        for manifest in manifests.values():
            print(_nothing(manifest), file=sys.stderr)
        return FOUND_FAILURES
    return DONE


def export_one(args: Namespace, told: list[str]) -> Manifest:
    """Export as the arguments say; `told` fills with what could not be read."""
    from workalike.store.pictures import open_pictures

    source = open_pictures(*args.images) if args.images else None
    if args.format == "agentnet":
        return _rows(args, told)
    if args.format == "agentnetbench":
        return _step_tasks(args, source, told)
    return _messages(args, source, told)


def _nothing(manifest: Manifest) -> str:
    """Why an export is empty, in a sentence."""
    if not manifest.counts.get("trajectories") and not manifest.left_out:
        return "nothing was exported: no trajectory was found there that was asked for"
    if not manifest.left_out:
        return "nothing was exported: none of the trajectories has a step that this form could tell"
    reasons = sorted(manifest.left_out.items(), key=lambda each: -each[1])[:3]
    return f"nothing was exported; left out: {', '.join(f'{reason} ({count:,})' for reason, count in reasons)}"


def _messages(args: Namespace, source: PictureSource | None, told: list[str]) -> Manifest:
    from workalike.dataset.export import ExportConfig, export
    from workalike.models.prompts import Prompts

    ending = "" if args.zip is None or args.format == "parquet" else f".{args.zip}"
    order = ExportConfig(args.format, recipe(args), args.pictures, args.prefix, args.loss, ending)
    prompts = Prompts(args.prompts)
    inputs, licence, citation = _origin(args)
    replies = args.family != GROUNDING and family(args.family).api is not None
    return export(_found(args, told, replies), args.out, order, source, prompts, inputs, licence, citation, told)


def _rows(args: Namespace, told: list[str]) -> Manifest:
    from workalike.dataset.export import export_rows

    inputs, licence, citation = _origin(args)
    settings, ending = {"verdict": args.verdict}, f".{args.zip}" if args.zip else ""
    return export_rows(_found(args, told), args.out, inputs, licence, citation, told, settings, ending)


def _step_tasks(args: Namespace, source: PictureSource | None, told: list[str]) -> Manifest:
    from workalike.dataset.export import export_step_tasks

    inputs, licence, citation = _origin(args)
    return export_step_tasks(_found(args, told), args.out, source, inputs, licence, citation, told)


def recipe(args: Namespace) -> Recipe:
    """The recipe that the arguments ask for."""
    from workalike.dataset.examples import Recipe

    levels: dict[str, float] = {}
    for given in args.level:
        name, _, weight = given.partition("=")
        try:
            levels[name.lower()] = float(weight or 1)
        except ValueError:
            raise BadInput(f"--level {given}: the weight must be a number, such as l1=0.5") from None
    history = args.history_level and _HISTORY[args.history_level]
    told = {"screenshots": args.screenshots, "steps": args.history, "history": history}
    return Recipe(
        family=args.family,
        options={**asking.settings(args.options), **{name: value for name, value in told.items() if value is not None}},
        levels=levels,
        seed=args.seed,
        wrong=args.wrong,
        redundant=args.redundant,
        min_value=args.min_value,
        coordinates=args.coordinates,
        instruction=args.instruction,
        grounding=args.grounding,
        grounded=args.grounded,
    )


def _found(args: Namespace, told: list[str], replies: bool = False) -> Iterator[Trajectory]:
    from workalike.dataset.sources import SourceChoice, trajectories

    choice = SourceChoice(args.verdict, args.verifier, replies=replies)
    return trajectories(args.paths, args.metadata, choice, told.append)


def _origin(args: Namespace) -> Origin:
    from workalike.dataset.manifest import origin
    from workalike.dataset.sources import input_files

    return origin(input_files(args.paths, args.metadata), args.licence, args.citation)


def _show(manifest: Manifest, folder: Path) -> None:
    for name, count in manifest.counts.items():
        print(f"{count:>12,}  {name}")
    for reason, count in manifest.left_out.items():
        print(f"{count:>12,}  left out: {reason}")
    for file in manifest.outputs[:8]:
        print(f"{file.size:>12,}  bytes in {folder / file.name}")
    for note in manifest.notes:
        print(note)
