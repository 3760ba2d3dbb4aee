"""What kinds of goods there are: their brands, details, options and prices. All names are invented."""

from __future__ import annotations

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """One kind of goods. `telling` names the detail that siblings of one family differ in."""

    slug: str
    title: str
    department: str
    nouns: tuple[str, ...]
    brands: tuple[str, ...]
    price: tuple[int, int]
    specs: dict[str, tuple[str, ...]]
    telling: str | None = None
    options: dict[str, tuple[str, ...]] = {}
    shape: str = "box"
    tones: tuple[str, ...] = ("#c9b79c", "#8fa3ad", "#a7b59a", "#d3a58f")


MODELS = (
    "Alder", "Basil", "Calder", "Dorset", "Elm", "Fenwick", "Garnet", "Hollis", "Iris", "Juniper", "Keel", "Linden", "Maren",
    "Nordic", "Orla", "Piper", "Quill", "Rowan", "Sable", "Tansy", "Umber", "Vesper", "Willow", "Yarrow", "Zephyr", "Beacon",
    "Cobalt", "Drift", "Ember", "Fable",
)  # fmt: skip

_COLOURS = ("Black", "White", "Sage", "Navy", "Terracotta", "Sand", "Charcoal")
_CLOTHES = ("XS", "S", "M", "L", "XL", "XXL")
_SHOES = ("6", "6.5", "7", "7.5", "8", "8.5", "9", "9.5", "10", "11")

KINDS = (
    Kind(
        "kettles", "Kettles", "Kitchen", ("Electric Kettle", "Gooseneck Kettle"),
        ("Torvald", "Brookside", "Ashby & Rye", "Hearthlight"), (24, 120),
        {"Capacity": ("0.8 L", "1.0 L", "1.2 L", "1.5 L", "1.7 L"), "Power": ("1200 W", "1500 W", "1800 W"),
         "Material": ("Stainless steel", "Glass", "Enamelled steel"), "Cord length": ("75 cm", "90 cm", "120 cm")},
        "Capacity", {"Color": ("Black", "White", "Sage", "Copper")}, "kettle",
    ),
    Kind(
        "jackets", "Jackets", "Clothing", ("Rain Jacket", "Fleece Jacket", "Quilted Jacket"),
        ("Fellmark", "Northrow", "Cairn & Co", "Saltmarsh"), (45, 240),
        {"Fabric": ("Recycled polyester", "Waxed cotton", "Nylon ripstop"), "Weight": ("310 g", "420 g", "560 g", "690 g"),
         "Fit": ("Slim", "Regular", "Relaxed")},
        None, {"Color": _COLOURS, "Size": _CLOTHES}, "jacket",
    ),
    Kind(
        "trail-shoes", "Trail shoes", "Shoes", ("Trail Running Shoes", "Hiking Shoes"),
        ("Fellmark", "Strider", "Cairn & Co", "Pacewell"), (60, 190),
        {"Drop": ("4 mm", "6 mm", "8 mm", "10 mm"), "Upper": ("Mesh", "Suede", "Leather"), "Weight": ("240 g", "280 g", "330 g")},
        None, {"Color": _COLOURS, "Size": _SHOES}, "shoe",
    ),
    Kind(
        "headphones", "Headphones", "Electronics", ("Wireless Headphones", "Studio Headphones", "Earbuds"),
        ("Auralis", "Tonewright", "Hushline", "Meridian"), (39, 320),
        {"Battery life": ("18 h", "24 h", "30 h", "40 h", "50 h"), "Noise cancelling": ("Yes", "No"),
         "Driver": ("30 mm", "40 mm", "50 mm"), "Weight": ("190 g", "230 g", "265 g")},
        None, {"Color": ("Black", "White", "Navy", "Sand")}, "headphones",
    ),
    Kind(
        "backpacks", "Backpacks", "Travel", ("Daypack", "Travel Backpack", "Laptop Backpack"),
        ("Fellmark", "Wander & Co", "Northrow", "Carrel"), (35, 210),
        {"Volume": ("16 L", "20 L", "24 L", "30 L", "38 L"), "Weight": ("620 g", "780 g", "950 g", "1.2 kg"),
         "Laptop sleeve": ("None", "13 inch", "15 inch", "16 inch")},
        "Volume", {"Color": _COLOURS}, "bag",
    ),
    Kind(
        "lamps", "Table lamps", "Home", ("Table Lamp", "Desk Lamp"),
        ("Lumen & Oak", "Hearthlight", "Osier", "Brookside"), (28, 180),
        {"Height": ("28 cm", "34 cm", "42 cm", "55 cm"), "Bulb": ("E12", "E26", "Built-in LED"), "Shade": ("Linen", "Glass", "Metal", "Paper")},
        "Height", {"Color": ("Brass", "Black", "White", "Sage")}, "lamp",
    ),
)  # fmt: skip
BY_SLUG = {kind.slug: kind for kind in KINDS}
