"""Agents by name, made for one try at one task."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workalike.agents import families
from workalike.agents.idle import IdleAgent
from workalike.agents.random import RandomAgent
from workalike.bench.oracle import OracleAgent
from workalike.bench.own import is_own, own_agent
from workalike.bench.plan import Plan
from workalike.bench.runner import Seat
from workalike.core.contracts import Agent
from workalike.core.errors import BadInput
from workalike.models.interface import Opens
from workalike.models.keys import Keys
from workalike.models.line import sdk_of
from workalike.models.messages import Draw, read_sampling
from workalike.models.names import Api, key_of, resolve
from workalike.models.prompts import Prompts
from workalike.models.prompts import names as prompt_names
from workalike.models.served import Models

Make = Callable[[Seat], Agent]
WITHOUT_MODEL = ("oracle", "random", "idle")
_COMPUTER_TOOLS: dict[Api, str] = {"responses": "openai", "messages": "anthropic"}
"""Whose computer tool it is that an agent speaks which needs this API."""


def names() -> list[str]:
    """The agents there are."""
    return [*WITHOUT_MODEL, *families.names()]


def check_name(name: str) -> None:
    """Refuse the name of an agent that there is not."""
    if name not in names() and not is_own(name):
        known = ", ".join(names())
        raise BadInput(f"there is no agent {name!r}; there are {known}, and your own as MODULE:CLASS")


def need_use(agent: str, given: Mapping[str, object]) -> None:
    """Refuse what is said about a model (by the option's name) where an agent asks none that is ours to open."""
    useless = " ".join(f"--{name}" for name, value in given.items() if value is not None and value != {})
    if useless and is_own(agent):
        raise BadInput(
            f"{agent} opens its model itself, beyond the reach of {useless}: leave {useless} out, and hand over what "
            "the agent needs with --option NAME=VALUE"
        )
    if useless and agent in WITHOUT_MODEL:
        raise BadInput(f"the agent {agent} asks no model: leave {useless} out")


def cast(plan: Plan, models: Opens, prompts: Prompts) -> Make:
    """Who makes the agents of a run; what cannot be made is said before anything starts."""
    need_use(plan.agent, {"model": plan.model, "sampling": plan.sampling})
    if is_own(plan.agent):
        make_own = own_agent(plan.agent, plan.options)
        return lambda seat: make_own()
    check_name(plan.agent)
    if plan.agent not in WITHOUT_MODEL:
        return _asking(plan, models, prompts)
    if plan.options:
        raise BadInput(f"the agent {plan.agent} has no options: leave --option {', '.join(plan.options)} out")
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
    if plan.agent in WITHOUT_MODEL or is_own(plan.agent):
        return {}
    own = families.family(plan.agent, plan.options, prompts).name
    mine = [name for name in prompt_names() if name.startswith("agents/")]
    kept = [name for name in mine if name.count("/") == 1 or name.split("/")[1] in (own, "computer")]
    return {name: prompts.get(name).hash for name in kept}


def _asking(plan: Plan, models: Opens, prompts: Prompts) -> Make:
    if plan.model is None:
        raise BadInput(
            f"the agent {plan.agent} needs a model: --model openai/NAME, anthropic/NAME or NAME@http://…/v1; "
            "on the town also --model oracle, with no key"
        )
    spec = plan.model
    family = families.family(plan.agent, plan.options, prompts)
    sampling = read_sampling(plan.sampling)

    def make(seat: Seat) -> Agent:
        model = models.open(spec, api=family.api, sampling=sampling, transcript=seat.transcript, headers=seat.headers)
        draw = Draw(repeat=seat.repeat, attempt=seat.try_)
        return families.model_agent(plan.agent, model, plan.options, prompts, draw)

    if isinstance(models, Models):  # by hand, nobody is asked
        _need_service(plan.agent, spec, family.api, models.keys)
    models.open(spec, api=family.api)  # a name or price that is missing is said now
    return make


def _need_service(agent: str, spec: str, api: Api | None, keys: Keys) -> None:
    """Refuse a service that does not have the agent's computer tool, and one whose key or SDK is missing. A base
    address of the user's own may lead to anything."""
    service = spec.partition("/")[0]
    wanted = _COMPUTER_TOOLS.get(api, "") if api else ""
    elsewhere = service not in _COMPUTER_TOOLS.values() or keys.get(f"{service.upper()}_BASE_URL")
    if wanted and wanted != service and not elsewhere:
        raise BadInput(
            f"the agent {agent} works by the computer tool of {wanted}, which {spec} does not have: choose --agent "
            f"{service}, --agent som, or --model {wanted}/NAME"
        )
    endpoint = resolve(spec, keys, api)
    key_of(endpoint, keys)
    sdk_of(endpoint)
