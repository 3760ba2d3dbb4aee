"""Damage of every kind, for readers to be tried on."""

from __future__ import annotations

import random


def spoilt(data: bytes, chance: random.Random) -> bytes:
    """The bytes with a few of them changed, taken out, put in, or moved."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(result)) if result else 0
        match chance.randrange(4):
            case 0:
                result[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del result[at : at + chance.randint(1, 40)]
            case 2:
                result[at:at] = chance.randbytes(chance.randint(1, 9))
            case _:
                other = chance.randrange(len(result)) if result else 0
                result[at : at + 20] = result[other : other + 20]
    return bytes(result)
