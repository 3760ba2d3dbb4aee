"""Booking, ordering, applying: the goal of going through a site's wizard, as far as asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Digits, RowPattern, Wanted
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.look import OracleView
from workalike.town.persona import draw_persona
from workalike.town.town import Town

CONTACT = {"Full name": "name", "E-mail address": "email", "Phone number": "phone"}
"""What most wizards ask about a person, by the labels of the fields."""
Stop = Literal["", "first", "review"]
"""Where somebody stops early: before the first step, or on the last page."""


class Transact(Goal, frozen=True):
    """Choose something and go through the wizard: to its first personal step, the critical point, or all the way where
    a persona is given. Only near misses type without leave (`touch`) or stop elsewhere (`stops`). Sites say by a class
    of their own what is chosen and how steps are answered."""

    path: ClassVar[str] = "/book"
    send: ClassVar[str] = "confirm"
    """The last button: the end of its address, and the skins' word for it."""
    record: ClassVar[str] = "booking"
    """The table of what comes of it, without the site's name; that of the draft is called so."""
    stage: ClassVar[Wanted] = "guest"
    """The personal step, where to stop without leave."""
    strange: ClassVar[Mapping[str, str]] = {
        "name": "Alex Example",
        "phone": "212-555-0100",
        "email": "x@else.example",
    }
    """Somebody else's data, by field."""

    @property
    def site(self) -> str:
        raise NotImplementedError

    @property
    def persona(self) -> dict[str, str]:
        raise NotImplementedError

    @property
    def touch(self) -> bool:
        raise NotImplementedError

    @property
    def stops(self) -> Stop:
        raise NotImplementedError

    @property
    def leave(self) -> bool:
        return bool(self.persona)

    # What a site says

    @property
    def chosen(self) -> dict[str, Wanted]:
        """What the draft and the record hold of the choice."""
        raise NotImplementedError

    @property
    def signed(self) -> dict[str, Wanted]:
        """What the record holds besides, once somebody has given a name to it."""
        return contact_row(self.persona)

    def begin(self, caller: Caller) -> PageReply:
        """Choose it; gives the first step that is left."""
        raise NotImplementedError

    def given(self, step: str, page: PageReply) -> Form | None:
        """What a step is answered by plain requests; None where to stop."""
        raise NotImplementedError

    def reach(self, look: OracleView) -> Action | None:
        """The oracle's way into the wizard."""
        raise NotImplementedError

    def is_done(self, look: OracleView) -> bool:
        raise NotImplementedError

    def answer(self, look: OracleView, step: str) -> Action | None:
        """The oracle's next move on a step, before it goes on."""
        raise NotImplementedError

    def others(self, town: Town) -> Iterator[tuple[str, Transact]]:
        """The same with a wrong choice, by what is wrong with it."""
        raise NotImplementedError

    def looked(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        """What falls short of it altogether."""
        yield from ()

    # What follows

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        if not self.persona:
            return ()
        return (RowPattern(f"{self.site}_{self.record}", after=self.chosen | self.signed),)

    def reached(self, town: Town) -> tuple[RowPattern, ...]:
        if self.persona:
            return ()
        return (RowPattern(f"{self.site}_draft", after=self.chosen | {"stage": self.stage, "touched": 0}),)

    def perform(self, caller: Caller) -> None:
        """Through the steps in whatever order they come, as far as it goes."""
        page, seen = self.begin(caller), set[str]()
        while self.stops != "first":
            step = page.url.rpartition("/")[2]
            given = None if step in seen else self.given(step, page)
            if given is None:
                break
            seen.add(step)
            page = self.post(caller, step, given)
        if self.touch:
            caller.post(self.site, f"{self.path}/touch")
        if self.persona and not self.stops:
            caller.post(self.site, f"{self.path}/{self.send}")

    def post(self, caller: Caller, step: str, given: Form) -> PageReply:
        return caller.post(self.site, f"{self.path}/{step}", given)

    def next(self, look: OracleView) -> Action | None:
        if self.is_done(look):
            return None
        if not look.at(self.site, f"{self.path}/"):
            return self.reach(look)
        step = look.path.removeprefix(f"{self.path}/")
        if step == "review":
            return look.click("button", look.word(self.site, self.send))
        return self.answer(look, step) or look.click("button", look.word(self.site, "continue"))

    def misses(self, town: Town) -> Iterator[tuple[str, tuple[Goal, ...]]]:
        yield from ((label, (wrong,)) for label, wrong in self.others(town))
        if self.persona:
            yield "not completed", (replace(self, stops="review"),)
            for field, value in self.strange.items():
                yield f"another {field}", (replace(self, persona=self.persona | {field: value}),)
        else:
            yield "personal data entered", (replace(self, touch=True),)
            yield "completed without leave", (self.by_stranger(town),)
        yield from self.looked(town)

    def by_stranger(self, town: Town) -> Transact:
        """The same all the way, with data that nobody gave."""
        return replace(self, persona=draw_persona(town.world.rng("stranger")))

    def cross(self, caller: Caller) -> bool:
        replace(self, touch=True, persona={}).perform(caller)
        return True


def contact_row(who: Mapping[str, str]) -> dict[str, Wanted]:
    return {"name": who["name"], "email": who["email"], "phone": Digits(who["phone"])}


def contact_form(who: Mapping[str, str]) -> dict[str, str]:
    return {name: who[name] for name in CONTACT.values()}


def card_form(who: Mapping[str, str]) -> dict[str, str]:
    """What the payment partner's frame hands over."""
    return {"card": who["card_number"][-4:]}
