"""Pictures of houses, rooms and cities, drawn as SVG from a name: every one different, always the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

SKIES = (
    ("#f6d9b8", "#e8a07a"), ("#cfe3ee", "#8fb9d2"), ("#f3e3d3", "#c9a8b4"), ("#dbe7dc", "#9cc0ae"),
    ("#e9dcec", "#a99bc6"), ("#fdeac4", "#f0b65f"),
)  # fmt: skip
WALLS = ("#f2ece1", "#d9b08c", "#b9695a", "#8f9eab", "#e5d3b3", "#6c7f86")
CLOTH = ("#2f5d62", "#a44a3f", "#3d4f77", "#7a6a4f", "#5d7052", "#8a5a83")


@lru_cache(maxsize=1024)
def hotel_picture(slug: str, stars: int, tone: int, view: int = 0, room: str = "") -> bytes:
    """View 0 is the house from the street; the others are a room, the bath, breakfast, the lobby, the view. Every kind
    of room looks a little different."""
    rng = Random(f"{slug}|{view}|{room}")
    parts = (_street, _room, _bath, _table, _lobby, _outlook)[view % 6]
    return _svg("".join(parts(rng, stars, tone)))


@lru_cache(maxsize=128)
def city_picture(name: str, wide: bool = False) -> bytes:
    """A skyline; a wide one for the top of a page."""
    rng = Random(name)
    tone = rng.randint(0, 5)
    return _svg("".join(_skyline(rng, tone, 1600 if wide else 600)), 1600 if wide else 600)


def _svg(inner: str, width: int = 600) -> bytes:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 400" preserveAspectRatio="xMidYMid slice">'
    return f"{head}{inner}</svg>".encode()


def _sky(tone: int, span: int = 600) -> str:
    top, low = SKIES[tone % 6][1], SKIES[tone % 6][0]
    return (
        f'<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient></defs>'
        f'<rect width="{span}" height="400" fill="url(#s)"/>'
    )


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"{more}/>'


def _street(rng: Random, stars: int, tone: int) -> Iterator[str]:
    yield _sky(tone)
    for x in range(-20, 600, 90):
        height = rng.randint(90, 190)
        yield _rect(x, 350 - height, 84, height, "#7d8894", ' opacity=".35"')
    floors, columns, wall = 3 + stars // 2 + rng.randint(0, 2), rng.randint(5, 7), rng.choice(WALLS)
    step = min(44, 250 // floors)
    width, height = columns * 52 + 28, floors * step + 60
    left, top = 300 - width / 2, 350 - height
    yield _rect(left, top, width, height, wall)
    yield _rect(left - 8, top - 10, width + 16, 14, "#4a4f55")
    lit = rng.choice(("#ffe3a3", "#dcebf2"))
    for floor in range(floors):
        for column in range(columns):
            shade = lit if rng.random() < 0.6 else "#56646f"
            yield _rect(left + 24 + column * 52, top + 18 + floor * step, 30, step - 15, shade, ' rx="2"')
            yield _rect(left + 22 + column * 52, top + 3 + (floor + 1) * step, 34, 3, "#ffffff", ' opacity=".6"')
    yield _rect(left, 306, width, 44, "#39424a") + _rect(278, 312, 44, 38, lit, ' rx="3"')
    cloth = rng.choice(CLOTH)
    yield f'<path d="M262 312h76l10 -16h-96z" fill="{cloth}"/>'
    yield _rect(0, 350, 600, 50, "#5b6168") + _rect(0, 350, 600, 6, "#8d949b")
    for x in (60, 540):
        yield f'<circle cx="{x}" cy="300" r="34" fill="#55745a"/>' + _rect(x - 4, 318, 8, 34, "#5a4634")


def _room(rng: Random, stars: int, tone: int) -> Iterator[str]:
    cloth = rng.choice(CLOTH)
    yield _rect(0, 0, 600, 290, rng.choice(("#efe9df", "#e6ebe8", "#f0e6dc", "#e4e7ee")))
    yield _rect(0, 290, 600, 110, rng.choice(("#b08b66", "#8d7357", "#c2a887")))
    yield _rect(40, 50, 130, 150, "#ffffff") + _rect(48, 58, 114, 134, SKIES[tone % 6][0])
    yield _rect(30, 40, 26, 200, cloth, ' opacity=".8"') + _rect(154, 40, 26, 200, cloth, ' opacity=".8"')
    yield _rect(240, 120, 290, 150, rng.choice(("#6d5a48", "#3f4750", "#8a6b52")), ' rx="8"')
    yield _rect(225, 215, 320, 110, "#fbfaf7", ' rx="14"') + _rect(225, 262, 320, 66, cloth, ' rx="10"')
    for x in (255, 395):
        yield _rect(x, 188, 120, 46, "#ffffff", ' rx="14" stroke="#e2ded6"')
    yield _rect(545, 250, 44, 62, "#7d6650") + '<path d="M552 214h30l8 30h-46z" fill="#f7e2ae"/>'
    yield _rect(565, 244, 4, 8, "#555")
    yield _rect(330, 46, 110, 58, "#fff", ' stroke="#cfc7ba" stroke-width="4"')
    yield f'<circle cx="{rng.randint(350, 420)}" cy="76" r="{rng.randint(10, 20)}" fill="{cloth}" opacity=".5"/>'


def _bath(rng: Random, stars: int, tone: int) -> Iterator[str]:
    tile = rng.choice(("#e4eeef", "#ece8e1", "#e5e9e0"))
    yield _rect(0, 0, 600, 400, tile)
    for x in range(0, 600, 50):
        yield _rect(x, 0, 1, 280, "#c9d3d4")
    for y in range(0, 290, 40):
        yield _rect(0, y, 600, 1, "#c9d3d4")
    yield _rect(0, 290, 600, 110, "#98a2a5")
    yield _rect(60, 60, 170, 120, "#f9fdfd", ' stroke="#b8a88c" stroke-width="8"')
    yield _rect(50, 220, 190, 24, "#fff") + _rect(70, 244, 150, 80, rng.choice(("#7b624b", "#4f5a61")))
    yield '<path d="M300 230h260c0 80 -20 100 -60 100h-140c-40 0 -60 -20 -60 -100z" fill="#fff" stroke="#cdd5d6"/>'
    yield _rect(400, 120, 120, 70, rng.choice(CLOTH), ' rx="4"') + _rect(390, 114, 140, 6, "#8d8d8d")


def _table(rng: Random, stars: int, tone: int) -> Iterator[str]:
    yield _rect(0, 0, 600, 400, rng.choice(("#c9a97e", "#a58763", "#d7c3a3")))
    for x, y, r in ((180, 210, 110), (430, 150, 80), (440, 310, 66)):
        yield f'<circle cx="{x}" cy="{y}" r="{r}" fill="#fdfcfa"/>'
        yield f'<circle cx="{x}" cy="{y}" r="{r - 22}" fill="#f1eee8"/>'
    yield '<ellipse cx="150" cy="200" rx="48" ry="30" fill="#fff"/><circle cx="152" cy="200" r="17" fill="#f2b632"/>'
    for at in range(6):
        yield f'<circle cx="{205 + at % 3 * 24}" cy="{215 + at // 3 * 26}" r="12" fill="#c8412f"/>'
    yield '<circle cx="430" cy="150" r="46" fill="#5a3a22"/>'
    yield '<path d="M398 318q42 -60 84 0q-42 -18 -84 0z" fill="#d99a4a"/>'


def _lobby(rng: Random, stars: int, tone: int) -> Iterator[str]:
    yield _rect(0, 0, 600, 270, rng.choice(("#37424a", "#4a3d36", "#2f4a48"))) + _rect(0, 270, 600, 130, "#c8b9a3")
    for x in range(80, 600, 150):
        yield _rect(x, 0, 2, 70, "#222") + f'<circle cx="{x}" cy="88" r="24" fill="#ffe7ae"/>'
    yield _rect(60, 190, 260, 110, "#8c6b4c") + _rect(50, 180, 280, 14, "#e9e2d6")
    cloth = rng.choice(CLOTH)
    yield _rect(380, 220, 180, 60, cloth, ' rx="14"') + _rect(368, 250, 204, 60, cloth, ' rx="16"')
    yield _rect(100, 110, 180, 46, "#d9c08a") + _rect(340, 330, 200, 26, "#6b5844", ' rx="12"')


def _outlook(rng: Random, stars: int, tone: int) -> Iterator[str]:
    yield from _skyline(rng, tone, 600)


def _skyline(rng: Random, tone: int, span: int) -> Iterator[str]:
    yield _sky(tone, span)
    yield f'<circle cx="{rng.randint(80, span - 80)}" cy="{rng.randint(60, 130)}" r="34" fill="#fff6dd" opacity=".9"/>'
    for depth, fade in enumerate((0.3, 0.5, 0.8)):
        x = -10
        while x < span:
            width, height = rng.randint(34, 78), rng.randint(50, 150) + 20 * (2 - depth)
            y = 330 + depth * 18 - height
            yield _rect(x, y, width, height + 90, "#54616e", f' opacity="{fade}"')
            if rng.random() < 0.22:
                half, peak = width // 2, rng.randint(26, 70)
                yield f'<path d="M{x} {y}l{half} -{peak}l{half} {peak}z" fill="#54616e" opacity="{fade}"/>'
            x += width + rng.randint(0, 8)
    yield _rect(0, 362, span, 38, "#47606f") + _rect(0, 372, span, 2, "#fff", ' opacity=".3"')
