"""Find e-mail addresses, card numbers, keys, and names from a list, in the events and trees of a recording.

Without --out the findings are listed, and the exit code is 1 when there are any. With --out a copy is written in which
they are struck out, the keys that typed them are masked, and places are made unreadable where a tree says they stood.
The recording itself is never changed. Pictures are not read: what no tree told of may still be seen in them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.core.errors import BadInput

EXAMPLE = """
workalike redact recordings/sort
workalike redact recordings/sort --names people.txt --out recordings/sort-clean
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="the folder of a recording")
    parser.add_argument("--names", type=Path, metavar="FILE", help="names to look for, one a line")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a new folder for a copy without what is found")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: Namespace) -> int:
    from workalike.record.patterns import Patterns
    from workalike.record.redact import find, redact
    from workalike.store.recordings import Recording

    recording, patterns = Recording(args.recording), Patterns(_names(args.names))
    findings = list(find(recording, patterns))
    if args.json:
        print_json(findings)
    else:
        for finding in findings:
            print(f"{finding.kind:<7}{finding.shown:<10}{finding.where}, at {finding.time:.1f} s")
        print(f"{len(findings)} found" if findings else "nothing found")
    if args.out is None:
        return FOUND_FAILURES if findings else DONE
    redact(recording, args.out, patterns)
    print(f"wrote {args.out}; what no tree told of may still be seen in its pictures: look at them", file=sys.stderr)
    return DONE


def _names(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the list of names {path} cannot be read: {error}") from error
