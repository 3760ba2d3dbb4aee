"""Schemas that services can hold a model to: closed, complete, without bounds; or none at all."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from workalike.models.ask import answer_schema
from workalike.models.fences import Fence
from workalike.models.messages import Request, Sampling, said
from workalike.models.names import Endpoint
from workalike.models.wire import anthropic, chat, responses
from workalike.models.wire.schemas import strict_schema

UNSUPPORTED = {"minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems", "pattern"}


class Item(msgspec.Struct, frozen=True):
    points: Annotated[float, msgspec.Meta(ge=0, le=10, description="how many")]
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=500)] = ""


class Judged(msgspec.Struct, frozen=True):
    outcome: Literal["success", "failure", None]
    items: Annotated[tuple[Item, ...], msgspec.Meta(min_length=1)] = ()
    note: str | None = None
    best: Item | None = None
    times: Annotated[int, msgspec.Meta(gt=0)] = 1


class Tree(msgspec.Struct, frozen=True):
    branches: tuple[Tree, ...] = ()


class Open(msgspec.Struct, frozen=True):
    counts: dict[str, int]


class Anything(msgspec.Struct, frozen=True):
    value: Any


def parts(schema: Any) -> list[dict[str, Any]]:
    """Every schema within a schema, itself included."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema["items"]] if "items" in schema else []
    return [schema, *(part for each in inner for part in parts(each))]


def test_every_object_is_closed_and_complete_and_no_bound_is_left() -> None:
    schema = strict_schema(answer_schema(Judged))
    assert schema is not None
    found = parts(schema)
    assert len(found) > 10
    for part in found:
        assert not UNSUPPORTED & set(part)
        assert "type" in part or "anyOf" in part
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
    points = schema["properties"]["items"]["items"]["properties"]["points"]
    assert points == {"type": "number", "description": "how many (minimum 0, maximum 10)"}
    assert schema["properties"]["outcome"]["anyOf"] == [
        {"type": "null", "enum": [None]},
        {"type": "string", "enum": ["failure", "success"]},
    ]


@pytest.mark.parametrize("kind", [Tree, Open, Anything, list[int], dict[str, int]])
def test_what_is_wider_than_services_take_is_not_narrowed(kind: type) -> None:
    assert strict_schema(answer_schema(kind)) is None


def test_each_api_gets_what_it_can_hold_a_model_to() -> None:
    def bodies(kind: type) -> tuple[Any, Any, Any]:
        request = Request((said("user", "?"),), sampling=Sampling(json="schema"), schema=answer_schema(kind))
        place = Endpoint("m", "m", "chat", "http://x/v1", "K")
        asked, answered, judged = (wire.body(request, place, Fence()) for wire in (chat, responses, anthropic))
        return asked["response_format"]["json_schema"], answered["text"]["format"], judged.get("output_config")

    strict = strict_schema(answer_schema(Judged))
    in_chat, in_responses, in_messages = bodies(Judged)
    assert (in_chat["strict"], in_responses["strict"]) == (True, True)
    assert in_chat["schema"] == in_responses["schema"] == in_messages["format"]["schema"] == strict
    in_chat, in_responses, in_messages = bodies(Open)
    assert (in_chat["strict"], in_responses["strict"], in_messages) == (False, False, None)
    assert in_chat["schema"] == in_responses["schema"] == answer_schema(Open)
