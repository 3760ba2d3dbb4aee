"""The command line: a table of verbs, each imported only when it is called.

A verb is a module of this folder with a docstring (its help), an `EXAMPLE`, `add_arguments(parser)` and
`run(args) -> int`. Exit codes: 0 done, 1 the work found failures it was asked to look for, 2 bad input.
"""

from __future__ import annotations

import sys
from importlib import import_module
from keyword import iskeyword

from workalike.core.plain import plain as plain

TYPE_CHECKING = False  # as `typing` has it, which would double the time that `--version` takes
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from rich.console import Console

VERBS = {
    "demo": "the whole loop on the town: no key, no network",
    "doctor": "what this machine has and lacks, and how to mend it",
    "record": "record a person at a desktop or in a browser",
    "import": "bring others' recordings and runs into our form",
    "export": "write runs in others' layouts",
    "reduce": "turn raw events and frames into a trajectory",
    "annotate": "a reflective chain of thought for every step, and a summary for every trajectory",
    "redact": "find what should not be in a recording, and make a copy without it",
    "tasks": "list a benchmark's tasks, and prove that they are sound",
    "town": "serve the town, to look around in",
    "run": "an agent on a benchmark: many tasks, several repeats, resumable",
    "dataset": "AgentNet files at full size: validate, describe, choose, fetch, export",
    "act": "one task of your own, watched as it goes",
    "replay": "do a trajectory again, and see whether it comes out the same",
    "step-eval": "score an agent on recorded steps (AgentNetBench), offline",
    "verify": "judge what agents did: by truth, by rubric and screenshots, by your own eyes",
    "labels": "what people say of trajectories: who labelled how many, and all of it as a table",
    "agreement": "verifiers against labels: kappa, wrong alarms and misses, by kind of mistake",
    "agreement-set": "make a set to measure judges on: right and wrong attempts on the town",
    "attack-set": "make a set to attack judges with: attempts with words to the grader planted in them",
    "report": "tables of accuracy and cost from runs",
    "view": "look at runs and trajectories in the browser, on loopback",
    "serve-oracle": "the town's oracle as a model: test a harness with no model",
    "check-agent": "check an agent or an environment of your own against the contract",
    "check-verifier": "check a verifier of your own against the contract",
    "check-benchmark": "check a benchmark of your own against the contract",
    "schema": "the JSON schema of everything Workalike writes",
}

DONE, FOUND_FAILURES, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def open_console() -> Console:
    """Where tables go; what is not a terminal has no width to keep to."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 200)


def print_json(value: object) -> None:
    """What `--json` prints, whatever the verb."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def main(argv: list[str] | None = None) -> int:
    """Run one verb; what it raises on purpose becomes one sentence and exit code 2."""
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return DONE if words else BAD_INPUT
    if words[0] in ("-V", "--version"):
        from workalike import __version__

        print(f"workalike {__version__}")
        return DONE
    if words[0] not in VERBS:
        return _complain(f"there is no verb {words[0]!r}: {_nearest(words[0])}`workalike --help` lists them")
    return _run(words[0], words[1:])


def overview() -> str:
    """The text of `workalike --help`."""
    width = max(map(len, VERBS)) + 2
    rows = "\n".join(f"  {verb:{width}}{summary}" for verb, summary in VERBS.items())
    return (
        "usage: workalike VERB …\n\n"
        "Watch people use computers, learn from it, let agents act, and judge them honestly.\n\n"
        f"{rows}\n\n`workalike VERB --help` shows what a verb takes, with an example."
    )


def _run(verb: str, words: list[str]) -> int:
    from workalike.core.errors import WorkalikeError

    try:
        name = verb.replace("-", "_")
        module = import_module(f"workalike.cli.{name}_" if iskeyword(name) else f"workalike.cli.{name}")
        parser = _parser(verb, module.__doc__ or "", module.EXAMPLE)
        module.add_arguments(parser)
        return int(module.run(parser.parse_args(words)))
    except WorkalikeError as error:
        return _complain(str(error))
    except PermissionError as error:
        return _complain(f"{error.filename} may not be read or entered by this user; change its mode, or leave it out")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return DONE


def _parser(verb: str, doc: str, example: str) -> ArgumentParser:
    from argparse import RawDescriptionHelpFormatter

    from workalike.cli.parsing import Parser

    return Parser(
        prog=f"workalike {verb}",
        description=doc.strip(),
        epilog="example:\n" + "\n".join(f"  {line}" for line in example.strip().splitlines()),
        formatter_class=RawDescriptionHelpFormatter,
    )


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, VERBS, n=1)
    return f"did you mean {near[0]!r}? " if near else ""


def _complain(sentence: str) -> int:
    print(f"workalike: {sentence}", file=sys.stderr)
    return BAD_INPUT
