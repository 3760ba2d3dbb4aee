"""A set without what can be mended or cannot be used: sound rows are copied as they are, others mended or set aside."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from workalike.dataset.choosing import content_hash
from workalike.dataset.defects import UNUSABLE, Defect, row_defects
from workalike.dataset.files import BOM, RowFiles, all_lines, read_metadata, untold
from workalike.dataset.mending import mend
from workalike.dataset.picture_check import named_pictures
from workalike.dataset.survey import Looker
from workalike.store.packed import writing

Fate = Literal["write", "reject", "drop"]
_decode: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class Cleaned(msgspec.Struct):
    """What became of a set: rows written, set aside and dropped, and how often each defect was mended."""

    written: int = 0
    rejected: int = 0
    dropped: int = 0
    mended: dict[str, int] = msgspec.field(default_factory=dict)


def clean(
    found: RowFiles,
    out: Path | None,
    reject: Path | None = None,
    fix: bool = False,
    strict: bool = False,
    texts: bool = True,
    unusable: Collection[str] = (),
    stolen: Collection[tuple[str, int]] = (),
) -> Cleaned:
    """Write the rows that can be used to `out`, mended with `fix`, and the others as they are to `reject`. A row cannot
    be used when it is unreadable or lacks what every reader needs; with `strict`, when any defect is left in it: also
    when it names a picture that is `unusable`, lies where a row with another's pictures was found (`stolen`), or has
    the id of a row that was written. A file without a row is not left behind."""
    found.refuse(*(path for path in (out, reject) if path is not None))
    cleaned = Cleaned()
    looker = Looker(read_metadata(found.metadata, untold), texts, bool(found.metadata))
    written: dict[str, set[bytes]] = {}
    with ExitStack() as stack:
        good = stack.enter_context(writing(out)) if out else None
        bad = stack.enter_context(writing(reject)) if reject else None
        for file, number, line in all_lines(found.rows, untold):
            here, at = found.place(file, number)
            _, defects = looker.look(line)
            looker.tally()
            row, left = _settle(line, defects, fix, texts, cleaned) if defects else (line, [])
            fate: Fate = "reject"
            taken = strict and (str(here), at) in stolen
            if row is not None and not taken and not any(strict or defect.kind in UNUSABLE for defect in left):
                fate = _fate(row, written, fix, strict, unusable) if fix or strict else "write"
            if fate == "reject":
                cleaned.rejected += 1
                _put(bad, line)
            elif fate == "drop":
                cleaned.dropped += 1
                cleaned.mended["duplicate row"] = cleaned.mended.get("duplicate row", 0) + 1
            else:
                cleaned.written += 1
                _put(good, row or b"")
    for path, count in ((out, cleaned.written), (reject, cleaned.rejected)):
        if path is not None and not count:
            path.unlink()
    return cleaned


def _fate(
    line: bytes,
    written: dict[str, set[bytes]],
    fix: bool,
    strict: bool,
    unusable: Collection[str],
) -> Fate:
    """What becomes of a row that is right by itself, beside its pictures and the rows that were written."""
    document = _decode(line.removeprefix(BOM))
    if strict and unusable and any(name in unusable for _, name in named_pictures(document)):
        return "reject"
    hashes = written.setdefault(str(document.get("task_id")), set())
    digest = content_hash(document)
    if digest in hashes:
        return "drop" if fix else "reject"
    if strict and hashes:
        return "reject"
    hashes.add(digest)
    return "write"


def _settle(
    line: bytes, defects: list[Defect], fix: bool, texts: bool, cleaned: Cleaned
) -> tuple[bytes | None, list[Defect]]:
    """A line as it is to be written, and what is still wrong with it; None where it is no row."""
    if not fix:
        return line, defects
    try:
        document = _decode(line.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, defects
    if not isinstance(document, dict):
        return None, defects
    fixed, mended = mend(document)
    for kind in mended:
        cleaned.mended[kind] = cleaned.mended.get(kind, 0) + 1
    if any(defect.kind == "line form" for defect in defects):
        cleaned.mended["line form"] = cleaned.mended.get("line form", 0) + 1
    if not mended:
        return line.removeprefix(BOM), [defect for defect in defects if defect.kind != "line form"]
    unknown = [defect for defect in defects if defect.kind == "system unknown"]
    return msgspec.json.encode(fixed), [*row_defects(fixed, texts), *unknown]


def _put(file: BinaryIO | None, line: bytes) -> None:
    if file is not None:
        file.write(line.strip() + b"\n")
