"""A second reader: it knows the sites' addresses and reads their HTML, and agrees with the key of every lookup task.

The readers beside this file import nothing of the town. Only this one does, to serve it and to compare."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import workalike.town
from tests.town.second_reader import (
    chains,
    citations,
    flights,
    homes,
    hotels,
    jobs,
    outings,
    shops,
    stages,
    tables,
    wanted,
)
from tests.town.second_reader.page import Visitor
from tests.town.second_reader.wording import BLANKS, blanks
from workalike.core.task import AnswerField
from workalike.runtime.serving import serving
from workalike.town.benchmark import Drawn
from workalike.town.server import App
from workalike.verify.normalise import agrees, read_value

KITS = {
    "shop": ("shopkit/tasks", (shops, wanted), BLANKS),
    "flight": ("flightkit/tasks", (flights,), BLANKS),
    "hotel": ("hotelkit/tasks", (hotels,), BLANKS),
    "table": ("sites/forkline/tasks", (tables,), tables.BLANKS),
    "activity": ("sites/outbound/tasks", (outings,), outings.BLANKS),
    "stage": ("sites/encore", (stages,), stages.BLANKS),
    "city": ("sites/alderbrook", (citations,), citations.BLANKS),
    "home": ("sites/hearthline", (homes,), homes.BLANKS),
    "jobs": ("sites/fairlead/tasks", (jobs,), jobs.BLANKS),
    "chain": ("refkit/tasks", (chains,), chains.BLANKS),
}
"""By the first word of a template: where its voices are, who reads its pages, and what may fill its blanks."""
READERS = {
    f"{prefix}-{name}": reader
    for prefix, (_, readers, _) in KITS.items()
    for each in readers
    for name, reader in each.READERS.items()
}
TOWN = Path(str(workalike.town.__file__)).parent
VOICES = {
    f"{prefix}-{name}": voices
    for prefix, (folder, _, _) in KITS.items()
    for name, voices in json.loads((TOWN / folder / "voices.json").read_text()).items()
}
MANY = 8
"""A sample; the sweep reads them all."""


def said(each: Drawn) -> dict[str, str]:
    """What an instruction asks for."""
    template = each.key.extra["template"]
    return blanks(each.task.instruction, VOICES[template], KITS[template.partition("-")[0]][2])


def _contradiction(web: Visitor, each: Drawn) -> str | None:
    """What the pages say against a key, if they do."""
    template = each.key.extra["template"]
    found = READERS[template](web, said(each))
    way = each.key.evaluators[0]
    if way.status != "done":
        return None if found == {"": way.status} else f"the pages say {found}, the key {way.status}"
    assert set(found) == {expected.field for expected in way.answers}, (template, found)
    for expected in way.answers:
        value = found[expected.field]
        if expected.kind in ("money", "number", "duration"):
            same = value == expected.value
        else:
            text = " | ".join(value) if isinstance(value, list) else str(value)
            same = agrees(expected, read_value(AnswerField(expected.field, expected.kind), text))
        if not same:
            return f"the pages say {expected.field} = {value!r}, the key {expected.value!r}"
    return None


async def _contradictions(app: App, drawn: list[Drawn]) -> dict[str, str]:
    async with serving(app) as port:
        return await asyncio.to_thread(_read_all, port, drawn)


def _read_all(port: int, drawn: list[Drawn]) -> dict[str, str]:
    found = {each.task.id: _contradiction(Visitor(port), each) for each in drawn}
    return {name: told for name, told in found.items() if told}


def lookups(drawn: tuple[Drawn, ...]) -> list[Drawn]:
    return [each for each in drawn if each.key.extra["template"] in READERS]


def test_every_question_has_a_reader(drawn: tuple[Drawn, ...]) -> None:
    """But for sums of carts that are filled on the way, and for what only booking, paying or cancelling brings."""
    asking = {each.key.extra["template"] for each in drawn if each.task.form}
    filled = {f"shop-{name}" for name in ("left-over", "best-code", "list-left-over", "list-code", "list-which")}
    done = {
        "table-any-for-me",
        "table-cancel-unless",
        "activity-any-for-me",
        "activity-cancel-if-free",
        "activity-join-meetup",
        "stage-other-date",
        "stage-refund",
        "city-pay-one",
    }
    assert asking - set(READERS) == filled | done


def test_every_instruction_is_understood(drawn: tuple[Drawn, ...]) -> None:
    for each in lookups(drawn):
        assert said(each)


async def test_pages_agree_with_keys_on_a_sample(app: App, drawn: tuple[Drawn, ...]) -> None:
    assert await _contradictions(app, lookups(drawn)[::MANY]) == {}


@pytest.mark.sweep
async def test_pages_agree_with_the_key_of_every_lookup(app: App, drawn: tuple[Drawn, ...]) -> None:
    assert len(lookups(drawn)) > 290
    assert await _contradictions(app, lookups(drawn)) == {}
