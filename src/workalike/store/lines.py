"""JSON lines, the form of nearly every file of ours: streamed, with errors that name the file and the line. A killed
writer leaves at most one unfinished line at the end, which is recognised and dropped."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from workalike.core.errors import BadInput, Damaged

T = TypeVar("T")
_CHUNK = 1 << 18
_LARGEST_WINDOW = 27  # as a power of 2, in bytes: what the zstd tool itself reads unasked; a small file may claim 2 GB
MOST_LINE = 1 << 28
"""The longest line that is read, in bytes: one without an end in a small archive would fill the memory."""
NOT_READABLE = (ValueError, RecursionError)  # what decoding raises: malformed, of another shape, not UTF-8, too deep


def damaged(path: Path, reason: str, remedy: str, line: int | None = None) -> Damaged:
    """The error for a file that is not what it should be, with where and what to do."""
    where = f"{path}, line {line}" if line is not None else str(path)
    return Damaged(f"{where}: {reason}; {remedy}")


def decode(data: bytes, decoder: msgspec.json.Decoder[T], path: Path, line: int | None = None) -> T:
    """One value out of JSON, or `Damaged`."""
    try:
        return decoder.decode(data)
    except NOT_READABLE as error:
        raise damaged(path, _reason(error), "mend it by hand or restore it from a copy", line) from error


def encode(value: Any) -> bytes:
    """One line of JSON with its line end. Half of a surrogate pair, which no file can hold, becomes U+FFFD."""
    try:
        return msgspec.json.encode(value) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_whole_characters(msgspec.to_builtins(value))) + b"\n"
    except (TypeError, OverflowError, RecursionError) as error:
        raise BadInput(f"cannot be written as JSON: {error}; use texts, numbers, lists and objects only") from error


def readable(value: Any, decoder: msgspec.json.Decoder[Any], what: str) -> bytes:
    """A line that will be read back. A number that is not finite, say, would not be: it is refused now, while nothing
    is lost, and not by who reads it next year."""
    line = encode(value)
    try:
        decoder.decode(line)
    except NOT_READABLE as error:
        raise BadInput(f"{what} cannot be stored: {error}") from error
    return line


def read_json(path: Path, shape: type[T]) -> T:
    """A whole JSON file as one value."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise cannot_open(path, error) from error
    return decode(data, msgspec.json.Decoder(shape), path)


class Lines(Generic[T]):
    """The lines of one file as values, with their numbers, streamed.

    A last line that a killed writer left unfinished is not yielded: after reading, `dropped` is its length in bytes
    (0 when the file ends well). `shape` is what every line is to be; plain, gzip and zstd are told by the ending.
    """

    def __init__(self, path: Path, shape: Any) -> None:
        self.path = path
        self.dropped = 0
        self._decoder: msgspec.json.Decoder[T] = shape if isinstance(shape, msgspec.json.Decoder) else _decoder(shape)

    def __iter__(self) -> Iterator[tuple[int, T]]:
        for number, line in raw_lines(self.path):
            if not line.endswith(b"\n") and not is_json(line):
                self.dropped = len(line)
                return
            if not line.isspace():
                yield number, decode(line, self._decoder, self.path, number)


def whole_lines(path: Path, shape: type[T]) -> Iterator[T]:
    """The values in a file that was written whole, where an unfinished last line is damage and no interruption."""
    lines = Lines[T](path, shape)
    for _, value in lines:
        yield value
    if lines.dropped:
        raise damaged(path, "its last line is cut short", "fetch it again or restore it from a copy")


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a plain, gzip or zstd file as bytes, numbered from 1, each with its line end."""
    number = 0
    with open_lines(path) as file:
        try:
            for number, line in enumerate(iter(lambda: file.readline(MOST_LINE), b""), 1):
                if len(line) == MOST_LINE and not line.endswith(b"\n"):
                    raise damaged(path, f"longer than {MOST_LINE >> 20} MB", "split it, or fetch it again", number)
                yield number, line
        except _unpacking_errors(path) as error:
            if "too much memory" in str(error):
                reason = f"it takes more than {1 << _LARGEST_WINDOW - 20} MB of memory to unpack"
                remedy = f"unpack it by `zstd -d --long=31`, or pack it with at most --long={_LARGEST_WINDOW}"
                raise damaged(path, reason, remedy) from error
            raise damaged(path, f"unreadable after line {number} ({error})", "fetch or make it again") from error


def open_lines(path: Path) -> BinaryIO:
    """Open a file for reading, unpacking it as its ending says."""
    try:
        if path.suffix == ".gz":
            return _buffered(gzip.open(path, "rb"))
        if path.suffix == ".zst":
            from backports import zstd

            options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _LARGEST_WINDOW}
            return _buffered(zstd.open(path, "rb", options=options))
        return open(path, "rb", buffering=_CHUNK)
    except OSError as error:
        raise cannot_open(path, error) from error


def _buffered(unpacking: Any) -> BinaryIO:
    return io.BufferedReader(unpacking, _CHUNK)  # in pieces of their own size they are up to 3× as slow


def _unpacking_errors(path: Path) -> tuple[type[Exception], ...]:
    if path.suffix != ".zst":
        return (OSError, EOFError, zlib.error)
    from backports.zstd import ZstdError

    return (OSError, EOFError, ZstdError)


def is_json(line: bytes) -> bool:
    """Whether a text is whole. The start of an object never is, so this tells a finished line without its line end
    from an unfinished one."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except NOT_READABLE:
        return False
    return True


def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    return f"not UTF-8 ({error})" if isinstance(error, UnicodeDecodeError) else str(error)


def cannot_open(path: Path, error: OSError) -> BadInput:
    if isinstance(error, FileNotFoundError):
        return BadInput(f"there is no file {path}; look for its name in the folder, or make it first")
    return BadInput(f"cannot read {path}: {(error.strerror or str(error)).lower()}")


def _whole_characters(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_whole_characters(key): _whole_characters(held) for key, held in value.items()}
        case list() | tuple():
            return [_whole_characters(held) for held in value]
        case _:
            return value
