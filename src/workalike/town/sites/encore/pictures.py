"""Posters, drawn as SVG from a name: every one different, always the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import cos, pi, sin
from random import Random

INKS = {
    "Music": (("#1d1145", "#e8467c", "#ffb03b"), ("#0c2d48", "#2e8bc0", "#f9d423"), ("#2b0a3d", "#9b5de5", "#00f5d4")),
    "Theatre": (
        ("#3d0c11", "#a4161a", "#f5e6c8"),
        ("#14213d", "#5a189a", "#fca311"),
        ("#1b2a1e", "#4f772d", "#ecf39e"),
    ),
    "Comedy": (("#ffd23f", "#ee4266", "#540d6e"), ("#f7b267", "#f25c54", "#2d3047"), ("#3bceac", "#0ead69", "#ffd23f")),
    "Family": (("#8ecae6", "#219ebc", "#ffb703"), ("#ffafcc", "#a2d2ff", "#cdb4db"), ("#caffbf", "#fdffb6", "#ff7b54")),
    "Dance": (("#22223b", "#9a8c98", "#f2e9e4"), ("#0b132b", "#5bc0be", "#f0f3bd"), ("#2f1b25", "#c9184a", "#ffccd5")),
}


@lru_cache(maxsize=512)
def poster(slug: str, genre: str, wide: bool = False) -> bytes:
    """A tall poster, or a wide one for the top of a page."""
    rng = Random(f"{slug}|{genre}")
    width, height = (1600, 420) if wide else (400, 520)
    dark, mid, light = rng.choice(INKS[genre])
    parts = "".join(_SHAPES[genre](rng, width, height, mid, light))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" preserveAspectRatio="xMidYMid slice">'
    )
    return f'{head}<rect width="{width}" height="{height}" fill="{dark}"/>{parts}</svg>'.encode()


def _rays(rng: Random, width: int, height: int, mid: str, light: str) -> Iterator[str]:
    x, y, count = width * rng.uniform(0.3, 0.7), height * rng.uniform(0.35, 0.6), rng.randint(14, 26)
    for at in range(count):
        a, b = 2 * pi * at / count, 2 * pi * (at + 0.45) / count
        far = 2 * max(width, height)
        ends = " ".join(f"{x + far * cos(turn):.0f},{y + far * sin(turn):.0f}" for turn in (a, b))
        points = f"{x:.0f},{y:.0f} {ends}"
        yield f'<polygon points="{points}" fill="{mid}" opacity=".55"/>'
    for ring in range(4, 0, -1):
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{ring * height / 11:.0f}" fill="{light if ring % 2 else mid}"/>'


def _curtain(rng: Random, width: int, height: int, mid: str, light: str) -> Iterator[str]:
    fold = width / rng.randint(8, 12)
    for at in range(int(width / fold) + 1):
        deep = height * (0.25 + 0.6 * abs(at * fold / width - 0.5) * 2)
        yield f'<path d="M{at * fold:.0f} 0h{fold:.0f}v{deep:.0f}q-{fold / 2:.0f} 40 -{fold:.0f} 0z" fill="{mid}"'
        yield f' opacity="{0.6 + 0.4 * (at % 2)}"/>'
    x = width * rng.uniform(0.4, 0.6)
    yield f'<ellipse cx="{x:.0f}" cy="{height * 0.86:.0f}" rx="{height * 0.3:.0f}" ry="{height * 0.07:.0f}"'
    yield f' fill="{light}"/>'
    yield f'<circle cx="{x:.0f}" cy="{height * 0.6:.0f}" r="{height * 0.06:.0f}" fill="{light}"/>'
    yield f'<path d="M{x - 30:.0f} {height * 0.84:.0f}l30 -{height * 0.2:.0f}l30 {height * 0.2:.0f}z" fill="{light}"/>'


def _grin(rng: Random, width: int, height: int, mid: str, light: str) -> Iterator[str]:
    x, y, r = width * rng.uniform(0.4, 0.6), height * 0.5, height * rng.uniform(0.26, 0.34)
    yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" fill="{mid}"/>'
    for side in (-1, 1):
        yield f'<circle cx="{x + side * r * 0.38:.0f}" cy="{y - r * 0.25:.0f}" r="{r * 0.11:.0f}" fill="{light}"/>'
    wide, tilt = r * 0.62, rng.uniform(0.25, 0.8) * r
    yield f'<path d="M{x - wide:.0f} {y + r * 0.15:.0f}q{wide:.0f} {tilt:.0f} {2 * wide:.0f} 0z" fill="{light}"/>'
    for _ in range(14):
        at = f'cx="{rng.uniform(0, width):.0f}" cy="{rng.uniform(0, height):.0f}"'
        yield f'<circle {at} r="{rng.randint(4, 12)}" fill="{light}"/>'


def _toys(rng: Random, width: int, height: int, mid: str, light: str) -> Iterator[str]:
    for _ in range(9):
        x, y, r = rng.uniform(0, width), rng.uniform(0, height * 0.7), rng.uniform(18, 60)
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" fill="{rng.choice((mid, light))}" opacity=".75"/>'
    for at in range(4):
        y = height * (0.7 + 0.09 * at)
        half, lift = width / 2, rng.randint(20, 60)
        yield f'<path d="M0 {y:.0f}q{half / 2:.0f} -{lift} {half:.0f} 0t{half:.0f} 0v400h-{width}z"'
        yield f' fill="{mid if at % 2 else light}" opacity=".9"/>'


def _ribbons(rng: Random, width: int, height: int, mid: str, light: str) -> Iterator[str]:
    for at in range(7):
        y, bend = height * rng.uniform(0.1, 0.9), rng.randint(-220, 220)
        colour = light if at % 3 == 0 else mid
        swing = f"{width * 0.3:.0f} {y + bend:.0f} {width * 0.6:.0f} {y - bend:.0f} {width + 20} {y:.0f}"
        yield f'<path d="M-20 {y:.0f}C{swing}"'
        yield f' fill="none" stroke="{colour}" stroke-width="{rng.randint(3, 26)}" opacity=".7"/>'


_SHAPES = {"Music": _rays, "Theatre": _curtain, "Comedy": _grin, "Family": _toys, "Dance": _ribbons}
