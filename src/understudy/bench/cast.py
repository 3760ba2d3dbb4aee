"""Agents by name, made for one try at one task."""

from __future__ import annotations

from collections.abc import Callable

from understudy.agents.idle import IdleAgent
from understudy.agents.random import RandomAgent
from understudy.bench.oracle import OracleAgent
from understudy.bench.plan import Plan
from understudy.bench.runner import Seat
from understudy.core.contracts import Agent
from understudy.core.errors import BadInput

Make = Callable[[Seat], Agent]


def names() -> list[str]:
    """The agents there are."""
    return ["oracle", "random", "idle"]


def cast(plan: Plan) -> Make:
    """Who makes the agents of a run."""
    match plan.agent:
        case "oracle":
            if plan.benchmark.partition("@")[0] != "town":
                raise BadInput("the oracle knows the town alone; name another agent, or run it on `town`")
            return lambda seat: OracleAgent(seat.key)
        case "random":
            return lambda seat: RandomAgent(f"{plan.seed}/{seat.task.id}/{seat.repeat}")
        case "idle":
            return lambda seat: IdleAgent()
        case _:
            raise BadInput(f"there is no agent {plan.agent!r}; there are {', '.join(names())}")
