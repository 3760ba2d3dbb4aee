"""Where the keyboard is, the town's pages show themselves: the environment hides the caret and draws nothing."""

from __future__ import annotations

import numpy as np

from tests.town.browser import chromium
from workalike.core.actions import Click, Move
from workalike.core.contracts import Wants
from workalike.core.observation import Element, Observation
from workalike.core.screen import Box, Point
from workalike.core.task import Task
from workalike.env.browser.environment import BrowserEnvironment
from workalike.pictures.codec import decode
from workalike.runtime.serving import serving
from workalike.town.look import FIELDS
from workalike.town.server import COOKIE, App
from workalike.town.session import Setting
from workalike.town.site import DOMAIN
from workalike.town.town import Town

AROUND, WITHIN = 7, 3
CORNER = Point(0.99, 0.97)


def field_of(seen: Observation) -> Element | None:
    """The first field one can write into."""
    return next((one for one in seen.elements or () if one.role in FIELDS and one.tag == "input"), None)


def ring(before: bytes, after: bytes, box: Box) -> float:
    """How much of the ring around a box has changed so that one sees it."""
    was, now = (np.asarray(decode(one)).astype(int) for one in (before, after))
    high, wide = was.shape[:2]
    left, right = round(box.x * wide), round(box.right * wide)
    top, bottom = round(box.y * high), round(box.bottom * high)
    changed = np.abs(was - now).max(axis=2) > 40
    changed[top + WITHIN : bottom - WITHIN, left + WITHIN : right - WITHIN] = False
    near = changed[max(0, top - AROUND) : bottom + AROUND, max(0, left - AROUND) : right + AROUND]
    return float(near.sum() / (2 * (right - left + bottom - top)))


async def shown(environment: BrowserEnvironment, address: str) -> float | None:
    """How plainly a page shows that one of its fields has got the keyboard."""
    seen = (await environment.reset(Task("t", "look", start_url=address), Wants(elements=True))).observation
    field = field_of(seen)
    if field is None or field.box is None:
        return None
    if "focused" in field.states:  # some pages give the keyboard to one of theirs when they open
        await environment.act(Click(CORNER))
    await environment.act(Move(field.box.centre))
    before = (await environment.observe()).picture
    await environment.act(Click(field.box.centre))
    after = (await environment.observe()).picture
    assert before
    assert after
    return ring(before, after, field.box)


async def test_every_site_shows_in_every_skin_where_the_keyboard_is(town: Town, app: App) -> None:
    told: dict[tuple[str, str], float | None] = {}
    async with serving(app) as port, chromium(port) as web:
        for name, site in town.sites.items():
            for skin in (each for each in site.skins if not each.mess):  # on messy ones the page moves meanwhile
                attempt = town.open(Setting({name: skin.name}))
                environment = web.environment()
                told[name, skin.name] = await shown(
                    environment, f"http://{site.name}.{DOMAIN}/?{COOKIE}={attempt.token}"
                )
                await environment.close()
    plain = {one: part for one, part in told.items() if part is not None}
    assert {name for name, _ in plain} >= {"search", "kestrel", "marlow", "stayward", "solenne"}
    assert {one: part for one, part in plain.items() if part < 0.4} == {}
