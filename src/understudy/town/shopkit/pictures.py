"""Pictures of goods, drawn as SVG from a shape and a tone."""

from __future__ import annotations

_SHAPES = {
    "kettle": '<path d="M130 280h140l-16-150q-54-30-108 0z" fill="{t}"/><path d="M254 150q60 0 46 90l-40 14" fill="none" stroke="#3b3b3b" stroke-width="12"/><path d="M146 170l-46 20 40 40z" fill="{t}"/><rect x="150" y="110" width="100" height="14" rx="7" fill="#3b3b3b"/><circle cx="200" cy="100" r="9" fill="#3b3b3b"/><rect x="120" y="280" width="160" height="14" rx="7" fill="#3b3b3b"/>',
    "box": '<rect x="110" y="120" width="180" height="180" rx="12" fill="{t}"/>',
}


def picture(shape: str, tone: str) -> bytes:
    """A picture of a kind of thing in a colour."""
    drawn = _SHAPES.get(shape, _SHAPES["box"]).replace("{t}", tone)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="#f5f2ed"/>'
        f'<ellipse cx="200" cy="310" rx="110" ry="12" fill="#00000018"/>{drawn}</svg>'
    ).encode()
