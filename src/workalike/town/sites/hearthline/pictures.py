"""Pictures of homes, drawn as SVG from a name: every one different, always the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

SKIES = (("#cfe6f5", "#eaf4fb"), ("#f6ddc4", "#fdf0e2"), ("#d8e7dc", "#f0f6f1"), ("#d9dcef", "#f1f2fa"))
WALLS = ("#e9e2d4", "#c9d3d6", "#b5583f", "#8aa38c", "#d8b98c", "#f4f1ea", "#6f7f92")
ROOFS = ("#4d4a48", "#7a4a3a", "#5c6a72", "#3d4f46")
DOORS = ("#a33a2c", "#22577a", "#2f5d50", "#e0a030", "#333")


@lru_cache(maxsize=2048)
def home_picture(slug: str, kind: str, garage: int, view: int = 0) -> bytes:
    """View 0 is the home from the street; the others are the living room, the kitchen and the plan."""
    rng = Random(f"{slug}|{view}")
    if view == 0:
        parts = {"Land": _land, "Condo": _block, "Townhouse": _terrace}.get(kind, _house)(rng, garage)
    else:
        parts = (_kitchen, _living, _kitchen, _plan)[view % 4](rng)
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" preserveAspectRatio="xMidYMid slice">'
    return f"{head}{''.join(parts)}</svg>".encode()


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"{more}/>'


def _ground(rng: Random) -> Iterator[str]:
    top, low = rng.choice(SKIES)
    yield _rect(0, 0, 600, 400, low) + _rect(0, 0, 600, 160, top)
    yield f'<circle cx="{rng.randint(60, 540)}" cy="70" r="26" fill="#fff4d6"/>'
    for _ in range(3):
        x, r = rng.randint(-20, 600), rng.randint(60, 110)
        yield f'<ellipse cx="{x}" cy="300" rx="{r * 1.6:.0f}" ry="{r}" fill="#9fb89a" opacity=".6"/>'
    yield _rect(0, 300, 600, 100, rng.choice(("#8fae7d", "#a3b878", "#7fa188")))


def _tree(rng: Random, x: int) -> str:
    r = rng.randint(24, 44)
    return _rect(x - 4, 250, 8, 70, "#6b4f3a") + f'<circle cx="{x}" cy="240" r="{r}" fill="#5f8a55"/>'


def _window(x: float, y: float, width: float = 44, height: float = 50) -> str:
    return _rect(x, y, width, height, "#fff") + _rect(x + 4, y + 4, width - 8, height - 8, "#8fb3c9")


def _house(rng: Random, garage: int) -> Iterator[str]:
    yield from _ground(rng)
    wall, roof, floors = rng.choice(WALLS), rng.choice(ROOFS), rng.choice((1, 2, 2))
    width, height = rng.randint(230, 290), 85 * floors
    left, top = 300 - width / 2 - 30 * min(garage, 1), 320 - height
    yield _tree(rng, rng.randint(30, 90)) + _tree(rng, rng.randint(510, 570))
    yield _rect(left, top, width, height, wall)
    peak = rng.randint(50, 90)
    half = width / 2 + 18
    yield f'<path d="M{left - 18:.0f} {top:.0f}l{half:.0f} -{peak}l{half:.0f} {peak}z" fill="{roof}"/>'
    if rng.random() < 0.6:
        yield _rect(left + width * 0.72, top - peak * 0.8, 22, 50, "#8a5a48")
    for floor in range(floors):
        for at in range(3):
            if floor or at != 1:
                yield _window(left + 22 + at * (width - 88) / 2, top + height - 85 * (floor + 1) + 18)
    yield _rect(left + width / 2 - 20, 250, 40, 70, rng.choice(DOORS))
    if garage:
        yield _rect(left + width, 244, 52 * min(garage, 2), 76, wall) + _rect(
            left + width + 8, 260, 52 * min(garage, 2) - 16, 60, "#f2f2f0"
        )
        broad = 52 * min(garage, 2)
        yield f'<path d="M{left + width:.0f} 244h{broad}l-10 -18h-{broad - 10}z" fill="{roof}"/>'
    yield f'<path d="M{left + width / 2 - 20:.0f} 320h40l30 80h-110z" fill="#cfc9bd"/>'


def _terrace(rng: Random, garage: int) -> Iterator[str]:
    yield from _ground(rng)
    for at in range(4):
        wall, x = rng.choice(WALLS), 60 + at * 120
        yield _rect(x, 130, 118, 190, wall)
        yield f'<path d="M{x} 130l59 -44l59 44z" fill="{rng.choice(ROOFS)}"/>'
        yield _window(x + 14, 150, 36, 46) + _window(x + 68, 150, 36, 46) + _window(x + 68, 222, 36, 46)
        yield _rect(x + 18, 248, 34, 72, rng.choice(DOORS))


def _block(rng: Random, garage: int) -> Iterator[str]:
    yield from _ground(rng)
    floors, wall = rng.randint(4, 6), rng.choice(WALLS)
    top = 320 - floors * 46
    yield _rect(120, top, 360, floors * 46, wall) + _rect(112, top - 10, 376, 12, rng.choice(ROOFS))
    for floor in range(floors):
        for at in range(5):
            yield _window(140 + at * 68, top + 8 + floor * 46, 40, 28)
            if rng.random() < 0.4:
                yield _rect(136 + at * 68, top + 34 + floor * 46, 48, 5, "#555")
    yield _rect(280, 280, 40, 40, "#333")


def _land(rng: Random, garage: int) -> Iterator[str]:
    yield from _ground(rng)
    for _ in range(rng.randint(3, 7)):
        yield _tree(rng, rng.randint(20, 580))
    yield f'<path d="M{rng.randint(200, 300)} 400q60 -60 {rng.randint(60, 160)} -100" fill="none"'
    yield ' stroke="#cbbf9f" stroke-width="14"/>'
    yield _rect(420, 270, 70, 40, "#fff") + _rect(452, 310, 5, 34, "#666") + _rect(428, 282, 54, 5, "#a33a2c")


def _living(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 280, rng.choice(("#efe9df", "#e6ebe8", "#f0e6dc"))) + _rect(0, 280, 600, 120, "#b08b66")
    yield _window(60, 60, 150, 130) + _rect(300, 70, 120, 80, rng.choice(DOORS), ' opacity=".5"')
    cloth = rng.choice(WALLS)
    yield _rect(240, 210, 260, 60, cloth, ' rx="16"') + _rect(226, 240, 288, 70, cloth, ' rx="18"')
    yield _rect(300, 320, 150, 16, "#6b5844") + _rect(530, 160, 6, 150, "#555") + _rect(510, 130, 46, 40, "#f7e2ae")


def _kitchen(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 400, "#f1efe9") + _rect(0, 330, 600, 70, "#c7b79e")
    front = rng.choice(("#4f6d7a", "#f7f5ef", "#7a8b6f", "#2f3e46"))
    for x in range(30, 560, 90):
        yield _rect(x, 40, 84, 90, front, ' stroke="#0002"') + _rect(x, 226, 84, 104, front, ' stroke="#0002"')
    yield _rect(24, 208, 552, 18, "#d8d2c6") + _rect(300, 226, 84, 104, "#9aa0a3") + _rect(310, 250, 64, 50, "#333")
    for y in range(136, 208, 18):
        yield _rect(24, y, 552, 16, "#fff", ' stroke="#e3dfd6"')


def _plan(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 400, "#fff")
    x = rng.randint(220, 320)
    y = rng.randint(160, 230)
    line = ' stroke="#333" stroke-width="5"'
    yield _rect(60, 40, 480, 320, "#f6f7f9", line) + _rect(60, 40, x - 60, y - 40, "#eaf0f6", line)
    yield _rect(x, y, 540 - x, 360 - y, "#f3ede3", line) + _rect(60, y, 90, 360 - y, "#e6f0ea", line)
