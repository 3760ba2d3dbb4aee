"""Trying an endpoint with a few small questions and saying in plain words what works: `workalike doctor --model M`."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from workalike.core.errors import Infrastructure, ModelFailed
from workalike.core.screen import Size
from workalike.models.ask import answer_schema
from workalike.models.interface import Model
from workalike.models.messages import Picture, Reply, Request, Sampling, Tool, said
from workalike.models.prompts import Prompts

Outcome = Literal["works", "missing", "unsure"]
ROOM = 4096
_NEED_TOOLS = "only the agents openai and anthropic need tools, all others write their actions as text"
_NUMBER = "58"
_STROKES = {"5": ("11111", "10000", "11110", "00001", "11110"), "8": ("01110", "10001", "01110", "10001", "01110")}


class ProbeResult(msgspec.Struct, frozen=True):
    """One thing that was tried, whether it works, and a sentence on it."""

    what: str
    outcome: Outcome
    sentence: str


class _Place(msgspec.Struct, frozen=True):
    city: str


async def probe(model: Model, prompts: Prompts | None = None) -> list[ProbeResult]:
    """What a model can do, by asking it. When it does not even answer, that is the only finding."""
    words = prompts or Prompts()
    started = time.monotonic()
    try:
        reply = await model.reply(_question(words, "hello"))
    except (ModelFailed, Infrastructure) as error:
        return [ProbeResult("answers", "missing", str(error))]
    found = [_answers(model, reply, time.monotonic() - started), _usage(reply)]
    for what, look in (("pictures", _pictures), ("tools", _tools), ("json", _json)):
        found.append(await _tried(what, look, model, words))
    return found


async def _tried(
    what: str, look: Callable[[Model, Prompts], Awaitable[ProbeResult]], model: Model, words: Prompts
) -> ProbeResult:
    try:
        return await look(model, words)
    except (ModelFailed, Infrastructure) as error:
        turned_down = f"a request with {what} is turned down: {error}"
        if what == "tools" and isinstance(error, ModelFailed):
            return ProbeResult(what, "unsure", f"{_NEED_TOOLS}; {turned_down}")
        return ProbeResult(what, "missing", turned_down)


def _answers(model: Model, reply: Reply, seconds: float) -> ProbeResult:
    if reply.ending == "refused":
        return ProbeResult(
            "answers", "unsure", f"{model.name} refused to say hello: {reply.text or 'it gave no reason'}"
        )
    if not reply.text.strip():
        return ProbeResult("answers", "unsure", f"{model.name} answered in {seconds:.1f} s, but with nothing")
    return ProbeResult("answers", "works", f"{model.name} answered in {seconds:.1f} s")


def _usage(reply: Reply) -> ProbeResult:
    tokens = reply.tokens
    if tokens is None:
        return ProbeResult("usage", "missing", "replies say nothing of the tokens they took, so costs stay unknown")
    price = "their price is unknown: name one in a price file" if reply.usage.cost is None else "their price is known"
    return ProbeResult("usage", "works", f"tokens are counted ({tokens.input} in, {tokens.output} out); {price}")


async def _pictures(model: Model, words: Prompts) -> ProbeResult:
    picture = Picture(number_picture(_NUMBER), Size(280, 160))
    reply = await model.reply(_question(words, "picture", picture))
    if _NUMBER in re.findall(r"\d+", reply.text):
        return ProbeResult("pictures", "works", "it read the number off a small picture")
    said_back = " ".join(reply.text.split())[:60]
    return ProbeResult(
        "pictures", "unsure", f"shown a picture of {_NUMBER} it said {said_back!r}: it may not see pictures"
    )


async def _tools(model: Model, words: Prompts) -> ProbeResult:
    shape = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = Tool("weather", "The weather in a city.", shape)
    reply = await model.reply(msgspec.structs.replace(_question(words, "tool"), tools=(tool,)))
    if any(call.name == "weather" and "city" in call.arguments for call in reply.calls):
        return ProbeResult("tools", "works", "it called a tool with the right arguments")
    return ProbeResult("tools", "unsure", f"offered a tool it called none; {_NEED_TOOLS}")


async def _json(model: Model, words: Prompts) -> ProbeResult:
    question = msgspec.structs.replace(
        _question(words, "json"),
        schema=answer_schema(_Place),
        sampling=Sampling(max_tokens=ROOM, json="schema"),
    )
    try:
        reply, held = await model.reply(question), True
    except (ModelFailed, Infrastructure):
        reply, held = await model.reply(_question(words, "json")), False
    try:
        msgspec.json.decode(reply.text.strip().removeprefix("```json").removesuffix("```"), type=_Place)
    except msgspec.MsgspecError:
        return ProbeResult("json", "unsure", "asked for JSON it wrote something else; questions will be asked again")
    how = "and can be held to a schema" if held else "though the service takes no schema"
    return ProbeResult("json", "works", f"it answers in JSON when asked to, {how}")


def _question(words: Prompts, name: str, *pictures: Picture) -> Request:
    text = words.get(f"models/probe_{name}").fill()
    return Request((said("user", *pictures, text),), sampling=Sampling(max_tokens=ROOM))


def number_picture(number: str) -> bytes:
    """A small picture of a number in big black strokes."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (280, 160), "white")
    draw = ImageDraw.Draw(picture)
    for place, digit in enumerate(number):
        for row, line in enumerate(_STROKES[digit]):
            for column, stroke in enumerate(line):
                x, y = 30 + place * 120 + column * 20, 30 + row * 20
                if stroke == "1":
                    draw.rectangle((x, y, x + 19, y + 19), fill="black")
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()
