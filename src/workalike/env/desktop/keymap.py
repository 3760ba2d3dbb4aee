"""The keyboard of an X display: which key and which character a keycode means under the layout in force, and back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from workalike.core.errors import BadInput
from workalike.core.keyboard import canonical

if TYPE_CHECKING:
    from Xlib.display import Display

SHIFT, LOCK, CONTROL, ALT, WIN = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6
_UNICODE = 0x01000000
_KEYPAD = range(0xFF80, 0xFFBE)
# Names of X's that mean a key which core.keyboard spells another way.
_SPELLINGS = {
    "ISO_Left_Tab": "tab",
    "Print": "printscreen",
    "Sys_Req": "printscreen",
    "Meta_L": "altleft",
    "Meta_R": "altright",
    "Super_L": "winleft",
    "Super_R": "winright",
    "Hyper_L": "winleft",
    "Hyper_R": "winright",
    "Mode_switch": "altgr",
    "ISO_Level3_Latch": "altgr",
    "XF86AudioRaiseVolume": "volumeup",
    "XF86AudioLowerVolume": "volumedown",
    "XF86AudioMute": "volumemute",
    "XF86AudioPlay": "playpause",
    "XF86AudioNext": "nexttrack",
    "XF86AudioPrev": "prevtrack",
    "XF86AudioStop": "stop",
    "XF86Back": "browserback",
    "XF86Forward": "browserforward",
    "XF86Reload": "browserrefresh",
    "XF86HomePage": "browserhome",
    "XF86Search": "browsersearch",
    "XF86Favorites": "browserfavorites",
    "XF86Mail": "launchmail",
}
_KEYPAD_NAMES = {f"KP_{n}": f"num{n}" for n in range(10)} | {
    f"KP_{name.capitalize()}": name for name in ("add", "subtract", "multiply", "divide", "decimal", "separator")
}
# The keypad's symbols for characters stand this far above the characters.
_KEYPAD_CHARACTERS = range(0xFFAA, 0xFFBE)


class KeyMeaning(msgspec.Struct, frozen=True):
    """What a keycode means: the symbol, the key's canonical name (its character without modifiers), and the text it
    produces. A dead key produces none, but its symbol tells how it changes the next character."""

    symbol: int
    key: str
    text: str


class Keymap:
    """The layout of a display as it was when this was made; make another one when the layout changes.

    A row of symbols holds the first group's plain and shifted symbol, the second group's, and then those with AltGr."""

    def __init__(self, rows: dict[int, tuple[int, ...]], level3: int = 1 << 7, numlock: int = 1 << 4) -> None:
        self.rows, self.level3, self.numlock = rows, level3, numlock

    @staticmethod
    def of(display: Display) -> Keymap:
        low, high = display.display.info.min_keycode, display.display.info.max_keycode
        rows = display.get_keyboard_mapping(low, high - low + 1)
        modifiers = display.get_modifier_mapping()
        keymap = Keymap({low + n: tuple(row) for n, row in enumerate(rows)})
        level3 = keymap._mask(modifiers, ("ISO_Level3_Shift", "Mode_switch"))
        numlock = keymap._mask(modifiers, ("Num_Lock",))
        return Keymap(keymap.rows, level3 or 1 << 7, numlock or 1 << 4)

    def stroke(self, keycode: int, state: int) -> KeyMeaning:
        """What pressing a keycode means while the modifiers of `state` are down."""
        group = state >> 13 & 1
        symbol = self._symbol(keycode, group, state)
        plain = self._symbol(keycode, group, 0)
        commanded = bool(state & (CONTROL | ALT | WIN))
        if commanded and not _is_ascii(plain):
            plain = self._symbol(keycode, 0, 0)
        key = key_name(symbol if _is_keypad(symbol) else plain)
        text = "" if commanded else character(symbol)
        if state & LOCK and len(text.swapcase()) == 1:
            text = text.swapcase() if text.isalpha() else text
        return KeyMeaning(symbol, key, text)

    def find(self, symbol: int) -> tuple[int, int] | None:
        """The keycode and the modifiers that give a symbol in the first group, the fewest modifiers first."""
        for column, state in ((0, 0), (1, SHIFT), (4, self.level3), (5, self.level3 | SHIFT)):
            for keycode, row in self.rows.items():
                if column < len(row) and row[column] == symbol:
                    return keycode, state
        return None

    def spare(self) -> list[int]:
        """Keycodes that mean nothing in this layout, highest first."""
        return [keycode for keycode, row in reversed(self.rows.items()) if not any(row)]

    def _symbol(self, keycode: int, group: int, state: int) -> int:
        row = self.rows.get(keycode, ())
        shifted = bool(state & SHIFT)
        if state & self.numlock and _is_keypad(_at(row, 1)):
            shifted = not shifted
        level3 = 4 if state & self.level3 else 0
        columns = [level3 + (0 if level3 else 2 * group) + shifted, level3 + (0 if level3 else 2 * group), shifted, 0]
        return next((_at(row, column) for column in columns if _at(row, column)), 0)

    def _mask(self, modifiers: list[list[int]], names: tuple[str, ...]) -> int:
        wanted = {_symbols()[name] for name in names}
        for bit, keycodes in enumerate(modifiers):
            if any(wanted & set(self.rows.get(keycode, ())) for keycode in keycodes):
                return 1 << bit
        return 0


def key_name(symbol: int) -> str:
    """The canonical name of the key that gives a symbol; X's own name in lower case where there is none.

    >>> key_name(0xFF0D), key_name(0x41), key_name(0x20AC)
    ('enter', 'A', '€')
    """
    name = _names().get(symbol, "")
    if name in _KEYPAD_NAMES:
        return _KEYPAD_NAMES[name]
    if name in _SPELLINGS:
        return _SPELLINGS[name]
    text = character(symbol) or spacing(symbol)
    found = canonical(text) if text else canonical(name.removeprefix("KP_"))
    return found or name.lower()


def character(symbol: int) -> str:
    """The character a symbol types; empty for a dead key, a modifier or a function key."""
    if symbol & _UNICODE:
        return chr(symbol & 0xFFFFFF)
    if is_dead(symbol) or symbol == 0:
        return ""
    if symbol in _KEYPAD_CHARACTERS:
        return chr(symbol - 0xFF80)
    text = _texts().get(symbol, "")
    return text if text.isprintable() else ""


def symbol_of(text: str) -> int:
    """The symbol that types a character."""
    if text in ("\n", "\r"):
        return _symbols()["Return"]
    if text == "\t":
        return _symbols()["Tab"]
    code = ord(text)
    if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF:
        return code
    return _by_character().get(text, _UNICODE | code)


def symbol_named(key: str) -> int:
    """The symbol of a key's canonical name."""
    found = _by_key().get(key)
    if found is not None:
        return found
    if len(key) == 1:
        return symbol_of(key)
    raise BadInput(f"this keyboard has no key {key!r}")


def is_dead(symbol: int) -> bool:
    return 0xFE50 <= symbol <= 0xFE93


def spacing(symbol: int) -> str:
    """The accent of a dead key, standing alone; empty for other symbols."""
    if not is_dead(symbol):
        return ""
    return _texts().get(symbol, "")


def symbol_by_name(name: str) -> int | None:
    """The symbol that X calls by a name (`dead_acute`, `U20AC`)."""
    found = _symbols().get(name)
    if found is None and name.startswith("U") and len(name) > 4:
        try:
            return _UNICODE | int(name[1:], 16)
        except ValueError:
            return None
    return found


def _at(row: tuple[int, ...], column: int) -> int:
    return row[column] if column < len(row) else 0


def _is_keypad(symbol: int) -> bool:
    return symbol in _KEYPAD


def _is_ascii(symbol: int) -> bool:
    return symbol < 0x80 or (symbol >= 0xFE00 and not symbol & _UNICODE)


class _Symbol(msgspec.Struct, frozen=True):
    """A line of the table: a symbol, the character it draws (of a dead key: its accent, standing alone), its names."""

    symbol: int
    text: str
    names: tuple[str, ...]


@cache
def _table() -> tuple[_Symbol, ...]:
    """X's symbols for characters and accents, as the protocol numbers them; python-xlib has no characters to them."""
    lines = Path(__file__).with_name("keysyms.txt").read_text("ascii").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return tuple(
        _Symbol(int(symbol, 16), "" if code == "-" else chr(int(code, 16)), tuple(names))
        for symbol, code, *names in rows
    )


@cache
def _symbols() -> dict[str, int]:
    """Every symbol by X's name for it. Those of keys that draw nothing are python-xlib's."""
    from Xlib import XK

    for group in ("xf86", "xkb", "miscellany"):
        XK.load_keysym_group(group)
    named = {name.removeprefix("XK_"): value for name, value in vars(XK).items() if name.startswith("XK_")}
    return {name: line.symbol for line in _table() for name in line.names} | {
        name.replace("XF86_", "XF86"): symbol for name, symbol in named.items() if isinstance(symbol, int)
    }


@cache
def _texts() -> dict[int, str]:
    return {line.symbol: line.text for line in _table()}


@cache
def _names() -> dict[int, str]:
    names: dict[int, str] = {}
    for name, symbol in _symbols().items():
        names.setdefault(symbol, name)
    return names


@cache
def _by_character() -> dict[str, int]:
    """The symbol of a character that has one older than Unicode's; layouts use those."""
    older = [line for line in _table() if line.text and not line.symbol & _UNICODE and not is_dead(line.symbol)]
    return {line.text: line.symbol for line in reversed(older)}


@cache
def _by_key() -> dict[str, int]:
    """The symbol of every key with a name; a modifier without a side is its left one."""
    found: dict[str, int] = {}
    for symbol in sorted(_names(), key=lambda symbol: (_is_keypad(symbol), symbol)):
        key = key_name(symbol)
        if len(key) > 1:
            found.setdefault(key, symbol)
    named = _symbols()
    sides = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "win": "Super_L", "command": "Super_L"}
    plain = {"enter": "Return", "tab": "Tab", "altgr": "ISO_Level3_Shift", "printscreen": "Print", "altleft": "Alt_L"}
    plain |= {"altright": "Alt_R", "winleft": "Super_L", "winright": "Super_R", "space": "space"}
    other = {"commandleft": "Super_L", "commandright": "Super_R", "optionleft": "Alt_L", "optionright": "Alt_R"}
    return found | {key: named[name] for key, name in (sides | plain | other).items()}
