"""The goals of dealing with the county: look for doctors, read its pages, book a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import takewhile
from typing import ClassVar
from urllib.parse import urlsplit

from msgspec.structs import replace

from workalike.core.actions import Action, Back, SwitchTab, Visit
from workalike.core.key import Criterion, Digits, Wanted
from workalike.town import moves
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.reading import SeenPage, site_of
from workalike.town.kit.transact import Stop, Transact, contact_form, contact_row
from workalike.town.look import FIELDS, OracleView
from workalike.town.persona import draw_persona
from workalike.town.site import DOMAIN
from workalike.town.sites.fernhall.pages import CHOICES, JOINED, PERSON, TICKS
from workalike.town.sites.fernhall.speech import say_slot
from workalike.town.sites.fernhall.world import LANDMARKS, NAME, REASONS, free_days, free_times
from workalike.town.town import Town

Misses = Iterator[tuple[str, tuple[Goal, ...]]]
Asked = dict[str, str]


class SearchDoctors(Goal, frozen=True):
    """Have a search's results before one; what it asks for is by the names and codes of its form."""

    asked: Asked

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Searches for doctors", f"Narrows the list by {', '.join(self.asked)}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(NAME, "/doctors", **self.asked)

    def next(self, look: OracleView) -> Action | None:
        return None if _was_listed(look, self.asked) else _search(look, self.asked)


class SeePortalPage(SeenPage, frozen=True):
    """See a page of the county that its menu leads to; `later` says that a link there leads on to it, `street` is
    looked up on the way."""

    word: str = ""
    street: str = ""
    later: str = ""

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(NAME, _pattern(self.path)):
            return None
        bare = urlsplit(self.path).path
        if not look.at(NAME, f"{bare}$"):
            return _from_menu(look, self.word)
        if self.street:
            label, word = look.word(NAME, "street"), look.word(NAME, "show")
            return look.fill(FIELDS, label, self.street) or look.click("button", word)
        return look.click("link", look.word(NAME, self.later))

    def misses(self, town: Town) -> Misses:
        yield from _booked_besides(town, self)


class SeeProvider(SeenPage, frozen=True):
    """See a doctor's page, found by a search, or a desk's, found among the services; perhaps a later one of its free
    times. `notice` says that what hangs on the door is to be seen, too."""

    slug: str = ""
    name: str = ""
    asked: Asked = {}
    field: str = ""
    notice: str = ""

    def perform(self, caller: Caller) -> None:
        caller.get(NAME, self.path)
        if self.notice:
            caller.get(NAME, f"/notice/{self.notice}.png")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(NAME, _pattern(self.path)) else _to_provider(look, self)

    def misses(self, town: Town) -> Misses:
        yield from _booked_besides(town, self)


class BookTime(Transact, frozen=True):
    """Book a time at a provider."""

    stage: ClassVar[Wanted] = "person"
    strange: ClassVar[dict[str, str]] = {"email": "x@else.example", "phone": "503-555-0999"}

    where: SeeProvider
    day: str
    time: str
    reason: str
    persona: dict[str, str] = {}
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return NAME

    @property
    def chosen(self) -> dict[str, Wanted]:
        return {"provider": self.where.slug, "day": self.day, "time": self.time, "reason": self.reason}

    @property
    def signed(self) -> dict[str, Wanted]:
        digits = "".join(sign for sign in self.persona["phone"] if sign.isdigit())
        return contact_row(self.persona) | {"phone": Digits(digits)}

    def criteria(self) -> tuple[Criterion, ...]:
        what = f"{self.where.name}, {self.day} at {self.time}"
        how = f"Books {what}, for {self.persona.get('name')}, and no other time."
        return (
            Criterion("The appointment", how if self.persona else f"Goes up to the person's data for {what}.", 8.0),
        )

    def begin(self, caller: Caller) -> PageReply:
        caller.get(NAME, self.where.path)
        return caller.post(NAME, f"/start/{self.where.slug}", {"slot": f"{self.day}T{self.time}"})

    def given(self, step: str, page: PageReply) -> Form | None:
        if step == "reason":
            return {"reason": self.reason}
        return contact_form(self.persona) if step == "person" and self.persona else None

    def next(self, look: OracleView) -> Action | None:
        begun = look.clicked("button", look.word(NAME, "book"), NAME, f"/\\w+/{self.where.slug}$")
        return super().next(look) if begun else self.reach(look)

    def is_done(self, look: OracleView) -> bool:
        return look.at(NAME, "/booking/" if self.persona else "/book(ing/|/person)")

    def reach(self, look: OracleView) -> Action | None:
        if f"{look.path}?{urlsplit(look.url).query}".rstrip("?") == self.where.path and look.site == NAME:
            slot = say_slot(look.words(NAME), self.day, self.time)
            return look.tick("radio", slot) or look.click("button", look.word(NAME, "book"))
        return _to_provider(look, self.where)

    def answer(self, look: OracleView, step: str) -> Action | None:
        words = look.words(NAME)
        if step == "reason":
            return look.tick("radio", words[f"reason_{self.reason}"])
        labels = zip(("full_name", "email", "phone"), PERSON, strict=True)
        return moves.fill_all(look, {words[label]: name for label, name in labels}, self.persona)

    def misses(self, town: Town) -> Misses:
        yield from super().misses(town)
        if self.persona:
            yield "booked twice", (self, self)

    def looked(self, town: Town) -> Misses:
        yield "looked at only", (self.where,)

    def others(self, town: Town) -> Iterator[tuple[str, BookTime]]:
        """The same at another time, for another reason, with another provider."""
        row = town.facts[NAME].execute("SELECT * FROM provider WHERE slug = ?", (self.where.slug,)).fetchone()
        other = next(code for code in REASONS[row["kind"]] if code != self.reason)
        yield "another reason", replace(self, reason=other)
        times = [time for time in free_times(town.world, row, date.fromisoformat(self.day)) if time != self.time]
        for time in times[:1]:
            yield "another time of the day", replace(self, time=time)
        later = [day for day, _ in free_days(town.world, row, town.world.today) if day.isoformat() != self.day]
        for day in later[:1]:
            yield "another day", replace(self, day=day.isoformat(), time=free_times(town.world, row, day)[0])
        yield "with somebody else", _stranger(town, self.persona, self.where.slug, row["kind"])


def _stranger(town: Town, who: dict[str, str], slug: str, kind: str) -> BookTime:
    """A time with somebody else."""
    query = f"{JOINED} WHERE provider.kind = ? AND provider.slug != ? ORDER BY provider.id"
    for row in town.facts[NAME].execute(query, (kind, slug)):
        for day, times in free_days(town.world, row, town.world.today):
            path = f"/{'doctor' if kind == 'doctor' else 'service'}/{row['slug']}"
            place = SeeProvider(NAME, path, slug=row["slug"], name=row["name"])
            return BookTime(place, day.isoformat(), times[0], REASONS[kind][0], who)
    raise AssertionError("nobody has a free time")


def _booked_besides(town: Town, goal: Goal) -> Misses:
    yield (
        "right answer, but a time booked",
        (goal, _stranger(town, draw_persona(town.world.rng("stranger")), "", "doctor")),
    )


def _pattern(path: str) -> str:
    """An address with this path and query and nothing else."""
    return f"{re.escape(path)}(?:#.*)?$"


def _front(look: OracleView) -> Action | None:
    """Be at a page of the county."""
    return moves.enter(look, NAME, site_of(NAME).title)


def _from_menu(look: OracleView, word: str) -> Action:
    """Open the menu, and take one of its items."""
    away = _front(look)
    if away is not None:
        return away
    item = look.find("menuitem", look.word(NAME, word))
    return look.hit(item) if item else look.click("button", look.word(NAME, "menu"), up=True)


def _search(look: OracleView, asked: Asked) -> Action:
    """The next move towards a search's results."""
    away = _front(look)
    if away is not None:
        return away
    if not look.at(NAME, "/doctors$"):
        return look.click("link", look.word(NAME, "doctors"), up=True)
    words = look.words(NAME)
    for name in sorted(asked, key=[*CHOICES, *TICKS].index):
        move = None if _is_set(look, name, asked[name]) else _set(look, name, asked[name])
        if move is not None:
            return move
    return look.click("button", words["search"])


def _set(look: OracleView, name: str, code: str) -> Action | None:
    """Ask for something in the search."""
    words = look.words(NAME)
    if name in CHOICES:
        return look.pick(words[name], _shown(words, name, code))
    return look.tick("checkbox", words[f"has_{name}"])


def _is_set(look: OracleView, name: str, code: str) -> bool:
    """Whether it was asked for when it was last in view on this page."""
    words = look.words(NAME)
    label = words[name] if name in CHOICES else words[f"has_{name}"]
    for seen in takewhile(lambda each: each.url == look.url, reversed(look.seen)):
        field = OracleView(seen).find(("combobox", "listbox", "checkbox"), label)
        if field is not None:
            return "checked" in field.states or (name in CHOICES and field.value == _shown(words, name, code))
    return False


def _shown(words: dict[str, str], name: str, code: str) -> str:
    """How a choice of the search is called."""
    if name == "from":
        return LANDMARKS[code][0]
    return code if name in ("plan", "district") else words[f"{name}_{code}"]


def _lists(url: str, asked: Asked) -> bool:
    parts = urlsplit(url)
    given = {name: values[0] for name, values in moves.query(url).items()}
    return (parts.hostname, parts.path) == (f"{NAME}.{DOMAIN}", "/doctors") and given == asked


def _was_listed(look: OracleView, asked: Asked) -> bool:
    return any(_lists(each.url or "", asked) for each in look.seen)


def _to_provider(look: OracleView, goal: SeeProvider) -> Action:
    """The next move to a provider's page, and on to its later times."""
    bare = urlsplit(goal.path).path
    if look.at(NAME, f"{bare}$"):
        return look.click("link", look.word(NAME, "later"))
    return _to_desk(look, goal) if goal.field else _to_doctor(look, goal)


def _to_desk(look: OracleView, goal: SeeProvider) -> Action:
    if not look.at(NAME, "/services$"):
        return _from_menu(look, "services")
    return look.click("link", f"{look.word(NAME, f'service_{goal.field}')}, {goal.name}")


def _to_doctor(look: OracleView, goal: SeeProvider) -> Action:
    if _lists(look.url, goal.asked):
        return look.click("link", goal.name)
    if look.at(NAME, "/doctor/") and _was_listed(look, goal.asked):
        tabs = list(enumerate(look.observation.tabs))
        open_ = next((index for index, tab in tabs if not tab.active and _lists(tab.url, goal.asked)), None)
        return SwitchTab(open_) if open_ is not None else Back() if len(tabs) < 2 else _home()
    return _search(look, goal.asked)


def _home() -> Action:
    return Visit(f"http://{NAME}.{DOMAIN}/")
