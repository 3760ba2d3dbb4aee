"""A screenshot as it is sent: scaled, marked, encoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workalike.families.turns import Turn
from workalike.models.messages import Message, Picture, Shot, rendered
from workalike.pictures.codec import decode, encode, resize, stated_size
from workalike.pictures.marks import draw_marks


def render(shot: Shot, data: bytes) -> Picture:
    """The picture made of the clean one. What already has the right size, and needs no marks, goes as it came."""
    if not shot.marked and (shot.size is None or stated_size(data) == shot.size):
        return Picture(data, shot.size, shot.source)
    size = shot.size or stated_size(data)
    picture = resize(decode(data), size)
    if shot.marked:
        picture = draw_marks(picture, shot.marked, size.width / (shot.screen or size).width)
    return Picture(encode(picture, shot.form, shot.quality), size, shot.source)


def sent(messages: Iterable[Message], turns: Sequence[Turn]) -> tuple[Message, ...]:
    """What is sent: the messages with the pictures of the turns, each rendered when it was first seen."""
    made = {id(turn.shot): turn.picture for turn in turns if turn.picture is not None}
    return rendered(messages, lambda shot: made[id(shot)])
