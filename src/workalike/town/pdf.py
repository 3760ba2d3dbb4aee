"""One-page PDF documents (a ticket, an invoice), written by hand so that the same content gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence

_TOP, _LEFT, _LEADING = 780, 60, 20


def pdf(title: str, lines: Sequence[str]) -> bytes:
    """A page with a title and lines of text in Helvetica.

    >>> pdf("Ticket", ["Seat 12A"])[:8]
    b'%PDF-1.4'
    """
    content = _text(_LEFT, _TOP, 20, title) + b"\n" + _body(lines)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    return _assemble(objects)


def _body(lines: Sequence[str]) -> bytes:
    return b"\n".join(_text(_LEFT, _TOP - 40 - _LEADING * row, 12, line) for row, line in enumerate(lines))


def _text(x: int, y: int, size: int, text: str) -> bytes:
    shown = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F1 %d Tf %d %d Td (%s) Tj ET" % (size, x, y, shown)


def _assemble(objects: list[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
