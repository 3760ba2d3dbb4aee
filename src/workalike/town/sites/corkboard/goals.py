"""The goals at a notice board: pin a notice up, write to a neighbour, in the words that were given."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, RowPattern, Saying, Wanted
from workalike.town import moves
from workalike.town.caller import Caller
from workalike.town.kit.goal import Goal
from workalike.town.look import FIELDS, OracleView
from workalike.town.sites.corkboard.world import BOARDS, NEIGHBOURS, slug_of
from workalike.town.town import Town

NAME, TITLE = "corkboard", "Corkboard"
Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class PostNotice(Goal, frozen=True):
    """A notice on a board, with its title and text."""

    board: str
    title: str
    text: str
    site: str = NAME

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        wanted: dict[str, Wanted] = {"board": self.board, "title": Saying(self.title), "text": Saying(self.text)}
        return (RowPattern("corkboard_notice", after=wanted),)

    def criteria(self) -> tuple[Criterion, ...]:
        where = f"It hangs on the board {BOARDS[self.board]} with the given text."
        return (Criterion(f"Notice: {self.title}", where, 4.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(NAME, f"/board/{self.board}/new")
        caller.post(NAME, f"/board/{self.board}/new", {"title": self.title, "text": self.text})

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(NAME, rf"/board/{self.board}\?pinned"):
            return None
        if look.at(NAME, f"/board/{self.board}/new"):
            return (
                look.fill(FIELDS, "Title", self.title)
                or look.fill(FIELDS, "Text", self.text)
                or look.click("button", look.word(NAME, "post"))
            )
        if look.at(NAME, f"/board/{self.board}$"):
            return look.click("link", look.word(NAME, "write"))
        return moves.enter(look, NAME, TITLE) or look.click("link", BOARDS[self.board], up=True)

    def misses(self, town: Town) -> Misses:
        other = next(slug for slug in BOARDS if slug != self.board)
        yield "on another board", (replace(self, board=other),)
        yield "another title", (replace(self, title=f"Not {self.title}"),)
        yield "half of the text", (replace(self, text=self.text[: len(self.text) // 2]),)
        yield "posted twice", (self, self)
        yield "not posted", ()
        yield "sent to somebody as well", (self, SendMessage(NEIGHBOURS[0], self.text))


class SendMessage(Goal, frozen=True):
    """A message to one neighbour."""

    neighbour: str
    text: str
    site: str = NAME

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        wanted: dict[str, Wanted] = {"neighbour": self.neighbour, "text": Saying(self.text)}
        return (RowPattern("corkboard_message", after=wanted),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Message to {self.neighbour}", "It is sent with the given text.", 4.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(NAME, f"/neighbour/{slug_of(self.neighbour)}", {"text": self.text})

    def next(self, look: OracleView) -> Action | None:
        page = f"/neighbour/{slug_of(self.neighbour)}"
        if look.was_at(NAME, rf"{page}\?sent"):
            return None
        if look.at(NAME, page):
            return look.fill(FIELDS, "Your message", self.text) or look.click("button", look.word(NAME, "send"))
        return moves.enter(look, NAME, TITLE) or look.click("link", self.neighbour)

    def misses(self, town: Town) -> Misses:
        other = next(name for name in NEIGHBOURS if name != self.neighbour)
        yield "to somebody else", (replace(self, neighbour=other),)
        yield "half of the text", (replace(self, text=self.text[: len(self.text) // 2]),)
        yield "sent twice", (self, self)
        yield "not sent", ()
        yield "pinned up as well", (self, PostNotice("talk", "A message", self.text))
