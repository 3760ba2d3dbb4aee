"""What a prediction claims, by the published rules of reading one, holes and all.

The published scorers see (type, value) pairs drawn out of the code by patterns, line by line; since 2025-08-10 from
calls without names, too (`write('abc')`, `hotkey('ctrl', 'c')`, `press(['ctrl', 'c'])`). Those patterns miss places
without names and negative numbers, cut a text at its first quote, know no middle click, no horizontal scroll and no
wait, spell a triple click as no ground truth does, and take a Mac's command key for ctrl. All of that is kept here,
because the published numbers rest on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Claim = tuple[str, object]

_PLACE = re.compile(r"x=([\d.]+),\s*y=([\d.]+)")
_MESSAGE = re.compile(r"message=[\"'](.+?)[\"']")
_KEYS = re.compile(r"keys=\[(.*?)\]")
_KEY = re.compile(r"[\"']([^\"']*)[\"']|(\w+)")
_BARE_MESSAGE = re.compile(r"pyautogui\.write\(([\"'])(.*?)\1\)")
_BARE_HOTKEY = re.compile(r"pyautogui\.hotkey\((.*)\)")
_BARE_PRESS = re.compile(r"pyautogui\.press\((.*)\)")
_BARE_KEY = re.compile(r"[\"']([^\"']+)[\"']")
_SCROLL = re.compile(r"pyautogui\.scroll\(([-\d]+)\)")
_STATUS = re.compile(r"status=[\"'](\w+)[\"']")
_COMMAND = ("cmd", "command")
_POINTERS = ("moveTo", "doubleClick", "rightClick", "dragTo")


def claims(reply: str) -> tuple[Claim, ...]:
    """The pairs that the published rules see in a reply.

    >>> claims("pyautogui.write(message='it''s')")
    (('write', 'it'),)
    """
    try:
        return tuple(claim for line in _code_lines(reply) for claim in _line_claims(line))
    except ValueError:  # one number that is none (`0.5.1`) costs the whole reply there
        return ()


def _code_lines(reply: str) -> list[str]:
    """The lines that are calls; where none is, whatever follows the first mention of a module in each line."""
    lines = [line.strip() for line in reply.split("\n")]
    calls = [line for line in lines if line.startswith(("pyautogui.", "computer."))]
    return calls or [call for line in lines for call in _mentioned(line)]


def _mentioned(line: str) -> Iterator[str]:
    for module in ("pyautogui.", "computer."):
        if module in line:
            yield module + line.split(module)[1].strip()
            return


def _line_claims(line: str) -> Iterator[Claim]:
    if line.startswith("computer.terminate"):
        status = _STATUS.search(line)
        if status:
            yield "terminate", status[1]
    elif line.startswith("computer.triple_click"):
        place = _place(line)
        if place:
            yield "triple_click", place
    elif line.startswith("pyautogui."):
        yield from _pyautogui_claims(line)


def _pyautogui_claims(line: str) -> Iterator[Claim]:
    place = _place(line)
    pointer = _pointer(line)
    if place and pointer:
        yield pointer, place
    message, bare = _MESSAGE.search(line), _BARE_MESSAGE.search(line)
    if message or bare:
        yield "write", message[1] if message else bare[2] if bare else ""
    yield from _named_keys(line) if "keys=" in line else _bare_keys(line)
    scroll = _SCROLL.search(line)
    if scroll:
        yield "scroll", int(scroll[1])


def _named_keys(line: str) -> Iterator[Claim]:
    keys = _KEYS.search(line)
    if keys:
        names = [quoted or bare for quoted, bare in _KEY.findall(keys[1]) if quoted or bare]
        yield "hotkey" if "hotkey" in line else "press", _key_names(names)


def _bare_keys(line: str) -> Iterator[Claim]:
    """Keys without their name: all that a hotkey quotes; of a press all in a list, which is a hotkey if it is longer
    than one, or else the first."""
    held, pressed = _BARE_HOTKEY.search(line), _BARE_PRESS.search(line)
    if held and (keys := _BARE_KEY.findall(held[1])):
        yield "hotkey", _key_names(keys)
    if pressed and (keys := _BARE_KEY.findall(pressed[1])):
        taken = keys if pressed[1].strip().startswith("[") else keys[:1]
        yield "hotkey" if len(taken) > 1 else "press", _key_names(taken)


def _pointer(line: str) -> str | None:
    if "click" in line and "doubleClick" not in line and "rightClick" not in line:
        return "click"
    return next((name for name in _POINTERS if name in line), None)


def _place(line: str) -> tuple[float, float] | None:
    found = _PLACE.search(line)
    return (float(found[1]), float(found[2])) if found else None


def _key_names(names: list[str]) -> list[str]:
    stripped = [name.strip() for name in names]
    return ["ctrl" if name.lower() in _COMMAND else name for name in stripped]
