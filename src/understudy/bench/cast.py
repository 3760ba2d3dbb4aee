"""Agents by name, made for one try at one task."""

from __future__ import annotations

from collections.abc import Callable

from understudy.agents import families
from understudy.agents.idle import IdleAgent
from understudy.agents.random import RandomAgent
from understudy.bench.oracle import OracleAgent
from understudy.bench.plan import Plan
from understudy.bench.runner import Seat
from understudy.core.contracts import Agent
from understudy.core.errors import BadInput
from understudy.models.interface import Opens
from understudy.models.messages import Draw, read_sampling
from understudy.models.prompts import Prompts
from understudy.models.prompts import names as prompt_names

Make = Callable[[Seat], Agent]
WITHOUT_MODEL = ("oracle", "random", "idle")


def names() -> list[str]:
    """The agents there are."""
    return [*WITHOUT_MODEL, *families.names()]


def cast(plan: Plan, models: Opens, prompts: Prompts) -> Make:
    """Who makes the agents of a run; what cannot be made is said before anything starts."""
    if plan.agent not in names():
        raise BadInput(f"there is no agent {plan.agent!r}; there are {', '.join(names())}")
    if plan.agent not in WITHOUT_MODEL:
        return _asking(plan, models, prompts)
    if plan.model is not None:
        raise BadInput(f"the agent {plan.agent} asks no model; leave --model out")
    if plan.agent == "oracle" and plan.benchmark.partition("@")[0] != "town":
        raise BadInput("the oracle knows the town alone; name another agent, or run it on `town`")
    makers: dict[str, Make] = {
        "oracle": lambda seat: OracleAgent(seat.key),
        "random": lambda seat: RandomAgent(f"{plan.seed}/{seat.task.id}/{seat.repeat}"),
        "idle": lambda seat: IdleAgent(),
    }
    return makers[plan.agent]


def prompt_hashes(plan: Plan, prompts: Prompts) -> dict[str, str]:
    """The hashes of the prompts an agent may use, by name."""
    if plan.agent in WITHOUT_MODEL:
        return {}
    own = families.family(plan.agent, plan.options, prompts).name
    mine = [name for name in prompt_names() if name.startswith("agents/")]
    kept = [name for name in mine if name.count("/") == 1 or name.split("/")[1] in (own, "computer")]
    return {name: prompts.get(name).hash for name in kept}


def _asking(plan: Plan, models: Opens, prompts: Prompts) -> Make:
    if plan.model is None:
        raise BadInput(f"the agent {plan.agent} needs a model: --model openai/NAME, anthropic/NAME or NAME@http://…/v1")
    spec = plan.model
    family = families.family(plan.agent, plan.options, prompts)
    sampling = read_sampling(plan.sampling)

    def make(seat: Seat) -> Agent:
        model = models.open(spec, api=family.api, sampling=sampling, transcript=seat.transcript, headers=seat.headers)
        draw = Draw(repeat=seat.repeat, attempt=seat.try_)
        return families.model_agent(plan.agent, model, plan.options, prompts, draw)

    models.open(spec, api=family.api)  # a name, key or price that is missing is said now
    return make
