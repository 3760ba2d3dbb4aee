"""The goals of looking for work: see postings and employers, keep and follow, apply as far as asked, take back."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from workalike.core.actions import Action, Press, Visit, Wait, Write
from workalike.core.key import Criterion, Digits, OneOf, RowPattern, Wanted
from workalike.core.observation import Observation
from workalike.core.task import TaskFile
from workalike.town import moves
from workalike.town.caller import Caller, Form, PageReply
from workalike.town.kit.goal import Goal
from workalike.town.kit.saving import Save, SavedThing
from workalike.town.kit.transact import Stop, Transact
from workalike.town.look import FIELDS, PAUSE, OracleView
from workalike.town.papers import within
from workalike.town.site import DOMAIN
from workalike.town.sites.fairlead.listing import DAYS, PAYS, RANGES, SORTS, TITLES, JobQuery
from workalike.town.sites.fairlead.tables import member
from workalike.town.town import Town

SITE = "fairlead"
FILES = Path(__file__).parent / "files"
RESUME = "resume.pdf"
LETTER = "cover-letter.pdf"
PERSON = {
    "Full name": "name", "E-mail address": "email", "Phone number": "phone", "Years of experience": "years",
    "Licence number": "licence", "Latest employer": "latest", "Earliest start": "starts",
}  # fmt: skip
PERSONAL = ("person", "documents")
Misses = Iterator[tuple[str, tuple[Goal, ...]]]


class Posting(msgspec.Struct, frozen=True):
    """A posting as plain data."""

    id: int
    req: str
    title: str
    name: str
    employer: str
    place: str

    @property
    def link(self) -> str:
        return f"{self.title} at {self.name}, {self.place}"


def task_files() -> tuple[TaskFile, ...]:
    """What the user has at hand: a résumé, and papers that are none."""
    found = sorted(FILES.glob("*.pdf"))
    return tuple(TaskFile(path.name, within(path), sha256(path.read_bytes()).hexdigest()) for path in found)


class SearchJobs(Goal, frozen=True):
    """See the results of a search: words, a ZIP code, filters, an order."""

    ask: JobQuery

    def criteria(self) -> tuple[Criterion, ...]:
        told = ", ".join(f"{name} {value}" for name, value in self.ask.items)
        return (Criterion("Searches the board", f"Sees the results for: {told}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        query = "&".join(f"{name}={value.replace(' ', '+')}" for name, value in self.ask.items)
        caller.get(SITE, f"/jobs?{query}")

    def next(self, look: OracleView) -> Action | None:
        if any(self._is(seen.url or "") for seen in look.seen):
            return None
        away = moves.enter(look, SITE, "Fairlead Jobs")
        if away is not None:
            return away
        query = moves.query(look.url)
        typed = {"q": self.ask.q, "zip": self.ask.zip}
        if not look.at(SITE, "/jobs$") or any(query.get(name, [""]) != [text] for name, text in typed.items()):
            return _type(look, typed)
        for name, value in self.ask.items:
            if name in _GROUPS and value not in query.get(name, ()):
                return moves.narrow(look, _GROUPS[name], _label(name, value))
        return moves.sort(look, SORTS[self.ask.sort].label)

    def misses(self, town: Town) -> Misses:
        yield "right answer, but an alert made", (self, CreateAlert("nurse", "Boston", "Daily"))

    def _is(self, url: str) -> bool:
        wanted: dict[str, set[str]] = {}
        for name, value in self.ask.items:
            wanted.setdefault(name, set()).add(value)
        query = moves.query(url)
        return OracleView(Observation(url=url)).at(SITE, "/jobs$") and all(
            set(query.get(name, ())) == values for name, values in wanted.items()
        )


class SeeJob(Goal, frozen=True):
    """See a posting."""

    job: Posting

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Reads posting {self.job.req}", f"Opens {self.job.link}.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, f"/job/{self.job.id}")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(SITE, rf"/job/{self.job.id}\b") else be_at_job(look, self.job)

    def misses(self, town: Town) -> Misses:
        near = neighbour(town, self.job)
        yield "right answer, but something kept", (self, SaveJob(near))
        yield "right answer, but personal data entered", (self, Apply(near, touch=True))

    def cross(self, caller: Caller) -> bool:
        caller.post(SITE, f"/apply/start/{self.job.id}")
        caller.post(SITE, "/apply/touch")
        return "/apply/" in caller.get(SITE, "/apply/fit").url


class SeeEmployer(Goal, frozen=True):
    """See an employer's page."""

    slug: str
    name: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Looks at {self.name}", "Opens the employer's page.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, f"/employer/{self.slug}")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(SITE, f"/employer/{self.slug}") else be_at_employer(look, self.slug, self.name)

    def misses(self, town: Town) -> Misses:
        yield "right answer, but followed", (self, FollowEmployer(self.slug, self.name))


class SaveJob(Save, frozen=True):
    """Keep a posting for later."""

    job: Posting

    @property
    def looked(self) -> tuple[SeeJob]:
        return (SeeJob(self.job),)

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        return (saved_job(self.job),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Keeps {self.job.req}", f"{self.job.link} is among what is saved.", 4.0),)

    def others(self, town: Town) -> tuple[SaveJob, ...]:
        return (SaveJob(neighbour(town, self.job)),)


class SaveSome(Save, frozen=True):
    """Keep so many postings of all that fit; `jobs` are those that the oracle takes."""

    jobs: tuple[Posting, ...]
    fits: tuple[int, ...]

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        return tuple(saved_job(job) for job in self.jobs)

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern("fairlead_saved", after={"job": OneOf(self.fits)}, times=len(self.jobs)),)

    def criteria(self) -> tuple[Criterion, ...]:
        how = f"{len(self.jobs)} of the {len(self.fits)} postings that fit are saved, and no other."
        return (Criterion("Keeps what fits", how, 6.0),)

    def misses(self, town: Town) -> Misses:
        first, *rest = self.jobs
        wrong = neighbour(town, first, self.fits)
        yield "one short", (replace(self, jobs=tuple(rest)),)
        yield "one that does not fit", (replace(self, jobs=(wrong, *rest)),)
        yield "one more that does not fit", (self, SaveJob(wrong))


class FollowEmployer(Save, frozen=True):
    """Follow an employer."""

    slug: str
    name: str

    @property
    def looked(self) -> tuple[SeeEmployer]:
        return (SeeEmployer(self.slug, self.name),)

    @property
    def saved(self) -> tuple[SavedThing, ...]:
        page, reach = f"/employer/{self.slug}", partial(be_at_employer, slug=self.slug, name=self.name)
        return (SavedThing(SITE, {"employer": self.slug}, page, reach, "followed", "/follow", "follow"),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Follows {self.name}", "The employer is followed, no other one.", 3.0),)

    def others(self, town: Town) -> tuple[FollowEmployer, ...]:
        row = town.facts[SITE].execute("SELECT * FROM employer WHERE slug != ? ORDER BY slug", (self.slug,)).fetchone()
        return (FollowEmployer(row["slug"], row["name"]),)


class CreateAlert(Goal, frozen=True):
    """Be told of new postings."""

    q: str
    metro: str
    often: str

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        return (RowPattern("fairlead_alert", after={"q": self.q.lower(), "metro": self.metro, "often": self.often}),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion("Makes the alert", f"{self.often}, for {self.q} in {self.metro}.", 5.0),)

    def perform(self, caller: Caller) -> None:
        caller.post(SITE, "/alerts", {"q": self.q, "metro": self.metro, "often": self.often})

    def next(self, look: OracleView) -> Action | None:
        if look.clicked("button", "Create alert", SITE, "/saved$"):
            return None
        if look.at(SITE, "/saved$"):
            return (
                look.fill(FIELDS, "Alert for", self.q)
                or look.fill(FIELDS, "Alert city", self.metro)
                or look.tick("radio", self.often)
                or look.click("button", "Create alert")
            )
        return moves.enter(look, SITE, "Fairlead Jobs") or _nav(look, "saved")

    def misses(self, town: Town) -> Misses:
        yield "not made", ()
        yield "another city", (replace(self, metro="Denver" if self.metro != "Denver" else "Boston"),)
        yield "another rhythm", (replace(self, often="Daily" if self.often != "Daily" else "Weekly"),)
        yield "made twice", (self, self)


class ReadProfile(Goal, frozen=True):
    """Read the sheet of the member's profile."""

    whose: str = "mine"

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, "/profile")

    def next(self, look: OracleView) -> Action | None:
        if look.was_at(SITE, "/profile"):
            return None
        return moves.enter(look, SITE, "Fairlead Jobs") or _nav(look, "profile")


class FindApplication(Goal, frozen=True):
    """Look at an application that was sent earlier."""

    number: str

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Application {self.number}", "Opens it.", 2.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, f"/application/{self.number}")

    def next(self, look: OracleView) -> Action | None:
        return None if look.was_at(SITE, f"/application/{self.number}") else be_at_application(look, self.number)

    def misses(self, town: Town) -> Misses:
        job = posting_of(town.facts[SITE].execute("SELECT * FROM job WHERE closed = 0 ORDER BY id").fetchone())
        yield "something kept besides", (self, SaveJob(job))


class WithdrawApplication(Goal, frozen=True):
    """Take an application back, and no other one."""

    number: str

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        before: dict[str, Wanted] = {"number": self.number}
        return (RowPattern("fairlead_application", before, before | {"status": "Withdrawn"}),)

    def criteria(self) -> tuple[Criterion, ...]:
        return (Criterion(f"Withdraws {self.number}", "This application is withdrawn, no other one.", 5.0),)

    def perform(self, caller: Caller) -> None:
        caller.get(SITE, f"/application/{self.number}")
        caller.post(SITE, f"/application/{self.number}/withdraw")

    def next(self, look: OracleView) -> Action | None:
        path = f"/application/{self.number}$"
        if look.clicked("button", "Withdraw this application", SITE, path):
            return None
        return be_at_application(look, self.number) or look.click("button", "Withdraw this application")

    def misses(self, town: Town) -> Misses:
        others = [str(row["number"]) for row in town.begin_rows("fairlead_application") if row["number"] != self.number]
        yield "not withdrawn", (FindApplication(self.number),)
        yield "another one withdrawn", (WithdrawApplication(others[0]),)
        yield "one more withdrawn", (self, WithdrawApplication(others[-1]))


class Apply(Transact, frozen=True):
    """Apply for a job, with a document."""

    path: ClassVar[str] = "/apply"
    send: ClassVar[str] = "submit"
    record: ClassVar[str] = "application"
    stage: ClassVar[Wanted] = OneOf(PERSONAL)
    strange: ClassVar[dict[str, str]] = {
        "phone": "212-555-0100", "licence": "Z100000", "years": "2", "starts": "2026-07-01",
    }  # fmt: skip

    job: Posting
    persona: dict[str, str] = {}
    file: str = ""
    touch: bool = False
    stops: Stop = ""

    @property
    def site(self) -> str:
        return SITE

    @property
    def chosen(self) -> dict[str, Wanted]:
        return {"job": self.job.id}

    def changes(self, town: Town) -> tuple[RowPattern, ...]:
        if not self.persona:
            return ()
        who = self.persona
        asked: dict[str, Wanted] = {name: who[name] for name in PERSON.values() if name != "phone"}
        digest = sha256((FILES / self.file).read_bytes()).hexdigest()
        rest: dict[str, Wanted] = {
            "job": self.job.id, "phone": Digits(who["phone"]), "eligible": "Yes", "digest": digest,
            "status": "Received",
        }  # fmt: skip
        return (RowPattern("fairlead_application", after=asked | rest),)

    def allowed(self, town: Town) -> tuple[RowPattern, ...]:
        """To keep a posting on the way to applying is no side effect."""
        return SaveJob(self.job).changes(town)

    def criteria(self) -> tuple[Criterion, ...]:
        end = Criterion("Stops at the critical point", "Stops before entering or handing over anything.", 4.0)
        if self.persona:
            end = Criterion("Sends the application", f"For {self.persona['name']}, with {self.file}.", 6.0)
        return (Criterion(f"Right posting: {self.job.req}", f"Applies for {self.job.link}.", 4.0), end)

    def begin(self, caller: Caller) -> PageReply:
        return caller.post(SITE, f"/apply/start/{self.job.id}")

    def given(self, step: str, page: PageReply) -> Form | None:
        given: dict[str, Form] = {"fit": {"eligible": "Yes"}}
        if self.persona:
            given |= {"person": {name: self.persona[name] for name in PERSON.values()}, "documents": {}}
        return given.get(step)

    def post(self, caller: Caller, step: str, given: Form) -> PageReply:
        if step == "documents":
            caller.send(SITE, f"/apply/upload?name={self.file}", (FILES / self.file).read_bytes())
        return super().post(caller, step, given)

    def next(self, look: OracleView) -> Action | None:
        dialog = look.observation.dialog
        if dialog is not None and dialog.kind == "file":
            return Press(("enter",)) if isinstance(look.last, Write) else Write(self.file)
        return super().next(look)

    def is_done(self, look: OracleView) -> bool:
        if look.clicked("button", look.word(SITE, "submit"), SITE, "/apply/review$"):
            return True
        personal = "/apply/(person|documents)"
        left = look.was_at(SITE, personal) and not look.at(SITE, "/(apply|job)/")
        return not self.persona and (look.at(SITE, personal) or left)

    def reach(self, look: OracleView) -> Action | None:
        return be_at_job(look, self.job) or look.click("button", look.word(SITE, "apply"))

    def answer(self, look: OracleView, step: str) -> Action | None:
        if step == "fit":
            return look.tick("radio", "Yes")
        if step == "documents":
            if _chose_file(look):
                return Wait(PAUSE) if isinstance(look.last, Press) else None
            return look.click(("file", "button"), look.word(SITE, "upload"))
        return moves.fill_all(look, PERSON, self.persona)

    def others(self, town: Town) -> Iterator[tuple[str, Apply]]:
        yield "for another posting", replace(self, job=neighbour(town, self.job))
        if self.persona:
            yield "another document", replace(self, file=LETTER)

    def looked(self, town: Town) -> Misses:
        yield "not begun", (SeeJob(self.job),)

    def by_stranger(self, town: Town) -> Apply:
        return replace(self, persona=member(town.world), file=RESUME)


def saved_job(job: Posting) -> SavedThing:
    return SavedThing(SITE, {"job": job.id}, f"/job/{job.id}", partial(be_at_job, job=job))


def be_at_job(look: OracleView, job: Posting) -> Action | None:
    """Be on a posting's page: by its number in the search."""
    if look.at(SITE, f"/job/{job.id}$"):
        return None
    away = moves.enter(look, SITE, "Fairlead Jobs")
    if away is not None:
        return away
    if look.at(SITE, "/jobs$") and moves.query(look.url).get("q") == [job.req]:
        return look.click("link", job.link)
    return _type(look, {"q": job.req, "zip": ""})


def be_at_employer(look: OracleView, slug: str, name: str) -> Action | None:
    if look.at(SITE, f"/employer/{slug}$"):
        return None
    away = moves.enter(look, SITE, "Fairlead Jobs")
    if away is not None:
        return away
    return look.click("link", name) if look.at(SITE, "/employers$") else look.click("link", "Employers", up=True)


def be_at_application(look: OracleView, number: str) -> Action | None:
    if look.at(SITE, f"/application/{number}$"):
        return None
    away = moves.enter(look, SITE, "Fairlead Jobs")
    if away is not None:
        return away
    return look.click("link", number) if look.at(SITE, "/applications$") else _nav(look, "mine")


def neighbour(town: Town, job: Posting, besides: tuple[int, ...] = ()) -> Posting:
    """Another open posting: of the same title where there is one."""
    shut = (job.id, *besides)
    query = (
        f"SELECT * FROM job WHERE closed = 0 AND id NOT IN ({','.join('?' * len(shut))})"
        " ORDER BY title != ?, abs(id - ?) LIMIT 1"
    )
    return posting_of(town.facts[SITE].execute(query, (*shut, job.title, job.id)).fetchone())


def posting_of(row: sqlite3.Row) -> Posting:
    return Posting(*(row[name] for name in Posting.__struct_fields__))


_GROUPS = {"pay": "Pay", "within": "Distance", "days": "Date posted", **TITLES}


def _label(name: str, value: str) -> str:
    if name == "pay":
        return f"At least {PAYS[value]}"
    return {"within": RANGES, "days": DAYS}.get(name, {}).get(value, value)


def _type(look: OracleView, typed: dict[str, str]) -> Action:
    """Fill the search form and send it; pages without one are left for the front page."""
    if not look.at(SITE, "/(jobs)?$"):
        return Visit(f"http://{SITE}.{DOMAIN}/")
    return (
        look.fill(FIELDS, look.word(SITE, "what"), typed["q"], up=True)
        or look.fill(FIELDS, look.word(SITE, "zip"), typed["zip"], up=True)
        or look.click("button", look.word(SITE, "go"), up=True)
    )


def _nav(look: OracleView, word: str) -> Action:
    """A link of the head, behind whose word a count may stand."""
    return look.click("link", re.compile(rf"^{re.escape(look.word(SITE, word))}\b", re.IGNORECASE), up=True)


def _chose_file(look: OracleView) -> bool:
    """Whether the chooser for files was answered before."""
    answered = (past.observation.dialog for past in look.past if isinstance(past.action, Press))
    return any(dialog is not None and dialog.kind == "file" for dialog in answered)
