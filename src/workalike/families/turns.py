"""What an agent remembers of an attempt: its turns, each a look at the screen and what was said and done on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from workalike.core.actions import Action, Memorize
from workalike.core.contracts import Percept
from workalike.core.screen import Size
from workalike.dialects.reply import ParsedReply
from workalike.models.messages import Message, Picture, Reply, Shot

SOME_SCREEN = Size(1440, 900)
Critical = Literal["stop", "ask", "go"]


class FamilySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an agent goes about it, whatever its family; a family's own settings add to these.

    `screenshots` is how many are kept in the prompt, the current one included; `corrections` how often an unreadable
    reply is sent back at one step; `facts`, `loops` whether memorised facts and loops are told; `fence_address` whether
    a page's address is fenced like the rest of what pages say; `critical` what to do where the user's word is
    needed; `answers` whether somebody answers questions; `quality` is JPEG's; `longest_reply` how many characters of a
    reply stay in the history."""

    screenshots: int = 3
    corrections: int = 2
    facts: bool = True
    loops: bool = True
    fence_address: bool = True
    critical: Critical = "stop"
    answers: bool = False
    picture: Literal["jpeg", "png"] = "jpeg"
    quality: int = 92
    longest_reply: int = 20_000

    def __post_init__(self) -> None:
        if self.screenshots < 1 or self.corrections < 0 or self.longest_reply < 1:
            raise ValueError("screenshots and longest_reply must be at least 1, corrections at least 0")
        if not 1 <= self.quality <= 100:
            raise ValueError("quality goes from 1 to 100")


class Turn(msgspec.Struct):
    """One look, and, once it is over, what the model said and what was read from it, with the unreadable replies and
    corrections before it. A turn whose reply nobody could read has a reply and nothing read. `picture` is the rendered
    `shot`, as long as it may be sent again; `told` holds what is said about it however it goes on."""

    number: int
    percept: Percept
    shot: Shot | None = None
    warned: bool = False
    reply: Reply | None = None
    said: ParsedReply | None = None
    corrected: tuple[Message, ...] = ()
    picture: Picture | None = None
    told: dict[object, Any] = {}

    @property
    def screen(self) -> Size:
        return self.percept.observation.size or SOME_SCREEN

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.said.actions if self.said else ()


def memorised(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The facts an agent kept, in order, each once."""
    facts = [action.fact for turn in turns for action in turn.actions if isinstance(action, Memorize)]
    return tuple(dict.fromkeys(facts))
