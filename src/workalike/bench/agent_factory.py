"""Agents by name, made for one try at one task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

import msgspec

from workalike import families
from workalike.agents.agent import model_agent
from workalike.agents.idle import IdleAgent
from workalike.agents.random import RandomAgent
from workalike.bench.answer_line import LINE_PROMPTS
from workalike.bench.attempt import nobody, user_for
from workalike.bench.flawed import FlawedOracle
from workalike.bench.gullible import GullibleAgent
from workalike.bench.oracle import OracleAgent
from workalike.bench.own import own_agent
from workalike.core.contracts import Agent, AgentSpec
from workalike.core.errors import BadInput
from workalike.core.key import Key
from workalike.core.task import Task
from workalike.models.by_hand import BY_HAND
from workalike.models.client import sdk_of
from workalike.models.interface import ModelProvider
from workalike.models.messages import SampleKey, read_sampling
from workalike.models.names import Api, key_of
from workalike.models.prompts import Prompts, prompt_names
from workalike.models.served import Models
from workalike.runtime.own import is_own
from workalike.store.names import safe_name
from workalike.town.refusals import obeying


class AttemptSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent is made for: one try at one repeat of one task. It can travel. The key is for the oracle alone;
    `transcript` is the file that a model's words go to, `headers` tell a server on this machine which attempt asks,
    `topic` tells a person who is the model what it is about."""

    task: Task
    key: Key | None = None
    repeat: int = 0
    try_: int = 0
    transcript: str | None = None
    headers: dict[str, str] = {}
    topic: str = ""


AgentFactory = Callable[[AttemptSpec], Agent]
WITHOUT_MODEL = ("oracle", "random", "idle", "flawed", "gullible", "obliging")
_COMPUTER_TOOLS: dict[Api, str] = {"responses": "openai", "messages": "anthropic"}
"""Whose computer tool it is that an agent speaks which needs this API."""


def names() -> list[str]:
    """The agents there are."""
    return [*WITHOUT_MODEL, *families.names()]


def check_name(name: str) -> None:
    """Refuse the name of an agent that there is not."""
    if name not in names() and not is_own(name):
        near = get_close_matches(name, names(), 1)
        meant = f": did you mean {near[0]}? There" if near else "; there"
        raise BadInput(f"there is no agent {name!r}{meant} are {', '.join(names())}, and your own as MODULE:CLASS")


def check_spec(spec: AgentSpec) -> None:
    """Refuse what no agent can be made of, as far as that can be told without making one."""
    need_use(spec.name, {"model": spec.model, "sampling": spec.sampling})
    if is_own(spec.name):
        return
    check_name(spec.name)
    if spec.name in WITHOUT_MODEL and spec.options:
        raise BadInput(f"the agent {spec.name} has no options: leave --option {', '.join(spec.options)} out")
    if spec.name not in WITHOUT_MODEL and spec.model is None:
        raise BadInput(
            f"the agent {spec.name} needs a model: --model openai/NAME, anthropic/NAME or NAME@http://…/v1; "
            f"on the town also --model oracle, with no key; or be it yourself, with --model {BY_HAND}"
        )
    read_sampling(spec.sampling)


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


def need_person(model: str | None, questions: object, given: Mapping[str, object]) -> None:
    """Refuse what is said about a service (by the option's name) where a person is the model, and a place for questions
    where none is."""
    if questions is not None and model != BY_HAND:
        raise BadInput(f"--questions is for a person as the model: name --model {BY_HAND}, or leave it out")
    useless = " ".join(f"--{name}" for name, value in given.items() if value is not None and value != {})
    if useless and model == BY_HAND:
        raise BadInput(f"--model {BY_HAND} asks a person, not a service: leave {useless} out")


def agent_factory(
    spec: AgentSpec,
    models: ModelProvider,
    prompts: Prompts,
    *,
    seed: int = 0,
    user: str = "nobody",
    town: bool = False,
    confirm: Callable[[str], bool] | None = None,
) -> AgentFactory:
    """Who makes the agents of a run, of `act` and of offline steps; what cannot be made is said before anything starts.
    `user` is who will answer them, `town` whether their keys are the town's, `confirm` who is asked before something
    that a model's service warns of."""
    check_spec(spec)
    if is_own(spec.name):
        make_own = own_agent(spec.name, spec.options)
        return lambda attempt: make_own()
    if spec.name not in WITHOUT_MODEL:
        return _asking(spec, models, prompts, user, confirm)
    if spec.name in ("oracle", "flawed", "gullible", "obliging") and not town:
        raise BadInput("the oracle knows the town alone; name another agent, or run it on `town`")
    makers: dict[str, AgentFactory] = {
        "oracle": lambda attempt: OracleAgent(attempt.key or Key(attempt.task.id)),
        "random": lambda attempt: RandomAgent(f"{seed}/{attempt.task.id}/{attempt.repeat}"),
        "idle": lambda attempt: IdleAgent(),
        "gullible": lambda attempt: GullibleAgent(attempt.key or Key(attempt.task.id)),
        "obliging": lambda attempt: OracleAgent(obeying(attempt.key or Key(attempt.task.id))),
        "flawed": lambda attempt: FlawedOracle(
            attempt.key or Key(attempt.task.id), f"{seed}/{attempt.task.id}/{attempt.repeat}"
        ),
    }
    return makers[spec.name]


def prompt_hashes(spec: AgentSpec, prompts: Prompts, answers: str = "free") -> dict[str, str]:
    """The hashes of the prompts an agent may use, by name; with those that ask for the answer's line."""
    if spec.name in WITHOUT_MODEL or is_own(spec.name):
        return {}
    own = families.family(spec.name, spec.options, prompts).name
    mine = [name for name in prompt_names() if name.startswith("agents/")]
    kept = [name for name in mine if name.count("/") == 1 or name.split("/")[1] in (own, "computer")]
    line = LINE_PROMPTS if answers == "line" else ()
    return {name: prompts.get(name).hash for name in (*kept, *line)}


def _asking(
    spec: AgentSpec, models: ModelProvider, prompts: Prompts, user: str, confirm: Callable[[str], bool] | None
) -> AgentFactory:
    assert spec.model is not None
    name = spec.model
    family = families.family(spec.name, spec.options, prompts)
    sampling = read_sampling(spec.sampling)

    def make(attempt: AttemptSpec) -> Agent:
        model = models.open(
            name,
            api=family.api,
            sampling=sampling,
            transcript=Path(attempt.transcript) if attempt.transcript else None,
            headers=attempt.headers,
            topic=attempt.topic or f"{safe_name(attempt.task.id)}/{attempt.repeat}.{attempt.try_}",
        )
        draw = SampleKey(repeat=attempt.repeat, attempt=attempt.try_)
        options = {"answers": user_for(user, attempt.task) is not nobody, **spec.options}
        return model_agent(spec.name, model, options, prompts, draw, confirm)

    if isinstance(models, Models):  # a person needs neither a key nor an SDK
        _need_service(spec.name, name, family.api, models)
    models.open(name, api=family.api)  # a name or price that is missing is said now
    return make


def _need_service(agent: str, spec: str, api: Api | None, models: Models) -> None:
    """Refuse a service that does not have the agent's computer tool, and one whose key or SDK is missing. A base
    address of the user's own may lead to anything."""
    service = spec.partition("/")[0]
    wanted = _COMPUTER_TOOLS.get(api, "") if api else ""
    elsewhere = service not in _COMPUTER_TOOLS.values() or models.keys.get(f"{service.upper()}_BASE_URL")
    if wanted and wanted != service and not elsewhere:
        raise BadInput(
            f"the agent {agent} works by the computer tool of {wanted}, which {spec} does not have: choose --agent "
            f"{service}, --agent som, or --model {wanted}/NAME"
        )
    endpoint = models.endpoint(spec, api)
    key_of(endpoint, models.keys)
    sdk_of(endpoint)
