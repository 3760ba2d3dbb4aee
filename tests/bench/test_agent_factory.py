"""Agents made for an attempt know who would answer them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workalike.agents.agent import ModelAgent
from workalike.bench.agent_factory import AttemptSpec, agent_factory
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.models.keys import Keys
from workalike.models.prompts import Prompts
from workalike.models.served import Models
from workalike.store.config import RunConfig

ADA = {"name": "Ada"}


@pytest.mark.parametrize(
    ("user", "persona", "answers"),
    [("nobody", ADA, False), ("canned", {}, True), ("persona", ADA, True), ("persona", {}, False)],
)
async def test_an_agent_knows_whether_somebody_answers(
    user: str, persona: dict[str, str], answers: bool, tmp_path: Path
) -> None:
    config = RunConfig(benchmark="town", agent="som", model="m@http://127.0.0.1:9/v1", user=user)
    async with Models(keys=Keys({})) as models:
        make = agent_factory(config.spec, models, Prompts(), user=user)
        agent = make(AttemptSpec(Task("t", "go", persona=persona), Key("t"), 1, 1, str(tmp_path / "transcript.jsonl")))
        assert isinstance(agent, ModelAgent)
        assert agent.family.settings.answers is answers
        await agent.close()
