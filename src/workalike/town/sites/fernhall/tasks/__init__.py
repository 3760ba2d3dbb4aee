"""The tasks of `town-extra`: finding a doctor, other public services, the same by keyboard alone and for people with a
screen reader, and in Spanish and German."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from workalike.town.kit.make import templates_from
from workalike.town.sites.fernhall.tasks.doctors import (
    book_best,
    book_first,
    doctor_and_pharmacy,
    first_free,
    latest,
    named_phone,
    nearest,
    nobody,
    phone_of,
    stop_before,
)
from workalike.town.sites.fernhall.tasks.draws import (
    ENGLISH,
    GERMAN,
    SPANISH,
    TRAINING,
    LanguageDraw,
    PlainDraw,
    drawn_in,
)
from workalike.town.sites.fernhall.tasks.screens import announced, directions, guided, notice, sign
from workalike.town.sites.fernhall.tasks.services import (
    book_desk,
    cancel,
    count_collections,
    duty,
    fee_of,
    fees,
    next_collection,
)
from workalike.town.template import Demand, Level, Template

template = templates_from(Path(__file__).parent / "voices.json", "county")
FIND, SERVE, KEYS, READER, ES, DE = (
    "find_a_doctor", "public_services", "keyboard", "screen_reader", "spanish", "german",
)  # fmt: skip
COUNTS = {FIND: 16, SERVE: 12, KEYS: 12, READER: 10, ES: 12, DE: 12}
"""How many tasks of a category `town-extra` has."""
TRAIN_COUNTS = {FIND: 8, SERVE: 8}
_REMARKS = (
    "I can't use a mouse, so please do this with the keyboard only, without a single click.",
    "Keyboard only, please: Tab, Enter, arrow keys. Nothing may be clicked.",
    "no mouse pls, i navigate by keyboard and want to be able to repeat it.",
    "Do the following by keyboard alone; no click or tap of any kind is allowed.",
)


def _search(draw: LanguageDraw) -> PlainDraw:
    return drawn_in(ENGLISH, draw, "search")


def _by_keyboard(made: Template, name: str, category: str = KEYS) -> Template:
    """A template once more, for somebody who has no mouse."""
    voices = tuple(f"{remark} {voice}" for remark, voice in zip(_REMARKS, made.voices, strict=True))
    return replace(made, name=f"county-{name}", category=category, voices=voices)


def _keyed(name: str, level: Level, draw: LanguageDraw, demands: tuple[Demand, ...] = ()) -> Template:
    made = template(name, KEYS, level, drawn_in(ENGLISH, draw, keyboard=True), demands=demands)
    return _by_keyboard(made, f"keys-{name}")


_ONE: tuple[Demand, ...] = ("described not named", "many criteria")
TEMPLATES = (
    template("phone", FIND, "easy", _search(phone_of), demands=_ONE),
    template("nearest", FIND, "medium", _search(nearest), demands=(*_ONE, "map and distance")),
    template("latest", FIND, "medium", _search(latest), demands=(*_ONE, "evidence")),
    template("first-free", FIND, "medium", _search(first_free), demands=_ONE),
    template("book-best", FIND, "hard", _search(book_best), demands=(*_ONE, "evidence", "open choice")),
    template("stop", FIND, "medium", _search(stop_before), demands=_ONE),
    template("nobody", FIND, "medium", _search(nobody), demands=(*_ONE, "evidence")),
    template("pharmacy", FIND, "hard", _search(doctor_and_pharmacy), demands=(*_ONE, "evidence")),
    template("fees", SERVE, "medium", _search(fees), demands=("arithmetic",)),
    template("collection", SERVE, "easy", _search(next_collection)),
    template("collections", SERVE, "medium", _search(count_collections), demands=("arithmetic",)),
    template("duty", SERVE, "easy", _search(duty)),
    template("desk", SERVE, "hard", _search(book_desk), demands=("evidence", "open choice")),
    template("cancel", SERVE, "medium", _search(cancel), demands=("evidence",)),
    _keyed("phone", "easy", phone_of, _ONE),
    _keyed("collection", "easy", next_collection),
    _keyed("duty", "medium", duty),
    _keyed("first-free", "medium", first_free, _ONE),
    _keyed("stop", "medium", stop_before, _ONE),
    _keyed("book-first", "hard", book_first, (*_ONE, "evidence")),
    template("notice", READER, "medium", drawn_in(ENGLISH, notice), demands=_ONE),
    template("directions", READER, "medium", drawn_in(ENGLISH, directions), demands=_ONE),
    template("announced", READER, "easy", drawn_in(ENGLISH, announced), demands=_ONE),
    template("sign", READER, "medium", drawn_in(ENGLISH, sign), demands=_ONE),
    _by_keyboard(
        template("guided", READER, "hard", drawn_in(ENGLISH, guided, keyboard=True), demands=(*_ONE, "evidence")),
        "guided",
        READER,
    ),
    template("es-phone", ES, "easy", drawn_in(SPANISH, phone_of), demands=_ONE),
    template("es-collection", ES, "easy", drawn_in(SPANISH, next_collection)),
    template("es-first-free", ES, "medium", drawn_in(SPANISH, first_free), demands=_ONE),
    template("es-fees", ES, "medium", drawn_in(SPANISH, fees), demands=("arithmetic",)),
    template("es-book-best", ES, "hard", drawn_in(SPANISH, book_best), demands=(*_ONE, "evidence", "open choice")),
    template("es-pharmacy", ES, "hard", drawn_in(SPANISH, doctor_and_pharmacy), demands=(*_ONE, "evidence")),
    template("de-phone", DE, "easy", drawn_in(GERMAN, phone_of), demands=_ONE),
    template("de-duty", DE, "easy", drawn_in(GERMAN, duty)),
    template("de-latest", DE, "medium", drawn_in(GERMAN, latest), demands=(*_ONE, "evidence")),
    template("de-collections", DE, "medium", drawn_in(GERMAN, count_collections), demands=("arithmetic",)),
    template("de-stop", DE, "medium", drawn_in(GERMAN, stop_before), demands=_ONE),
    template("de-book-best", DE, "hard", drawn_in(GERMAN, book_best), demands=(*_ONE, "evidence", "open choice")),
    template("train-phone", FIND, "easy", drawn_in(TRAINING, named_phone, "search"), "train"),
    template("train-first", FIND, "hard", drawn_in(TRAINING, book_first, "search"), "train"),
    template("train-collection", SERVE, "easy", drawn_in(TRAINING, next_collection, "search"), "train"),
    template("train-fee", SERVE, "easy", drawn_in(TRAINING, fee_of, "search"), "train"),
)
