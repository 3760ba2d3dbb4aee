"""Show what this machine has and lacks (browser, display, virtual desktop, accessibility, codecs, keys, disk).

--fix mends it. Exit code 1 says that something the main job needs is missing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from workalike.cli import DONE, FOUND_FAILURES, print_json
from workalike.env.machine import CHECKS, MachineCheck, State, fix

EXAMPLE = """
workalike doctor
workalike doctor --fix --only browser
workalike doctor --model fara-7b@http://localhost:8000/v1
"""
_SIGNS = {"ok": "✓", "optional": "·", "missing": "✗"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="install what is missing")
    parser.add_argument("--only", action="append", choices=list(CHECKS), help="look at this alone (may be repeated)")
    parser.add_argument("--model", help="try this model with a few small questions, and say what works")
    parser.add_argument("--quiet", action="store_true", help="say nothing of what is in order")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: Namespace) -> int:
    if args.model:
        findings = _try_model(args.model)
    else:
        findings = [_examine(name, args) for name in args.only or CHECKS]
    if args.json:
        print_json(findings)
    else:
        for finding in findings:
            if not (args.quiet and finding.state == "ok"):
                print(_line(finding))
    return FOUND_FAILURES if any(finding.state == "missing" for finding in findings) else DONE


def _try_model(spec: str) -> list[MachineCheck]:
    """What a model can do, by asking it; a few hundred tokens."""
    import asyncio

    from workalike.models.client import ServiceLimits
    from workalike.models.probe import probe
    from workalike.models.served import Models

    states: dict[str, State] = {"works": "ok", "unsure": "optional", "missing": "missing"}

    async def ask() -> list[MachineCheck]:
        # whoever looks on wants to know soon
        async with Models(limits=ServiceLimits(retries=1, timeout=60.0), tell=_tell) as models:
            model = models.open(spec)
            tried = await probe(model)
            found = [MachineCheck(each.what, states[each.outcome], each.sentence) for each in tried]
            offered = await model.offered() if found[0].state == "missing" else ()
        return [*found, *([MachineCheck("models", "optional", f"there are {', '.join(offered)}")] if offered else [])]

    return asyncio.run(ask())


def _examine(name: str, args: Namespace) -> MachineCheck:
    finding = CHECKS[name]()
    if finding.state == "ok" or not args.fix:
        return finding
    problem = fix(name, _tell)
    if problem is None:
        return CHECKS[name]()
    return MachineCheck(finding.name, finding.state, finding.text, f"{finding.remedy} ({problem})")


def _tell(sentence: str) -> None:
    import sys

    print(sentence, file=sys.stderr, flush=True)


def _line(finding: MachineCheck) -> str:
    remedy = f"\n{'':18}→ {finding.remedy}" if finding.remedy else ""
    return f" {_SIGNS[finding.state]} {finding.name:<15}{finding.text}{remedy}"
