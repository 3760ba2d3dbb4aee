"""Sizes of clothes and shoes, as the size guide tells them."""

from __future__ import annotations

CLOTHES = (("XS", 84, 68), ("S", 90, 74), ("M", 96, 80), ("L", 104, 88), ("XL", 112, 96), ("XXL", 120, 106))
"""Each with the chest and the waist that it fits, in centimetres."""
SHOES = tuple(
    (size, round(19.8 + 0.84 * float(size), 1)) for size in ("6", "6.5", "7", "7.5", "8", "8.5", "9", "9.5", "10", "11")
)
"""Each with the length of the foot that it fits, in centimetres."""
