"""The goals of dealing with the city: read its pages, pay a citation, contest one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from workalike.core.actions import Action
from workalike.core.key import Criterion, RowPattern, Wanted
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.reading import Hop, SeenPage, follow
from workalike.town.kit.transact import Stop, Transact, card_form
from workalike.town.look import FIELDS, OracleView
from workalike.town.moves import fill_all, pay
from workalike.town.persona import draw_persona
from workalike.town.sites.alderbrook.pages import GROUNDS
from workalike.town.sites.alderbrook.world import METHODS
from workalike.town.town import Town

SITE = "alderbrook"
Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class SeeCityPage(SeenPage, frozen=True):
    """See a page of the city."""

    def misses(self, town: Town) -> Misses:
        row = next(row for row in town.begin_rows("alderbrook_citation") if row["status"] == "Open")
        who, number = draw_persona(town.world.rng("stranger")), str(row["number"])
        yield "right answer, but a citation paid", (self, PayCitation(number, str(row["plate"]), persona=who))
        wrong = ContestCitation(number, str(row["plate"]), GROUNDS[0], "X-1", row["issued"], who)  # type: ignore[arg-type]
        yield "right answer, but a citation contested", (self, wrong)


def see_rules() -> SeeCityPage:
    return SeeCityPage(SITE, "/parking/rules", (Hop("/", "@rules"),), "the rules on fines")


def see_garages() -> SeeCityPage:
    return SeeCityPage(SITE, "/parking/garages", (Hop("/", "@garages"),), "the garages")


def see_garage(name: str, slug: str) -> SeeCityPage:
    return SeeCityPage(SITE, f"/garage/{slug}", (Hop("/", "@garages"), Hop("/parking/garages", name)), name)


def see_tax() -> SeeCityPage:
    return SeeCityPage(SITE, "/property", (Hop("/", "@property"),), "the rate of the property tax")


def see_parcel(number: str, address: str) -> SeeCityPage:
    trail = (Hop("/", "@property"), Hop("/property", "@address", address))
    return SeeCityPage(SITE, f"/parcel/{number}", trail, f"the parcel at {address}")


def see_vehicle(plate: str) -> SeeCityPage:
    trail = (Hop("/", "@citations"), Hop("/citations", "@query", plate))
    return SeeCityPage(SITE, f"/vehicle/{plate}", trail, f"the citations of {plate}")


def see_citation(number: str, plate: str) -> SeeCityPage:
    return SeeCityPage(SITE, f"/citation/{number}", to_citation(number, plate), f"citation {number}")


def to_citation(number: str, plate: str) -> tuple[Hop, ...]:
    return (*see_vehicle(plate).trail, Hop(f"/vehicle/{plate}", number))


class PayCitation(Transact, frozen=True):
    """Pay a citation."""

    path: ClassVar[str] = "/pay"
    record: ClassVar[str] = "payment"
    stage: ClassVar[Wanted] = "payer"
    strange: ClassVar[dict[str, str]] = {"name": "Alex Example", "email": "x@else.example"}

    number: str
    plate: str
    method: str = "debit"
    persona: dict[str, str] = {}
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return SITE

    @property
    def chosen(self) -> dict[str, Wanted]:
        return {"citation": self.number, "method": self.method}

    @property
    def signed(self) -> dict[str, Wanted]:
        return {**_payer(self.persona), **card_form(self.persona)}

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        before, after = ({"number": self.number, "status": status} for status in ("Open", "Paid"))
        paid = RowPattern("alderbrook_citation", dict(before), dict(after))
        return (*super().changes(town), paid) if self.persona else ()

    def criteria(self) -> tuple[Criterion, ...]:
        how = f"Pays it by {METHODS[self.method].lower()}, and no other."
        return (Criterion(f"Citation {self.number}", how if self.persona else "Goes up to the payer's data.", 6.0),)

    def begin(self, caller: Caller) -> PageReply:
        caller.get(SITE, f"/citation/{self.number}")
        caller.post(SITE, f"/pay/start/{self.number}")
        return caller.post(SITE, "/pay/method", {"method": self.method})

    def given(self, step: str, page: PageReply) -> Form | None:
        who = self.persona
        return {"payer": _payer(who), "payment": card_form(who)}.get(step) if who else None

    def next(self, look: OracleView) -> Action | None:
        begun = look.clicked("button", look.word(SITE, "pay"), SITE, f"/citation/{self.number}$")
        return super().next(look) if begun else self.reach(look)

    def is_done(self, look: OracleView) -> bool:
        if not self.persona:
            return look.at(SITE, "/pay/(payer|payment)|/receipt/")
        return look.was_at(SITE, "/receipt/") and not look.at(SITE, f"/pay/|/citation/{self.number}$")

    def reach(self, look: OracleView) -> Action | None:
        if look.at(SITE, f"/citation/{self.number}$"):
            return look.click("button", look.word(SITE, "pay"))
        return follow(look, SITE, to_citation(self.number, self.plate))

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "method":
            return look.tick("radio", METHODS[self.method])
        if step == "payment":
            return pay(look, self.persona)
        return fill_all(look, {"Full name": "name", "E-mail address": "email"}, self.persona)

    def others(self, town: Town) -> Iterator[tuple[str, PayCitation]]:
        yield "by another kind of card", replace(self, method="credit" if self.method == "debit" else "debit")
        rows = [row for row in town.begin_rows("alderbrook_citation") if row["status"] == "Open"]
        same = [row for row in rows if row["plate"] == self.plate and row["number"] != self.number] or rows[:1]
        if str(same[0]["number"]) != self.number:
            yield "another one paid instead", replace(self, number=str(same[0]["number"]))

    def looked(self, town: Town) -> Misses:
        yield "looked at only", (see_citation(self.number, self.plate),)


class ContestCitation(Goal, frozen=True):
    """Contest a citation with what a document says."""

    number: str
    plate: str
    ground: str
    document: str
    day: str
    persona: dict[str, str]

    @property
    def leave(self) -> bool:
        return True

    @property
    def _values(self) -> dict[str, str]:
        return {"ground": self.ground, "document": self.document, "day": self.day} | _payer(self.persona)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        wanted: dict[str, Wanted] = {"citation": self.number, **self._values}
        return (RowPattern("alderbrook_appeal", after=wanted),)

    def criteria(self) -> tuple[Criterion, ...]:
        what = f"{self.ground}: document {self.document} of {self.day}, for {self.persona['name']}."
        return (Criterion(f"Contests citation {self.number}", what, 8.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(SITE, f"/citation/{self.number}/contest", self._values)

    def next(self, look: OracleView) -> Action | None:
        form, word = f"/citation/{self.number}/contest$", look.word(SITE, "send")
        if look.clicked("button", word, SITE, form):
            return None
        if look.at(SITE, form):
            return (
                look.pick("Ground", self.ground)
                or look.fill(FIELDS, "Number on the document", self.document)
                or look.fill(FIELDS, "Date on the document", self.day)
                or look.fill(FIELDS, "Full name", self.persona["name"])
                or look.fill(FIELDS, "E-mail address", self.persona["email"])
                or look.click("button", word)
            )
        if look.at(SITE, f"/citation/{self.number}$"):
            return look.click("link", look.word(SITE, "contest"))
        return follow(look, SITE, to_citation(self.number, self.plate))

    def misses(self, town: Town) -> Misses:
        yield "nothing sent", ()
        yield "another ground", (replace(self, ground=next(text for text in GROUNDS if text != self.ground)),)
        yield "the document's number with a slip", (replace(self, document=self.document + "0"),)
        yield "another date", (replace(self, day="2026-01-01"),)
        yield "another name", (replace(self, persona=self.persona | {"name": "Alex Example"}),)
        rows = [row for row in town.begin_rows("alderbrook_citation") if row["number"] != self.number]
        yield "another citation contested", (replace(self, number=str(rows[0]["number"])),)
        yield "sent twice", (self, self)


def _payer(who: dict[str, str]) -> dict[str, str]:
    return {name: who[name] for name in ("name", "email")}
