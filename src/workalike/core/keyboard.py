"""One vocabulary of key names (PyAutoGUI's, lower case) and the spellings other families use for them."""

from __future__ import annotations

MODIFIERS = ("ctrl", "shift", "alt", "command", "win")

_NAMED = {
    *("enter", "tab", "space", "backspace", "delete", "esc", "insert", "home", "end", "pageup", "pagedown"),
    *("up", "down", "left", "right", "capslock", "numlock", "scrolllock", "printscreen", "pause", "apps", "fn"),
    *("ctrl", "shift", "alt", "command", "win", "altgr"),
    *("ctrlleft", "ctrlright", "shiftleft", "shiftright", "altleft", "altright", "winleft", "winright"),
    *("optionleft", "optionright", "commandleft", "commandright"),
    *(f"f{n}" for n in range(1, 25)),
    *(f"num{n}" for n in range(10)),
    *("add", "subtract", "multiply", "divide", "decimal", "separator", "clear", "help", "select", "print", "execute"),
    *("volumeup", "volumedown", "volumemute", "playpause", "nexttrack", "prevtrack", "stop"),
    *("browserback", "browserforward", "browserrefresh", "browserstop", "browserhome", "browsersearch"),
    *("browserfavorites", "launchmail", "launchmediaselect", "launchapp1", "launchapp2", "sleep", "yen"),
    *("accept", "convert", "nonconvert", "modechange", "final", "junja", "hangul", "hanguel", "hanja", "kana", "kanji"),
}
SIGNS = {
    "-": "minus",
    "+": "plus",
    ",": "comma",
    ".": "period",
    "/": "slash",
    "\\": "backslash",
    "=": "equal",
    ";": "semicolon",
    "'": "apostrophe",
    "[": "bracketleft",
    "]": "bracketright",
    "`": "grave",
    "!": "exclam",
    '"': "quotedbl",
    "#": "numbersign",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "(": "parenleft",
    ")": "parenright",
    "*": "asterisk",
    ":": "colon",
    "<": "less",
    ">": "greater",
    "?": "question",
    "@": "at",
    "^": "asciicircum",
    "_": "underscore",
    "{": "braceleft",
    "|": "bar",
    "}": "braceright",
    "~": "asciitilde",
}
"""What X calls the keys of signs, in lower case."""
_SPELLINGS = {
    "enter": "return kp_enter numpadenter \n \r",
    "esc": "escape",
    "delete": "del",
    "insert": "ins",
    "pageup": "pgup page_up prior",
    "pagedown": "pgdn pgdown page_down next",
    "backspace": "back_space bksp \b",
    "tab": "\t",
    "up": "arrowup up_arrow arrow_up",
    "down": "arrowdown down_arrow arrow_down",
    "left": "arrowleft left_arrow arrow_left",
    "right": "arrowright right_arrow arrow_right",
    "space": "spacebar",
    "ctrl": "control",
    "ctrlleft": "control_l ctrl_l controlleft",
    "ctrlright": "control_r ctrl_r controlright",
    "shiftleft": "shift_l",
    "shiftright": "shift_r",
    "alt": "option opt",
    "altleft": "alt_l",
    "altright": "alt_r",
    "altgr": "alt_gr altgraph iso_level3_shift",
    "command": "cmd cmd_l",
    "commandright": "cmd_r",
    "win": "super super_l meta windows",
    "winleft": "win_l metaleft",
    "winright": "super_r win_r metaright",
    "capslock": "caps_lock caps",
    "numlock": "num_lock",
    "scrolllock": "scroll_lock",
    "printscreen": "print_screen prtsc prtscr prntscrn",
    "apps": "menu contextmenu",
    "playpause": "media_play_pause",
    "nexttrack": "media_next",
    "prevtrack": "media_previous",
    "volumeup": "media_volume_up xf86audioraisevolume audiovolumeup",
    "volumedown": "media_volume_down xf86audiolowervolume audiovolumedown",
    "volumemute": "media_volume_mute xf86audiomute audiovolumemute",
    **{f"num{n}": f"kp_{n} numpad{n}" for n in range(10)},
    "add": "kp_add numpadadd",
    "subtract": "kp_subtract numpadsubtract",
    "multiply": "kp_multiply numpadmultiply",
    "divide": "kp_divide numpaddivide",
    "decimal": "kp_decimal numpaddecimal",
    **SIGNS,
    ".": "period dot",
    "=": "equal equals",
    "`": "grave backquote",
}
_ALIASES = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings.split(" ")} | {
    " ": "space"
}
_SIDES = ("left", "right")
_TYPING = {"space", "add", "subtract", "multiply", "divide", "decimal", "separator", "yen"}


def canonical(name: str) -> str | None:
    """The one name of a key, or None when there is no such key. A single character is its own key.

    >>> canonical("Return"), canonical("A"), canonical("CmdOrSomething")
    ('enter', 'A', None)
    """
    low = name.lower()
    low = _ALIASES.get(low, low)
    if low in _NAMED or low in _SPELLINGS:
        return low
    return name if len(name) == 1 and name.isprintable() else None


def types_character(name: str) -> bool:
    """Whether a canonical key types a character by itself.

    >>> types_character("a"), types_character("num5"), types_character("numlock"), types_character("enter")
    (True, True, False, False)
    """
    return len(name) == 1 or name in _TYPING or (name[:3] == "num" and name[3:].isdigit())


def spellings() -> frozenset[str]:
    """Every spelling of more than one character that `canonical` understands, in lower case."""
    return frozenset(name for name in (*_NAMED, *_ALIASES) if len(name) > 1)


def modifier(name: str) -> str | None:
    """The modifier that a canonical key acts as, or None: `shiftleft` acts as shift, `altgr` as itself."""
    for side in _SIDES:
        name = name.removesuffix(side) if name != side else name
    name = "alt" if name == "option" else name
    return name if name in MODIFIERS else None
