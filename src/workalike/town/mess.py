"""What makes a site's pages messy, as many real ones are. A skin names what holds for it; its pages are made untidy
as they leave the templates, so that no site writes its templates twice.

`chat`   a chat bubble stands in a corner, and its greeting lies over the page until somebody closes it
`shift`  a strip comes in at the top after the page has been drawn, and moves everything down
`icons`  buttons that say what they do show a sign only, without a label
`bare`   text fields have no label, only a grey word inside that goes away
`divs`   tables are heaps of divs

`chat` and `shift` are put into a page by `ground/notices.html`, the rest is done here."""

from __future__ import annotations

import re
from typing import Literal

Mess = Literal["chat", "shift", "icons", "bare", "divs"]
MESS: tuple[Mess, ...] = ("chat", "shift", "icons", "bare", "divs")

ICONS = {
    "Search": "\uf002",
    "Find": "\uf002",
    "Find it": "\uf002",
    "Close": "\uf00d",
    "Increase quantity": "\uf067",
    "Decrease quantity": "\uf068",
    "Previous page": "\uf053",
    "Next page": "\uf054",
    "Previous month": "\uf053",
    "Next month": "\uf054",
    "Remove": "\uf2ed",
    "Apply": "\uf00c",
    "Favourites": "\uf004",
    "Sign in": "\uf007",
    "Account": "\uf007",
    "Menu": "\uf0c9",
    "Send": "\uf1d8",
}
"""The signs that stand instead of words on a button or link. They are of the town's font of
signs, so that a screen reader has nothing to read. A skin's own words may be signs, too (`"cart": "\\uf07a"`)."""

_TABLE = {"table": "dt", "tr": "dt-row", "td": "dt-cell", "th": "dt-head"}
_CONTROL = re.compile(r"<(button|a)\b([^<>]*)>([^<>]*)</\1>")
_FIELD = re.compile(r"<(?:input|textarea)\b[^<>]*>")
_LABEL = re.compile(r'\s+aria-label="([^"]*)"')
_LABELLED = re.compile(
    r"<label\b([^<>]*)><span>([^<>]*)</span>\s*(<(?:input|textarea)\b[^<>]*>)((?:(?!<label).)*?)</label>", re.DOTALL
)
_NO_TEXT = re.compile(r'type="(?:checkbox|radio|range|hidden|file|submit|button|search)"')


def untidy(html: str, mess: tuple[Mess, ...]) -> str:
    r"""A page, or a piece of one, as a messy skin shows it.

    >>> ascii(untidy('<button aria-label="Close">Close</button>', ("icons",)))
    "'<button>\\uf00d</button>'"
    >>> untidy('<input name="q" aria-label="City">', ("bare",))
    '<input name="q" placeholder="City">'
    """
    if "icons" in mess:
        html = _CONTROL.sub(_as_icon, html)
    if "bare" in mess:
        html = _LABELLED.sub(_unlabelled, _FIELD.sub(_without_label, html))
    if "divs" in mess:
        html = _as_divs(html)
    return html


def icon_of(name: str) -> str | None:
    """The sign that may stand for a name, whatever its case."""
    return _BY_NAME.get(name.strip().casefold())


def _as_icon(found: re.Match[str]) -> str:
    tag, attributes, text = found[1], found[2], found[3]
    label = _LABEL.search(attributes)
    icon = icon_of(label[1] if label else text)
    return f"<{tag}{_LABEL.sub('', attributes)}>{icon}</{tag}>" if icon else found[0]


def _without_label(found: re.Match[str]) -> str:
    field = found[0]
    label = _LABEL.search(field)
    if label is None or _NO_TEXT.search(field):
        return field
    bare = re.sub(r'\s+placeholder="[^"]*"', "", _LABEL.sub("", field))
    end = "/>" if bare.endswith("/>") else ">"
    return f'{bare.removesuffix(end).rstrip()} placeholder="{label[1]}"{end}'


def _unlabelled(found: re.Match[str]) -> str:
    """A labelled text field without the label."""
    attributes, label, field, rest = found.groups()
    if _NO_TEXT.search(field):
        return found[0]
    bare = field if "placeholder=" in field else f'{field[:-1].rstrip()} placeholder="{label}">'
    return f"<div{attributes}>{bare}{rest}</div>"


def _as_divs(html: str) -> str:
    html = re.sub(r"</?(?:thead|tbody|tfoot)\b[^<>]*>", "", html)
    for tag, name in _TABLE.items():
        html = re.sub(rf'<{tag}\b([^<>]*?)class="([^"]*)"', rf'<div\1class="{name} \2"', html)
        html = re.sub(rf"<{tag}\b", f'<div class="{name}"', html)
        html = html.replace(f"</{tag}>", "</div>")
    return html


_BY_NAME = {name.casefold(): icon for name, icon in ICONS.items()}
