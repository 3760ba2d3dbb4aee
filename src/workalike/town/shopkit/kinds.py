"""What kinds of goods there are: their brands, details, options and prices. All names are invented."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """One kind of goods. `telling` names the detail that siblings of one family differ in; `shape` is its picture."""

    slug: str
    title: str
    department: str
    nouns: tuple[str, ...]
    brands: tuple[str, ...]
    price: tuple[int, int]
    specs: dict[str, tuple[str, ...]]
    telling: str | None
    options: dict[str, tuple[str, ...]]
    shape: str
    pitch: tuple[str, ...]


KINDS = msgspec.json.decode((Path(__file__).parent / "kinds.json").read_bytes(), type=tuple[Kind, ...])
BY_SLUG = {kind.slug: kind for kind in KINDS}
DEPARTMENTS = {
    department: tuple(kind for kind in KINDS if kind.department == department)
    for department in dict.fromkeys(kind.department for kind in KINDS)
}

MODELS = (
    "Alder", "Basil", "Calder", "Dorset", "Elm", "Fenwick", "Garnet", "Hollis", "Iris", "Juniper", "Keel", "Linden",
    "Maren", "Nordic", "Orla", "Piper", "Quill", "Rowan", "Sable", "Tansy", "Umber", "Vesper", "Willow", "Yarrow",
    "Zephyr", "Beacon", "Cobalt", "Drift", "Ember", "Fable", "Arbor", "Bramble", "Cinder", "Dune", "Echo", "Finch",
    "Glade", "Heron", "Islay", "Jasper", "Kindle", "Lark", "Mistral", "Nimbus", "Osprey", "Pebble", "Quarry", "Reed",
    "Sorrel", "Thistle", "Ursa", "Vale", "Wharf", "Yonder", "Zinnia", "Bracken", "Coral", "Delta", "Everly", "Flint",
)  # fmt: skip

COLOURS = {
    "Black": "#3a3c41", "White": "#e9e6df", "Sage": "#a3b394", "Navy": "#3f5270", "Terracotta": "#c7694f",
    "Sand": "#cdb893", "Charcoal": "#5c6067", "Copper": "#b87350", "Cream": "#ebdfc6", "Silver": "#b8bec4",
    "Brass": "#c2a25a", "Brown": "#85603f", "Dark indigo": "#2f3f5e", "Medium wash": "#5f7fa6", "Light wash": "#a9c0d6",
}  # fmt: skip
TONES = ("#c9b79c", "#8fa3ad", "#a7b59a", "#d3a58f", "#7d8fb0", "#c0907a", "#9a8fb0", "#6f9a94")
