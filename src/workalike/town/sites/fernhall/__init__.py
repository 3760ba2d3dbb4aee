"""Fernhall County: find a doctor, desks and their papers, calendars. It stands outside `town@1`: its tasks are those of
`town-extra`, some of them in other languages, some for people who use no mouse or no screen."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workalike.town.site import PageRoute, RecordDesk, Site, Skin, messy
from workalike.town.sites.fernhall import pages, world
from workalike.town.sites.fernhall.tasks import TEMPLATES

_POST = ("POST",)
_WORDS = msgspec.json.decode((Path(__file__).parent / "words.json").read_bytes(), type=dict[str, dict[str, str]])

REGISTER = Skin("register", "train", _WORDS["en"])
PLAZA = Skin(
    "plaza",
    "test",
    _WORDS["en"]
    | {
        "menu": "Living here",
        "doctors": "Doctors",
        "services": "Desks and papers",
        "collections": "Bins and collections",
        "pharmacies": "Open at night",
        "appointments": "Your appointments",
        "tongue": "Also speaks",
        "plan": "Accepted insurance",
        "from": "Closest to",
        "search": "Show doctors",
        "book": "Take this time",
        "later": "More days",
        "later_nights": "Following nights",
        "show": "Look up",
        "continue": "Next",
        "confirm": "Book it",
    },
)
BULLETIN = messy(
    PLAZA, "bulletin", search="»", show="»", later=">>", book="OK", strip="The county fair opens on Friday."
)
AZULEJO = Skin("azulejo", "test", _WORDS["es"], layout="plaza")
STUBE = Skin("stube", "test", _WORDS["de"], layout="register")

SITE = Site(
    name=world.NAME,
    title="Fernhall County",
    about="The county's own site: doctors, desks, waste collection, pharmacies at night.",
    folder=Path(__file__).parent,
    skins=(REGISTER, PLAZA, BULLETIN, AZULEJO, STUBE),
    pages=(
        PageRoute("/", pages.front),
        PageRoute("/access", pages.access),
        PageRoute("/access/pointer", pages.note_pointer, _POST),
        PageRoute("/doctors", pages.doctors),
        PageRoute("/doctor/{slug}", pages.provider),
        PageRoute("/services", pages.services),
        PageRoute("/service/{slug}", pages.provider),
        PageRoute("/notice/{slug}.png", pages.notice),
        PageRoute("/collections", pages.collections),
        PageRoute("/pharmacies", pages.pharmacies),
        PageRoute("/appointments", pages.appointments),
        PageRoute("/booking/{number}", pages.booking),
        PageRoute("/booking/{number}/cancel", pages.cancel, _POST),
        PageRoute("/start/{slug}", pages.start, _POST),
        PageRoute("/book/touch", pages.WIZARD.touch, _POST),
        PageRoute("/book/confirm", pages.confirm, _POST),
        PageRoute("/book/{step}", pages.show_step),
        PageRoute("/book/{step}", pages.save_step, _POST),
    ),
    tables=world.TABLES,
    build=world.build,
    begin=world.begin,
    entries=world.entries,
    templates=TEMPLATES,
    desk=RecordDesk("/appointments", "Last name", "appointments"),
    crossed=world.CROSSED,
)
