"""What a page makes the browser report is cut short before it reaches the driver, which would die of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.env.web import HOST, Actor, Handler, Web
from workalike.core.actions import Wait
from workalike.core.errors import Infrastructure
from workalike.env.browser import shorten
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.shorten import Shortener
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

BOUNDS = {"PLAIN": 20, "MOST_STRING": 40, "MOST_EVENT": 100, "MOST_REPLY": 200}
TEXT = some.text(some.sampled_from('ab"\\\n\x00\x01é😀/u'), max_size=400)
VALUES = some.recursive(
    TEXT | some.integers() | some.none(), lambda one: some.lists(one) | some.dictionaries(TEXT, one), max_leaves=12
)


def fed(messages: list[bytes], pieces: list[int]) -> list[bytes]:
    data, shortener, passed = b"".join(message + b"\0" for message in messages), Shortener(), b""
    while data:
        size = pieces[len(data) % len(pieces)]
        passed, data = passed + shortener.feed(data[:size]), data[size:]
    *whole, rest = passed.split(b"\0")
    assert rest == b""
    return whole


def texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [one for pair in value.items() for part in pair for one in texts(part)]
    return [one for part in value for one in texts(part)] if isinstance(value, list) else []


@settings(max_examples=400)
@given(
    values=some.lists(some.tuples(some.sampled_from(["method", "id"]), VALUES, some.booleans()), max_size=4),
    pieces=some.lists(some.integers(1, 90), min_size=1, max_size=5),
)
def test_messages_stay_whole_and_only_long_texts_are_cut(
    values: list[tuple[str, object, bool]], pieces: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, bound in BOUNDS.items():
            patch.setattr(shorten, name, bound)
        plain = [json.dumps({key: "x", "v": value}, ensure_ascii=ascii) for key, value, ascii in values]
        messages = [text.replace('": ', '":').encode() for text in plain]
        passed = fed(messages, pieces)
    assert len(passed) == len(messages)
    for before, after in zip(messages, passed, strict=True):
        read = json.loads(after.decode("utf-8", "replace"))
        is_event = before.startswith(b'{"method"')
        most = BOUNDS["MOST_STRING" if is_event else "MOST_REPLY"]
        assert all(len(one) <= most for one in texts(read))
        if len(before) <= most:
            assert after == before
        if is_event:
            assert sum(map(len, texts(read))) <= BOUNDS["MOST_EVENT"]


SENDS = (
    "<title>x</title><button onclick=\"fetch('/sink', {{method: 'POST', body: '{0}'.repeat({1} << 20)}})"
    '.then((answer) => answer.text()).then((text) => {{ document.title = text }})">Send</button>'
)


def sink(handler: Handler) -> None:
    handler.reply("received")


async def sent(actor: Actor, letter: str, megabytes: int) -> None:
    """A page posts to its own site, and has its answer."""
    await actor.open(SENDS.format(letter, megabytes), sink=sink)
    await actor.click("Send")
    for _ in range(30):
        try:
            if await actor.title() == "received":
                return
            await actor.do(Wait(1.0))
        except Infrastructure as error:
            if "stays long enough" not in str(error):  # the page is busy, and may be so for a while
                raise


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("public", [False, True], ids=["own", "guarded"])
async def test_a_body_reaches_its_site_whole_and_the_driver_in_part(stage: Stage, web: Web, public: bool) -> None:
    environment = stage.environment(Policy(hosts={HOST: web.place}, public=public))
    actor, told = Actor(environment, web), []
    web.posts.clear()
    await actor.open("<title>x</title>")
    environment.attempt.context.on("request", lambda request: told.append(len(request.post_data or "")))
    page = (await environment.attempt.tabs.front()).page
    web.pages["/sink"] = sink
    await page.evaluate("() => fetch('/sink', {method: 'POST', body: 'é\"'.repeat(4 << 20)}).then((a) => a.text())")
    await environment.close()
    assert [len(post) for post in web.posts] == [8 << 20]
    assert told
    assert max(told) <= shorten.MOST_STRING


@pytest.mark.asyncio(loop_scope="session")
async def test_a_long_line_for_the_console_is_cut(stage: Stage, web: Web) -> None:
    environment = stage.environment(Policy(hosts={HOST: web.place}))
    actor, told = Actor(environment, web), []
    await actor.open("<title>x</title>")
    page = (await environment.attempt.tabs.front()).page
    page.on("console", lambda line: told.append(len(line.text)))
    await page.evaluate("() => console.log('a'.repeat(9 << 20))")
    await page.evaluate("() => 0")
    await environment.close()
    assert told == [shorten.MOST_STRING]


@pytest.mark.sweep
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("public", [False, True], ids=["own", "guarded"])
@pytest.mark.parametrize("megabytes", [90, 130])
async def test_a_page_that_posts_a_hundred_megabytes_ends_nothing_for_the_others(
    web: Web, public: bool, megabytes: int
) -> None:
    """Each letter is six in JSON: more than a string of the driver's can hold."""
    async with Stage(BrowserSettings(load=3.0, settle=2.0)) as stage:
        neighbour = Actor(stage.environment(Policy(hosts={HOST: web.place})), web)
        await neighbour.open("<title>neighbour</title>")
        hostile = Actor(stage.environment(Policy(hosts={HOST: web.place}, public=public)), web)
        await sent(hostile, "\\\\u0001", megabytes)
        assert await neighbour.title() == "neighbour"
        await hostile.environment.close()
        await neighbour.environment.close()
        assert (await Actor(stage.environment(Policy(hosts={HOST: web.place})), web).open("<title>a</title>")).picture
