"""What a model said in one turn: the actions, and the words it put around them."""

from __future__ import annotations

import msgspec

from workalike.core.actions import Action


class ParsedReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn of a model. A text is None where the reply has no such part."""

    actions: tuple[Action, ...]
    thought: str | None = None
    observation_text: str | None = None
    action_text: str | None = None
