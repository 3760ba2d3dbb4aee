"""Between the browser and its driver: what the browser reports of a page goes on with its long texts cut short.

A page can make the browser report anything at any length (the body of a request, a line for the console), several
times over, and the driver dies of a message that is longer than a string of its can be: with it every attempt of the
stage. So the browser is started by this program, which stays between the two as a small process. It runs as a script
and needs nothing but the standard library.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
from contextlib import suppress

MOST_STRING = 4 << 20
"""What is kept of one text in an event. An address, which the guard decides by, is at most 2 MB in Chromium."""
PLAIN = MOST_STRING
"""Messages up to this long hold nothing to cut, and pass unread: so do nearly all, pictures among them."""
MOST_EVENT = 16 << 20
"""What is kept of all texts in an event together."""
MOST_REPLY = 128 << 20
"""What is kept of one text in a reply: it was asked for, as a picture is."""

PYTHON, BROWSER = "WORKALIKE_PYTHON", "WORKALIKE_BROWSER"
_TO_DRIVER = 4  # the browser reads commands at 3 and writes at 4
_AT_ONCE = 1 << 20
_UNITS = re.compile(rb'(?:[^"\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+', re.DOTALL)
_BROKEN = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")  # an escape that is not all there yet
_ESCAPE = 6


class Shortener:
    """JSON messages, each with a zero byte after it, in pieces of any size; what is not cut passes as it came."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._head: list[bytes] = []  # of a message that may yet turn out long
        self._headed = 0
        self._scanning = self._inside = False
        self._carry = b""
        self._skip = self._length = self._kept = 0
        self._most_string = self._most_message = MOST_REPLY

    def feed(self, data: bytes) -> bytes:
        """What is to go on of some bytes."""
        if not self._scanning and self._headed + len(data) <= PLAIN:
            self._remember(data)
            return data
        *whole, rest = data.split(b"\0")
        passed = bytearray()
        for message in whole:
            passed += self._part(message) + self._carry[self._skip :] + b"\0"
            self._begin()
        return bytes(passed + self._part(rest))

    def _remember(self, data: bytes) -> None:
        """Keep of what passes as it came the beginning of the message that is not all there yet."""
        end = data.rfind(b"\0") + 1
        if end:
            self._head, self._headed = [], 0
        if rest := data[end:]:
            self._head.append(rest)
            self._headed += len(rest)

    def _part(self, part: bytes) -> bytes:
        if self._scanning:
            return self._unsent(self._scan(part))
        if self._headed + len(part) <= PLAIN:
            self._remember(part)
            return part
        self._scanning, self._skip = True, self._headed
        part, self._head = b"".join((*self._head, part)), []
        if part.startswith(b'{"method"'):
            self._most_string, self._most_message = MOST_STRING, MOST_EVENT
        else:
            self._most_message = sys.maxsize
        return self._unsent(self._scan(part))

    def _unsent(self, text: bytes) -> bytes:
        """Without what had gone on before the message turned out long."""
        gone = min(self._skip, len(text))
        self._skip -= gone
        return text[gone:]

    def _scan(self, part: bytes) -> bytes:
        text = self._carry + part
        # With escapes covered, of the same length: then every quotation mark begins or ends a text.
        covered = text.replace(b"\\\\", b"..").replace(b'\\"', b"..")
        broken = _BROKEN.search(covered, max(0, len(covered) - _ESCAPE))
        last = broken.start() if broken else len(text)
        self._carry = text[last:]
        kept, place = bytearray(), 0
        while place < last:
            end = covered.find(b'"', place, last)
            stop = last if end < 0 else end
            kept += self._cut(text[place:stop]) if self._inside else text[place:stop]
            if end >= 0:
                kept += b'"'
                self._inside, self._length = not self._inside, 0
            place = stop + 1
        return bytes(kept)

    def _cut(self, text: bytes) -> bytes:
        """As much of a piece of a text as there is room for, in whole escapes."""
        room = max(0, min(self._most_string - self._length, self._most_message - self._kept))
        self._length += len(text)
        if len(text) > room:
            units = _UNITS.match(text[:room])
            text = text[: units.end()] if units else b""
        self._kept += len(text)
        return text


def main() -> None:
    """Become the browser, with a process of ours where its reports go."""
    browser = os.environ.pop(BROWSER)
    os.environ.pop(PYTHON, None)
    coming, going = os.pipe()
    if os.fork() == 0:
        os.close(going)
        _relay(coming)
        os._exit(0)
    os.dup2(going, _TO_DRIVER)
    os.close(coming)
    os.close(going)
    os.execv(browser, [browser, *sys.argv[1:]])


def _relay(coming: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2, 3):
        os.dup2(nowhere, number)
    _widen(coming)
    shortener = Shortener()
    try:
        while data := os.read(coming, _AT_ONCE):
            left = memoryview(shortener.feed(data))
            while left:
                left = left[os.write(_TO_DRIVER, left) :]
    except OSError:
        pass  # the driver is gone, and the browser will notice


def _widen(pipe: int) -> None:
    """Let a whole picture into a pipe at once, where the system has a way to say so: it passes in fewer turns."""
    with suppress(AttributeError, OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _AT_ONCE)


if __name__ == "__main__":
    main()
