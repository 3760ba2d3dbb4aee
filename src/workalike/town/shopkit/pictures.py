"""Pictures of goods, drawn as SVG from a shape and a tone."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from workalike.town.shopkit.kinds import COLOURS

_SHAPES = msgspec.json.decode((Path(__file__).parent / "shapes.json").read_bytes(), type=dict[str, str])
_VIEWS = ("", "translate(400 0) scale(-1 1)", "translate(-130 -130) scale(1.65)", "translate(60 66) scale(.7)")


@lru_cache(maxsize=512)
def picture(shape: str, tone: str, view: int = 0, ground: str = "#f4f2ee") -> bytes:
    """A thing in a colour (a hex value, or a colour's name); views are front, other side, close-up, from afar."""
    tone = COLOURS.get(tone, tone)
    drawn = _SHAPES[shape].replace("{t}", tone).replace("{d}", shade(tone, 0.78)).replace("{l}", shade(tone, 1.4))
    place = f' transform="{_VIEWS[view % 4]}"' if view % 4 else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400">'
        f'<rect width="400" height="400" fill="{ground}"/>'
        f'<g{place}><ellipse cx="200" cy="327" rx="130" ry="11" fill="#000" opacity=".08"/>{drawn}</g></svg>'
    ).encode()


def shade(tone: str, factor: float) -> str:
    """A darker tone for a factor below 1, a lighter one above.

    >>> shade("#808080", 0.5)
    '#404040'
    """
    channels = (int(tone[at : at + 2], 16) for at in (1, 3, 5))
    mixed = (int(c * factor) if factor < 1 else int(c + (255 - c) * (factor - 1)) for c in channels)
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
