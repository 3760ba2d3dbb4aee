"""Run every measurement, or those whose names are given: `python -m benchmarks startup store`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks import Figure


def main(names: list[str]) -> int:
    found = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    unknown = [name for name in names if name not in found]
    if unknown:
        print(f"there is no measurement {unknown[0]!r}; there are {', '.join(found)}", file=sys.stderr)
        return 2
    for name in names or found:
        print(f"\n{name}", flush=True)
        for figure in import_module(f"benchmarks.bench_{name}").measure():
            print(f"  {_row(figure)}", flush=True)
    return 0


def _row(figure: Figure) -> str:
    aim = f"   (aim: {figure.aim})" if figure.aim else ""
    detail = f"   {figure.detail}" if figure.detail else ""
    return f"{figure.name:<58}{figure.value:>12,.4g} {figure.unit}{aim}{detail}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
