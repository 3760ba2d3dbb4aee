"""Conversations in which user and assistant take turns, for trainers and templates that want that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workalike.dataset.examples import Message, Words


def in_turns(messages: Sequence[Message], filler: str) -> Iterator[Message]:
    """The same conversation with user and assistant alternating after the system's word: what a user says in a row is
    one turn, and before an assistant's turn that answers nothing stands a filler."""
    last: Message | None = None
    for message in messages:
        if last is not None and last.role == message.role == "user":
            last = Message("user", last.parts + message.parts)
            continue
        if last is not None:
            yield last
        if message.role == "assistant" and (last is None or last.role != "user"):
            yield Message("user", (Words(filler),))
        last = message
    if last is not None:
        yield last
