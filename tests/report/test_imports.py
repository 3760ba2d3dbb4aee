"""A report is read off the disk: it brings in nothing that acts, serves or runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from workalike.core.key import Key
from workalike.core.task import Task
from workalike.core.trajectory import Stop
from workalike.core.verdict import Verdict
from workalike.store.layers import VERDICTS, LayerWriter
from workalike.store.runs import RunInfo, RunWriter

NOT_NEEDED = {"bench", "env", "town", "agents", "models", "verify", "record", "dataset", "runtime", "formats"}


def test_a_report_brings_in_nothing_that_acts(tmp_path: Path) -> None:
    task, settings = Task("a", "do it", category="c"), {"benchmark": "town@1", "agent": "oracle", "repeats": 1}
    info = RunInfo("r", "2026-11-16T00:00:00+00:00", settings)
    with RunWriter(tmp_path, info, [task], [Key("a")]) as run:
        attempt, writer = run.begin(task, 1)
        writer.finish(Stop("terminated"))
        writer.close()
        with LayerWriter(run.folder, VERDICTS, "state", Verdict) as verdicts:
            verdicts.put(attempt.id, Verdict(attempt.id, "state", "success"))
    code = (
        "import sys; from workalike.cli import main\n"
        "assert main(['report', sys.argv[1]]) == 0\n"
        "print('loaded', *(name.split('.')[1] for name in sys.modules if name.startswith('workalike.')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    folders = set(done.stdout.rpartition("loaded")[2].split())
    assert {"report", "store"} <= folders
    assert not folders & NOT_NEEDED
