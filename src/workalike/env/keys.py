"""The project's key names in the words of the browser, and the shortcuts that belong to the browser, not to a page."""

from __future__ import annotations

from workalike.core.actions import Action, Back, CloseTab, Forward, Hotkey, KeyDown, Press
from workalike.core.errors import ActionFailed
from workalike.core.keyboard import canonical, modifier

_NAMES = {
    "enter": "Enter", "tab": "Tab", "space": "Space", "backspace": "Backspace", "delete": "Delete", "esc": "Escape",
    "insert": "Insert", "home": "Home", "end": "End", "pageup": "PageUp", "pagedown": "PageDown", "up": "ArrowUp",
    "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "capslock": "CapsLock", "numlock": "NumLock",
    "scrolllock": "ScrollLock", "printscreen": "PrintScreen", "pause": "Pause", "apps": "ContextMenu",
    "ctrl": "Control", "shift": "Shift", "alt": "Alt", "command": "Control", "win": "Meta", "altgr": "AltGraph",
    "ctrlleft": "ControlLeft", "ctrlright": "ControlRight", "shiftleft": "ShiftLeft", "shiftright": "ShiftRight",
    "altleft": "AltLeft", "altright": "AltRight", "optionleft": "AltLeft", "optionright": "AltRight",
    "winleft": "MetaLeft", "winright": "MetaRight", "commandleft": "ControlLeft", "commandright": "ControlRight",
    "add": "NumpadAdd", "subtract": "NumpadSubtract", "multiply": "NumpadMultiply", "divide": "NumpadDivide",
    "decimal": ".", "volumeup": "AudioVolumeUp", "volumedown": "AudioVolumeDown",
    "volumemute": "AudioVolumeMute", "playpause": "MediaPlayPause", "nexttrack": "MediaTrackNext",
    "prevtrack": "MediaTrackPrevious",
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
    **{f"num{n}": str(n) for n in range(10)},
}  # fmt: skip
_PLACES = {
    "`": "Backquote", "-": "Minus", "=": "Equal", "[": "BracketLeft", "]": "BracketRight", "\\": "Backslash",
    ";": "Semicolon", "'": "Quote", ",": "Comma", ".": "Period", "/": "Slash",
}  # fmt: skip
_ASCII = {chr(code) for code in range(33, 127)}
RELOAD, NEW_TAB, NEXT_TAB, PREVIOUS_TAB = "reload", "new tab", "next tab", "previous tab"
ADDRESS_BAR = "address bar"
Shortcut = Action | str
_SHORTCUTS: dict[tuple[str, ...], Shortcut] = {
    ("alt", "left"): Back(),
    ("alt", "right"): Forward(),
    ("browserback",): Back(),
    ("browserforward",): Forward(),
    ("f5",): RELOAD,
    ("browserrefresh",): RELOAD,
    ("ctrl", "r"): RELOAD,
    ("ctrl", "shift", "r"): RELOAD,
    ("ctrl", "w"): CloseTab(),
    ("ctrl", "f4"): CloseTab(),
    ("ctrl", "t"): NEW_TAB,
    ("ctrl", "tab"): NEXT_TAB,
    ("ctrl", "pagedown"): NEXT_TAB,
    ("ctrl", "shift", "tab"): PREVIOUS_TAB,
    ("ctrl", "pageup"): PREVIOUS_TAB,
    ("ctrl", "l"): ADDRESS_BAR,
    ("alt", "d"): ADDRESS_BAR,
    ("f6",): ADDRESS_BAR,
}


def known(name: str) -> str:
    """The project's name of a key; an unknown one is the agent's mistake."""
    key = canonical(name)
    if key is None:
        raise ActionFailed(f"there is no key {name!r}")
    return key


def browser_key(name: str) -> str:
    """A key as Playwright names it. A browser on Linux has no command key; control does its work there."""
    key = known(name)
    if key in _NAMES:
        return _NAMES[key]
    if key in _ASCII:
        return key
    if len(key) == 1:
        return ""
    raise ActionFailed(f"the key {name!r} does nothing in a browser")


def chord_key(name: str) -> str:
    """A key pressed together with others, by its place on the keyboard: shift makes of it what shift makes of it."""
    key = known(name)
    if len(key) == 1 and key.isascii() and key.isalpha():
        return f"Key{key.upper()}"
    if len(key) == 1 and key.isascii() and key.isdigit():
        return f"Digit{key}"
    return _PLACES.get(key) or browser_key(key)


def may_paste(action: Action) -> bool:
    """Whether a keyboard action has the key of a paste in it."""
    match action:
        case Hotkey(keys=names) | Press(keys=names):
            return any(name.lower() in ("v", "insert") for name in names)
        case KeyDown(key=name):
            return name.lower() in ("v", "insert")
        case _:
            return False


def shortcut(names: tuple[str, ...]) -> Shortcut | None:
    """What a browser itself does on these keys, where a page never gets them."""
    return _SHORTCUTS.get(_chord(names))


def same(names: tuple[str, ...], chord: tuple[str, ...]) -> bool:
    """Whether these keys are a chord, whichever of the two control keys is meant."""
    return _chord(names) == _chord(chord)


def _chord(names: tuple[str, ...]) -> tuple[str, ...]:
    keys = tuple(known(name) for name in names)
    held = {modifier(key) or key for key in keys[:-1]}
    held = {"ctrl" if key == "command" else key for key in held}
    return *sorted(held), keys[-1].lower()
