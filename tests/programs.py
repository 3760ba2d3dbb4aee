"""The programs that tests drive, each with the Debian package it is in: the one list that `make test` and `make sweep`
install. Where one cannot be installed its tests are skipped, and say so."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from workalike.env.install import DESKTOP, by_apt

# A name with a slash is a file that some program needs.
PROGRAMS = {
    **DESKTOP,
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "/usr/share/X11/locale/en_US.UTF-8/Compose": "libx11-data",
    "setxkbmap": "x11-xkb-utils",
    "xrandr": "x11-xserver-utils",
    "zenity": "zenity",
    "mousepad": "mousepad",
    "galculator": "galculator",
    "zip": "zip",
}
SWEPT = {
    "soffice": "libreoffice-calc",
    "/usr/lib/libreoffice/program/libvclplug_gtk3lo.so": "libreoffice-gtk3",
    "chromium": "chromium",
    "gnumeric": "gnumeric",
    "npm": "npm",
    "ip": "iproute2",
    "pdflatex": "texlive-latex-base",
    "/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty": "texlive-latex-recommended",
}


def needs(*programs: str) -> None:
    """Skip the test where a program is not installed; one that the list lacks would be installed nowhere."""
    for program in programs:
        package = (PROGRAMS | SWEPT).get(program)
        assert package, f"tests/programs.py does not list {program}"
        if not _is_here(program):
            pytest.skip(f"there is no {program}: install the package {package}")


def packages(programs: Iterable[str]) -> list[str]:
    """What to install for those of the programs that are not here."""
    return list(dict.fromkeys((PROGRAMS | SWEPT)[program] for program in programs if not _is_here(program)))


def _is_here(program: str) -> bool:
    return Path(program).is_file() if "/" in program else shutil.which(program) is not None


def _install(swept: bool) -> None:
    lacking = packages([*PROGRAMS, *(SWEPT if swept else ())])
    problem = by_apt(lacking, print) if lacking else None
    if problem:
        print(f"programs that tests drive could not be installed, and those tests are skipped ({problem})")


if __name__ == "__main__":
    _install(swept="--swept" in sys.argv)
