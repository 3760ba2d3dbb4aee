"""`workalike dataset export`: how the examples are made, in which form they are written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from workalike.cli import DONE, FOUND_FAILURES, asking, print_json
from workalike.cli.parsing import weighted
from workalike.core.verdict import Outcome
from workalike.families import FAMILIES

if TYPE_CHECKING:
    from workalike.dataset.examples import Recipe
    from workalike.dataset.manifest import Manifest
    from workalike.dataset.request import ExportRequest

_OF_EXAMPLES = ("chat", "sharegpt", "trl", "parquet")
FORMATS = (*_OF_EXAMPLES, "agentnet", "agentnetbench")
OUTCOMES = get_args(Outcome)
GROUNDING, USUAL = "grounding", "opencua-relative"
_APART = ("paths", "out", "jobs", "ray", "json", "part", "do")
"""Arguments that make no other export of a file."""
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
    from workalike.cli.dataset_show import show_unread

    told: list[str] = []
    manifests: dict[Path, Manifest] = {}
    asked = request(args)
    choice = asking.ray_choice(args)
    if choice is None:
        from workalike.dataset.request import export_paths

        manifests[args.out] = export_paths(asked, told)
    else:
        from workalike.dataset.by_files import export_by_files

        settings = {name: str(value) for name, value in sorted(vars(args).items()) if name not in _APART}
        say = lambda sentence: print(sentence, file=sys.stderr)  # noqa: E731
        for part in export_by_files(asked, settings, choice, args.jobs, say):
            manifests[Path(part.folder)] = part.manifest
            told += part.told
    if args.json:
        whole = manifests[args.out] if choice is None else {str(at): each for at, each in manifests.items()}
        print_json(whole)
    for folder, manifest in manifests.items() if not args.json else ():
        _show(manifest, folder)
    show_unread(told, "that were left out")
    if not any(manifest.counts.get(asked.made) for manifest in manifests.values()):
        for manifest in manifests.values():
            print(manifest.why_empty(), file=sys.stderr)
        return FOUND_FAILURES
    return DONE


def request(args: Namespace) -> ExportRequest:
    """What the arguments ask for."""
    from workalike.dataset.examples import Recipe
    from workalike.dataset.request import ExportRequest

    return ExportRequest(
        paths=tuple(args.paths),
        out=args.out,
        format=args.format,
        recipe=recipe(args) if args.format in _OF_EXAMPLES else Recipe(),
        pictures=args.pictures,
        prefix=args.prefix,
        loss=args.loss,
        packed=args.zip,
        images=tuple(args.images),
        metadata=tuple(args.metadata),
        verdict=args.verdict,
        verifier=args.verifier,
        prompts=args.prompts,
        licence=tuple(args.licence),
        citation=tuple(args.citation),
    )


def recipe(args: Namespace) -> Recipe:
    """The recipe that the arguments ask for."""
    from workalike.dataset.examples import Recipe

    levels = (weighted("--level", given, "l1=0.5") for given in args.level)
    history = args.history_level and _HISTORY[args.history_level]
    told = {"screenshots": args.screenshots, "steps": args.history, "history": history}
    return Recipe(
        family=args.family,
        options={**asking.settings(args.options), **{name: value for name, value in told.items() if value is not None}},
        levels={name.lower(): weight for name, weight in levels},
        seed=args.seed,
        wrong=args.wrong,
        redundant=args.redundant,
        min_value=args.min_value,
        coordinates=args.coordinates,
        instruction=args.instruction,
        grounding=args.grounding,
        grounded=args.grounded,
    )


def _show(manifest: Manifest, folder: Path) -> None:
    for name, count in manifest.counts.items():
        print(f"{count:>12,}  {name}")
    for reason, count in manifest.left_out.items():
        print(f"{count:>12,}  left out: {reason}")
    for file in manifest.outputs[:8]:
        print(f"{file.size:>12,}  bytes in {folder / file.name}")
    for note in manifest.notes:
        print(note)
