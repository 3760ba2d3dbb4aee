"""AgentNet files at full size: check, describe and choose from them, fetch them, and make training messages of them.

Paths are files of rows (.jsonl, .gz, .zst), folders, patterns, or runs and packed trajectories of our own. The metadata
that lies beside published files is joined by itself."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from importlib import import_module
from pathlib import Path
from typing import Any

EXAMPLE = """
workalike dataset validate AgentNet/ --defects defects.jsonl
workalike dataset stats AgentNet/ --html stats.html
workalike dataset filter AgentNet/ --where "efficiency_score >= 7 and steps < 30" --out good.jsonl
workalike dataset export good.jsonl --format chat --out messages
"""
_DO = "workalike.cli.dataset_do"
_EXPORT = "workalike.cli.dataset_export"


def add_arguments(parser: ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
    for add in (_validate, _stats, _filter, _split, _merge, _dedupe, _sample, _fetch, _export):
        add(parts)


def run(args: Namespace) -> int:
    module, name = args.do
    return int(getattr(import_module(module), name)(args))


def _part(
    parts: Any, name: str, help_text: str, example: str, do: tuple[str, str], paths: bool = True
) -> ArgumentParser:
    part: ArgumentParser = parts.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog="example:\n" + "\n".join(f"  workalike dataset {line}" for line in example.strip().splitlines()),
        formatter_class=RawDescriptionHelpFormatter,
    )
    part.set_defaults(do=do)
    if paths:
        part.add_argument(
            "paths", metavar="PATH", nargs="+", help="files, folders or patterns of rows, runs, packed files"
        )
        part.add_argument("--metadata", type=Path, action="append", default=[], metavar="FILE", help="metadata to join")
    part.add_argument("--json", action="store_true", help="print JSON")
    return part


def _validate(parts: _SubParsersAction[ArgumentParser]) -> None:
    example = """
validate AgentNet/
validate mine.jsonl --fix --out mended.jsonl --reject bad.jsonl
validate a.jsonl --images images.zip
"""
    part = _part(
        parts,
        "validate",
        "find every defect, each with its line, and mend what has one right answer",
        example,
        (_DO, "validate"),
    )
    part.add_argument(
        "--no-texts",
        action="store_true",
        help="do not look at what texts say, nor for names that stand twice, which are the slowest checks",
    )
    part.add_argument(
        "--images",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="check pictures too: a folder, zip or split zip",
    )
    part.add_argument("--no-decode", action="store_true", help="with --images: only whether they are there")
    part.add_argument("--fix", action="store_true", help="mend the defects that have one right answer, into --out")
    part.add_argument("--out", type=Path, metavar="FILE", help="write the rows that can be used")
    part.add_argument("--reject", type=Path, metavar="FILE", help="write the rows that cannot be used")
    part.add_argument("--defects", type=Path, metavar="FILE", help="write every defect as a line of JSON")
    part.add_argument(
        "--strict", action="store_true", help="exit with 1 for warnings, too; set aside every row with a defect"
    )
    part.add_argument("--stats", action="store_true", help="describe the set as well, in the same pass")
    part.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    _ray(part)


def _stats(parts: _SubParsersAction[ArgumentParser]) -> None:
    part = _part(
        parts,
        "stats",
        "count by system, domain, application, length, action, scores and tokens",
        "stats AgentNet/ --html stats.html",
        (_DO, "stats"),
    )
    part.add_argument("--html", type=Path, metavar="FILE", help="write a page with pictures")
    part.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    _ray(part)


def _filter(parts: _SubParsersAction[ArgumentParser]) -> None:
    example = """
filter AgentNet/ --where "efficiency_score >= 7 and system == 'ubuntu' and steps < 30" --out good.jsonl
filter a.jsonl --where "count(traj, last_step_correct == false) == 0" --out right.jsonl
"""
    part = _part(
        parts, "filter", "keep the rows for which an expression over any field is true", example, (_DO, "filter_")
    )
    part.add_argument(
        "--where",
        required=True,
        metavar="EXPRESSION",
        help="comparisons, and, or, not, in, contains, matches, any(), all(), count()",
    )
    _out(part)


def _split(parts: _SubParsersAction[ArgumentParser]) -> None:
    part = _part(
        parts,
        "split",
        "split by task, the same way whatever else is in the set",
        "split good.jsonl --into train=95 test=5 --out parts",
        (_DO, "split"),
    )
    part.add_argument(
        "--into", nargs="+", required=True, metavar="NAME=WEIGHT", help="the parts, such as train=95 test=5"
    )
    part.add_argument("--by", default="task", help="what stays together: task (default), instruction, or any field")
    part.add_argument("--seed", type=int, default=0)
    part.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the parts")


def _merge(parts: _SubParsersAction[ArgumentParser]) -> None:
    part = _part(
        parts,
        "merge",
        "several files as one, each row once",
        "merge a.jsonl b.jsonl --out all.jsonl --on-duplicate rename",
        (_DO, "merge"),
    )
    part.add_argument(
        "--on-duplicate",
        choices=["keep", "first", "rename", "refuse"],
        default="keep",
        help="another row under a known id (keep)",
    )
    _out(part)


def _dedupe(parts: _SubParsersAction[ArgumentParser]) -> None:
    part = _part(
        parts,
        "dedupe",
        "leave out rows that another stands for",
        "dedupe AgentNet/ --near 0.9 --keep longest --out once.jsonl",
        (_DO, "dedupe"),
    )
    part.add_argument(
        "--near", type=float, metavar="SHARE", help="also rows with this share of their words in common, such as 0.9"
    )
    part.add_argument("--same-id", action="store_true", help="also rows with the same id, whatever they say")
    part.add_argument(
        "--keep", choices=["first", "last", "longest", "best"], default="first", help="which one stays (first)"
    )
    _out(part)


def _sample(parts: _SubParsersAction[ArgumentParser]) -> None:
    part = _part(
        parts,
        "sample",
        "some rows, the same ones for the same seed",
        "sample AgentNet/ --count 100 --by system --out few.jsonl",
        (_DO, "sample"),
    )
    part.add_argument("--count", type=int, metavar="N", help="so many rows")
    part.add_argument("--by", metavar="FIELD", help="with --count: so many of each value of a field")
    part.add_argument("--share", type=float, metavar="SHARE", help="this share of the rows, such as 0.1")
    part.add_argument("--seed", type=int, default=0)
    _out(part)


def _fetch(parts: _SubParsersAction[ArgumentParser]) -> None:
    example = """
fetch --list
fetch --part metadata --part ubuntu --out AgentNet
fetch some/other-set --part '*.parquet' --out other
"""
    part = _part(
        parts,
        "fetch",
        "chosen parts of a published set from the hub, resumed and checked",
        example,
        (_DO, "fetch_"),
        paths=False,
    )
    part.add_argument(
        "repo", nargs="?", default="xlangai/AgentNet", metavar="REPO", help="owner/name (xlangai/AgentNet)"
    )
    part.add_argument(
        "--part",
        action="append",
        default=[],
        metavar="P",
        help="metadata, ubuntu, win-mac, ubuntu-images, win-mac-images, card, or a pattern",
    )
    part.add_argument("--revision", help="a commit or branch of the set")
    part.add_argument("--list", action="store_true", help="only show what there is")
    part.add_argument("--out", type=Path, metavar="DIR", help="the folder to fetch into")


def _export(parts: _SubParsersAction[ArgumentParser]) -> None:
    example = """
export good.jsonl --level l2 --out messages
export good.jsonl --format parquet --images images.zip --out hub
export runs/oracle --family fara --verdict success --format sharegpt --images runs/oracle --pictures copy --out sft
export runs/oracle --format agentnetbench --images runs/oracle --out steps
"""
    part = _part(
        parts,
        "export",
        "training messages, grounding pairs, rows or step tasks for others' tools",
        example,
        (_EXPORT, "export_"),
    )
    import_module(_EXPORT).add_arguments(part)


def _ray(part: ArgumentParser) -> None:
    from workalike.cli.asking import add_ray

    add_ray(part, "look at the rows on the nodes of a Ray cluster that see the same files, in --jobs processes on each")


def _out(part: ArgumentParser) -> None:
    part.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the file to write; .gz and .zst are packed"
    )
