"""The server goes wrong on request, and the model's client copes with all of it."""

from __future__ import annotations

import pytest

from tests.models.conftest import Serve
from workalike.core.errors import BadInput
from workalike.models.asked import Asked
from workalike.models.client import ServiceLimits
from workalike.models.keys import Keys
from workalike.models.messages import Reply, Request, Text, ToolCall, said
from workalike.models.served import Models
from workalike.models.server.asked import Broken, Fault
from workalike.models.server.misbehaving import CODE, KINDS, Misbehaviour, misbehaving, scripted

ASKED = Asked("chat", "m", Request((said("user", "hi"),)))


async def outcomes(how: Misbehaviour, count: int) -> list[Reply | Fault]:
    answer = misbehaving(scripted([f"answer {n}" for n in range(count)]), how)
    return [await answer(Asked("chat", "m", ASKED.request, number=number)) for number in range(count)]


async def test_every_nth_request_goes_wrong_in_turn() -> None:
    got = await outcomes(Misbehaviour(("500", "empty"), every=2), 8)
    assert [type(each).__name__ for each in got[:2]] == ["Reply", "Broken"]
    assert got[3] == Reply(())
    assert got[5] == Broken(500)
    assert isinstance(got[6], Reply)


async def test_astray_moves_every_number_off() -> None:
    call = ToolCall("c", "computer", {"coordinate": [12, 34.5]})
    answer = misbehaving(scripted([Reply((Text("click (12, 34)"), call))]), Misbehaviour(("astray",), every=1))
    got = await answer(ASKED)
    assert isinstance(got, Reply)
    assert got.text == "click (99999, 99999)"
    assert got.calls[0].arguments == {"coordinate": [99999, 99999]}


async def test_a_loop_says_the_same_again() -> None:
    got = await outcomes(Misbehaviour(("loop",), every=2), 4)
    assert got[0] == got[1]
    assert got[1] != got[2]


async def test_the_books_agree_through_every_misbehaviour_at_once(serve: Serve) -> None:
    # A hanging service is tested elsewhere: on a slow machine a short patience would give up on good replies, too.
    how = Misbehaviour(tuple(kind for kind in KINDS if kind != "hang"), every=2, retry_after=0.01)
    service = serve(answer=misbehaving(scripted(["fine"]), how))
    limits = ServiceLimits(timeout=60.0, retries=5, first_wait=0.01, longest_wait=0.02)
    async with Models(keys=Keys({}), limits=limits) as models:
        model = models.open(f"m@{service.v1}")
        replies = [await model.reply(ASKED.request) for _ in range(16)]
    counted = service.books.total
    assert (model.usage.input_tokens, model.usage.output_tokens) == (counted.tokens.input, counted.tokens.output)
    assert (model.usage.requests, model.usage.unaccounted) == (counted.replies, counted.lost)
    assert sum(reply.usage.input_tokens for reply in replies) == counted.tokens.input
    assert counted.lost >= 2
    assert CODE in {reply.text for reply in replies}


def test_what_cannot_go_wrong_is_said() -> None:
    with pytest.raises(BadInput, match="cannot misbehave by sulking; it can by 429, 500, hang"):
        Misbehaviour(("429", "sulking"))
    with pytest.raises(BadInput, match="from 1 on"):
        Misbehaviour(("429",), every=0)
