"""Pictures of venues and cities, drawn as SVG from a name: every one different, always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from zlib import crc32

from workalike.town.bookkit.venue import Venue
from workalike.town.hotelkit.pictures import CLOTH, SKIES, WALLS
from workalike.town.hotelkit.pictures import city_picture as city_picture

Drawing = Callable[[Random], Iterator[str]]
_WARM = ("#d98f4e", "#b5533c", "#e3b23c", "#7d8f4e", "#c46a7a", "#5e7f86")


def venue_picture(site: str, venue: Venue, view: int = 0) -> bytes:
    """Restaurants show their front, a dish, the room and another dish; activities what one does there."""
    return _picture(site, venue.slug, venue.kind, view)


@lru_cache(maxsize=1024)
def _picture(site: str, slug: str, kind: str, view: int) -> bytes:
    rng = Random(f"{slug}|{view}")
    drawings = SCENES.get(kind) or (_shopfront, _dish, _inside, _dish)
    turn = crc32(slug.encode()) % 3 if kind not in SCENES else 0
    inner = "".join(drawings[(view + turn) % len(drawings)](rng))
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" preserveAspectRatio="xMidYMid slice">'
    return f"{head}{inner}</svg>".encode()


def _rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"{more}/>'


def _disc(x: float, y: float, r: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" fill="{fill}"{more}/>'


def _sky(rng: Random) -> str:
    low, top = rng.choice(SKIES)
    return (
        f'<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient></defs>{_rect(0, 0, 600, 400, "url(#s)")}'
    )


def _shopfront(rng: Random) -> Iterator[str]:
    wall, cloth, dark = rng.choice(WALLS), rng.choice(CLOTH), rng.choice(("#2b2f33", "#3a2d25", "#22383b"))
    yield _rect(0, 0, 600, 400, wall)
    for x in range(40, 600, 140):
        yield _rect(x, 20, 76, 92, "#ffffff", ' opacity=".55"') + _rect(x + 5, 25, 66, 82, "#7f93a0")
    yield _rect(50, 150, 500, 210, dark)
    yield _rect(72, 190, 190, 150, "#ffe2a0") + _rect(338, 190, 190, 150, "#ffd98c") + _rect(276, 180, 50, 180, cloth)
    for x in (110, 170, 380, 450):
        yield _disc(x, 260, 15, "#6b4a33") + _rect(x - 18, 275, 36, 60, "#4c3527")
    for at in range(10):
        shade = cloth if at % 2 else "#f5efe4"
        yield f'<path d="M{45 + at * 51} 140h51v34q-25 20 -51 0z" fill="{shade}"/>'
    yield _rect(0, 360, 600, 40, "#8a8580")
    for x in (30, 565):
        yield _rect(x - 12, 330, 24, 34, "#9a5f3f") + _disc(x, 312, 26, "#5a7a52")


def _dish(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 400, rng.choice(("#c9a97e", "#3d3a38", "#e6dccb", "#7d6450", "#a9b3a5")))
    for x in range(0, 600, 75):
        yield _rect(x, 0, 2, 400, "#000", ' opacity=".08"')
    x, y, r = rng.randint(250, 350), rng.randint(185, 220), rng.randint(135, 165)
    yield _disc(x + 6, y + 10, r, "#000", ' opacity=".2"') + _disc(x, y, r, "#fbf9f4")
    yield _disc(x, y, r - 28, rng.choice(("#f1ece2", "#e4e9e6", "#efe0cf")))
    for _ in range(rng.randint(9, 15)):
        angle_x, angle_y = x + rng.randint(-70, 70), y + rng.randint(-62, 62)
        shape, fill = rng.randint(0, 2), rng.choice(_WARM)
        if shape == 0:
            yield _disc(angle_x, angle_y, rng.randint(10, 24), fill)
        elif shape == 1:
            yield f'<ellipse cx="{angle_x}" cy="{angle_y}" rx="{rng.randint(18, 40)}" ry="12" fill="{fill}"/>'
        else:
            yield f'<path d="M{angle_x} {angle_y}q20 -30 44 -6q-20 26 -44 6z" fill="#6f8f4a"/>'
    yield _rect(60, 70, 10, 250, "#d9d9d9", ' rx="5"') + _rect(530, 70, 10, 250, "#d9d9d9", ' rx="5"')


def _inside(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 270, rng.choice(("#37424a", "#5b3f36", "#2f4a48", "#d8c9b0")))
    yield _rect(0, 270, 600, 130, rng.choice(("#8d7357", "#b08b66", "#6d5a48")))
    for x in range(90, 600, 140):
        yield _rect(x, 0, 2, 80, "#1c1c1c") + f'<path d="M{x - 24} 100l10 -24h30l10 24z" fill="#f3c56b"/>'
    cloth = rng.choice(CLOTH)
    for x in (60, 240, 420):
        yield _rect(x, 240, 120, 16, "#f4efe6") + _rect(x + 52, 256, 16, 90, "#3b2f28")
        yield _rect(x - 22, 226, 18, 96, cloth, ' rx="6"') + _rect(x + 124, 226, 18, 96, cloth, ' rx="6"')
        yield _disc(x + 60, 230, 9, "#c8412f") + _rect(x + 20, 218, 8, 22, "#dfe8ea")


def _trail(rng: Random) -> Iterator[str]:
    yield _sky(rng)
    for depth, shade in enumerate(("#8fa6a0", "#6b8a78", "#47694f")):
        base, x, path = 210 + depth * 60, -40, ""
        while x < 640:
            width, peak = rng.randint(90, 190), rng.randint(40, 150 - depth * 30)
            path += f"L{x + width / 2:.0f} {base - peak}L{x + width} {base + rng.randint(-10, 10)}"
            x += width
        yield f'<path d="M-40 400L-40 {base}{path}L640 400z" fill="{shade}"/>'
    yield '<path d="M240 400q60 -60 20 -90t60 -70q20 -20 0 -34l10 2q34 26 8 52t-30 50q60 40 20 90z" fill="#e5d6b0"/>'
    for _ in range(9):
        x, y = rng.randint(10, 590), rng.randint(320, 385)
        yield f'<path d="M{x} {y}l16 -52l16 52z" fill="#2f4d38"/>'


def _museum(rng: Random) -> Iterator[str]:
    wall = rng.choice(("#ece6da", "#5d2f38", "#28404c", "#e3e7ea"))
    yield _rect(0, 0, 600, 310, wall) + _rect(0, 310, 600, 90, "#9c8468")
    for x in (50, 240, 430):
        width, height = rng.randint(100, 140), rng.randint(100, 160)
        yield _rect(x - 8, 62, width + 16, height + 16, "#b08d4c") + _rect(x, 70, width, height, rng.choice(_WARM))
        yield _disc(x + width / 2, 70 + height / 2, rng.randint(16, 40), rng.choice(CLOTH), ' opacity=".8"')
        yield _rect(x, 70 + height * 0.7, width, height * 0.3, rng.choice(CLOTH), ' opacity=".6"')
    for x in (150, 420):
        yield _disc(x, 290, 15, "#3a2d25") + _rect(x - 18, 304, 36, 80, rng.choice(CLOTH), ' rx="12"')


def _class(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 240, rng.choice(("#e8e2d6", "#dfe6e2", "#efe0d2"))) + _rect(0, 240, 600, 160, "#b8946b")
    for y in (50, 110):
        yield _rect(60, y + 34, 480, 8, "#8a6b4c")
        for x in range(80, 520, rng.randint(46, 62)):
            yield _rect(x, y + 34 - (h := rng.randint(14, 32)), 22, h, rng.choice(_WARM), ' rx="5"')
    yield _rect(40, 250, 520, 26, "#f4efe6") + _rect(70, 276, 14, 124, "#6d5a48") + _rect(516, 276, 14, 124, "#6d5a48")
    for x in (150, 300, 450):
        yield _disc(x, 190, 20, rng.choice(("#e2b48c", "#a8754f", "#6f4a33")))
        yield _rect(x - 26, 208, 52, 46, rng.choice(CLOTH), ' rx="14"') + _disc(x + 8, 250, 14, rng.choice(_WARM))


def _street(rng: Random) -> Iterator[str]:
    yield _sky(rng)
    x = -10
    while x < 600:
        width, height = rng.randint(70, 120), rng.randint(150, 250)
        yield _rect(x, 330 - height, width, height, rng.choice(WALLS))
        yield f'<path d="M{x} {330 - height}l{width / 2:.0f} -40l{width / 2:.0f} 40z" fill="#8a4b3a"/>'
        for floor in range(330 - height + 20, 290, 46):
            for window in range(x + 14, x + width - 20, 30):
                yield _rect(window, floor, 16, 26, "#56646f")
        x += width + 4
    yield _rect(0, 330, 600, 70, "#a69d92")
    for at in range(rng.randint(4, 6)):
        spot = 150 + at * 60
        yield _disc(spot, 318, 10, "#e2b48c") + _rect(spot - 12, 328, 24, 46, rng.choice(CLOTH), ' rx="8"')
    yield _rect(116, 250, 4, 100, "#444") + f'<path d="M120 250l46 14l-46 16z" fill="{rng.choice(_WARM)}"/>'


def _water(rng: Random) -> Iterator[str]:
    yield _sky(rng) + _rect(0, 230, 600, 170, "#4f7f93")
    for _ in range(16):
        yield _rect(rng.randint(0, 560), rng.randint(240, 390), rng.randint(20, 70), 3, "#fff", ' opacity=".35"')
    cloth = rng.choice(CLOTH)
    yield f'<path d="M170 270h260l-40 56h-180z" fill="{cloth}"/>' + _rect(240, 226, 120, 46, "#f4efe6")
    for x in (256, 292, 328):
        yield _rect(x, 236, 20, 20, "#56646f")
    yield _rect(296, 150, 5, 78, "#444") + f'<path d="M301 152l70 24l-70 22z" fill="{rng.choice(_WARM)}"/>'


def _gathering(rng: Random) -> Iterator[str]:
    yield _rect(0, 0, 600, 400, rng.choice(("#2d3a4a", "#4a3550", "#2f4a48", "#5a4636")))
    for at in range(9):
        yield _disc(30 + at * 68, 50 + (at % 2) * 16, 9, "#ffd98c") + _rect(0, 36 + (at % 2), 600, 2, "#111")
    for at in range(rng.randint(6, 8)):
        x, y = 60 + at * 72, 220 + (at % 3) * 26
        yield _disc(x, y, 26, rng.choice(("#e2b48c", "#a8754f", "#6f4a33", "#f0c9a4")))
        yield _rect(x - 34, y + 24, 68, 170, rng.choice(CLOTH), ' rx="24"')


SCENES: dict[str, tuple[Drawing, ...]] = {
    "Trail": (_trail, _trail, _water, _trail),
    "Museum": (_museum, _street, _museum, _museum),
    "Cooking class": (_class, _dish, _class, _inside),
    "Craft workshop": (_class, _class, _inside, _gathering),
    "Walking tour": (_street, _street, _museum, _gathering),
    "Boat trip": (_water, _water, _street, _gathering),
    "Bike tour": (_street, _trail, _water, _street),
    "Meetup": (_gathering, _inside, _gathering, _street),
}
"""What is seen of the activities; everything else is a restaurant."""
