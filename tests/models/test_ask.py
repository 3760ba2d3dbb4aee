"""Structured questions: read whatever is usable, ask again a bounded number of times, and count it all."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from tests.models.conftest import QUICK, Serve
from workalike.core.errors import ModelFailed
from workalike.models.ask import answer_schema, ask, read_answer
from workalike.models.keys import Keys
from workalike.models.messages import Request, SampleKey, Sampling, said
from workalike.models.served import Models
from workalike.models.wire.schemas import strict_schema


class Verdict(msgspec.Struct, frozen=True):
    outcome: Literal["success", "failure"]
    score: float
    notes: tuple[str, ...] = ()


class Tree(msgspec.Struct, frozen=True):
    name: str
    branches: tuple[Tree, ...] = ()


QUESTION = Request((said("user", "Did it work?"),))
GOOD = '{"outcome": "success", "score": 0.5}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Let me see. {{not json}} Well: {GOOD} That is all.",
        'First guess {"outcome": "failure", "score": 1}, but no: {"outcome": "success", "score": "0.5"}',
        '{"outcome": "success", "score": 0.5, "extra": {"score": 9}}',
        "[1, 2] " + GOOD,
    ],
)
def test_an_answer_is_found_among_words(text: str) -> None:
    assert read_answer(text, Verdict) == Verdict("success", 0.5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON"),
        ("yes", "no JSON"),
        ('{"outcome": "maybe", "score": 1}', "maybe"),
        ('{"outcome": "success"}', "score"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_answer(text, Verdict)


def test_a_schema_stands_on_its_own() -> None:
    schema = answer_schema(list[Verdict])
    assert schema["items"]["properties"]["outcome"] == {"enum": ["failure", "success"]}
    assert "$ref" not in str(schema)
    assert answer_schema(Tree)["properties"]["branches"]["items"] == {"type": "object"}


async def test_an_unusable_answer_is_asked_for_again_with_the_reason(serve: Serve) -> None:
    service = serve("No idea.", '{"outcome": "success", "score": "high"}', GOOD)
    async with Models(keys=Keys({}), limits=QUICK) as models:
        model = models.open(f"m@{service.v1}", sampling=Sampling(seed=3))
        answer = await ask(model, QUESTION, Verdict, draw=SampleKey(vote=1))
    assert (answer.value, answer.reasked) == (Verdict("success", 0.5), 2)
    counted = service.books.total
    assert (answer.usage.requests, answer.usage.input_tokens) == (3, counted.tokens.input)
    last = service.asked[-1].request.messages
    assert [message.role for message in last] == ["user", "assistant", "user", "assistant", "user"]
    assert "Expected `float`, got `str` - at `$.score`" in last[-1].text
    assert len({asked.request.sampling.seed for asked in service.asked}) == 3


async def test_asking_ends(serve: Serve) -> None:
    service = serve("No idea.")
    async with Models(keys=Keys({}), limits=QUICK) as models:
        with pytest.raises(ModelFailed, match="in 2 tries: there is no JSON in it"):
            await ask(models.open(f"m@{service.v1}"), QUESTION, Verdict, tries=2)
    assert len(service.asked) == 2


async def test_a_check_of_the_callers_own_counts_as_well(serve: Serve) -> None:
    service = serve('{"outcome": "success", "score": 7}', GOOD)
    async with Models(keys=Keys({}), limits=QUICK) as models:
        answer = await ask(
            models.open(f"m@{service.v1}"),
            QUESTION,
            Verdict,
            check=lambda verdict: "the score must be at most 1" if verdict.score > 1 else None,
        )
    assert answer.value.score == 0.5
    assert "the score must be at most 1" in service.asked[-1].request.messages[-1].text


@pytest.mark.parametrize("mode", ["object", "schema"])
async def test_a_service_can_be_asked_to_hold_the_model_to_the_schema(
    serve: Serve, mode: Literal["object", "schema"]
) -> None:
    service = serve(GOOD)
    async with Models(keys=Keys({}), limits=QUICK) as models:
        await ask(models.open(f"m@{service.v1}", sampling=Sampling(json=mode)), QUESTION, Verdict)
    got = service.asked[0].request
    assert got.sampling.json == mode
    assert got.schema == (strict_schema(answer_schema(Verdict)) if mode == "schema" else None)
