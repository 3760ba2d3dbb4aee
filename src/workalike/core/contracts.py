"""The contracts: an agent and an environment, a benchmark with its sandbox, a verifier, and who does the work. Whoever
writes one of them imports this and no browser.

The loop that joins agent and environment is short:

    percept = await environment.reset(task)
    await agent.begin(task)
    while True:
        decision = await agent.decide(percept)
        taken = [await environment.act(action) for action in decision.actions]
        percept = await environment.observe(agent.wants, taken)

Around it stands the attempt: the benchmark's sandbox opens a session for a task, the session prepares the screen and
afterwards tells the facts that are stored with the trajectory, and verifiers judge what is stored.

Specs travel (between processes and machines), objects do not: what is named by an `AgentSpec` or a `VerifierSpec` is
made where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from workalike.core.actions import Action
from workalike.core.key import Key
from workalike.core.observation import ImageRef, Observation
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Trajectory, Usage
from workalike.core.verdict import Verdict

T_co = TypeVar("T_co", covariant=True)
On = Literal["browser", "desktop"]
"""Where an agent acts."""


class Wants(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent wants to see beyond a clean picture of the viewport."""

    picture: bool = True
    elements: bool = False
    tree: bool = False
    pointer: bool = False
    full_page: bool = False


class Percept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent is shown: the observation with its picture's bytes, what became of its last actions, and
    what else happened meanwhile."""

    observation: Observation
    picture: bytes | None = None
    taken: tuple[ActionResult, ...] = ()
    notices: tuple[Notice, ...] = ()
    tree: str | None = None


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent decided on one percept: actions, and the words it found for them. `notices` say what happened on
    the way (a reply that could not be read, a safety check acknowledged); they belong in the step's notices."""

    actions: tuple[Action, ...]
    reply: str | None = None
    observation_text: str | None = None
    thought: str | None = None
    action_text: str | None = None
    usage: Usage | None = None
    notices: tuple[Notice, ...] = ()


@runtime_checkable
class Environment(Protocol):
    """Where an agent acts. `act` never raises for what an agent may get wrong: the error stands in what it
    returns. It raises `Infrastructure` when the environment itself has broken."""

    async def reset(self, task: Task, wants: Wants = Wants()) -> Percept:
        """A fresh start on a task; what an earlier attempt did leaves no trace."""
        ...

    async def act(self, action: Action) -> ActionResult:
        """Carry one action out and wait until the screen has come to rest."""
        ...

    async def observe(self, wants: Wants = Wants(), taken: tuple[ActionResult, ...] = ()) -> Percept:
        """Look at the screen."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class Spot(msgspec.Struct, frozen=True):
    """What lies at a place: what it is and what it is called, `node` which of several it is, and the words `around` it:
    of all that it is part of, from the nearest outwards. A node only says something next to another."""

    role: str
    name: str = ""
    node: str = ""
    around: tuple[str, ...] = ()


class Glance(msgspec.Struct, frozen=True):
    """A look in passing. `window` is the tab or window in front, `page` what is open in it, `dialog` what stands before
    it: names to be compared with those of another glance, empty where they are not known."""

    window: str = ""
    page: str = ""
    dialog: str = ""
    spots: tuple[Spot | None, ...] = ()


@runtime_checkable
class Glancing(Protocol):
    """An environment that can be asked between two actions whether the screen is still the same. One that cannot is an
    environment, too; then the actions of one decision are carried out unchecked."""

    async def glance(self, places: tuple[Point, ...] = ()) -> Glance:
        """Which screen it is, and what lies at these places. It changes nothing, and raises nothing that `observe`
        would not."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Who acts. One instance serves one attempt."""

    name: str
    wants: Wants

    async def begin(self, task: Task) -> None:
        """Read the task; nothing has been seen yet."""
        ...

    async def decide(self, percept: Percept) -> Decision:
        """Look, and say what to do next."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class AgentSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """An agent as it is asked for: one of ours by name or one's own as MODULE:CLASS, the model behind it, and what
    both are made with."""

    name: str
    model: str | None = None
    sampling: dict[str, Any] = {}
    options: dict[str, Any] = {}


class Reach(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an attempt may reach: `hosts` of the benchmark's own, each served at an address of ours, and with `public`
    the public web, narrowed by `allow` (when given, only these) and `block`. Patterns are host names, with `*.` in
    front for a whole domain. Where the web is public, `guard` stops irreversible steps, except on hosts of one's own;
    those that `live` names are guarded all the same, such as a copy of a live site to rehearse on. `search` is where
    words typed into the address bar lead, with {query} in it.

    >>> Reach(hosts={"*.town.localhost": "127.0.0.1:8080"}).public
    False
    """

    hosts: dict[str, str] = {}
    public: bool = False
    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    guard: bool = True
    live: tuple[str, ...] = ()
    search: str | None = None


@runtime_checkable
class ScreenAccess(Protocol):
    """The screen of an attempt as a session may handle it, beyond what an agent can: nothing of this is seen by the
    agent or written as a step. `display` is that of a desktop."""

    @property
    def display(self) -> str | None: ...

    async def evaluate(self, script: str) -> Any:
        """What a JavaScript expression gives on the page in front, in the page's own world, as plain JSON; a promise
        is waited for. Raises `ActionFailed` on a desktop, where there is no page, and for a script that throws."""
        ...


class Session(Protocol):
    """One attempt in a sandbox: the task as the environment is to begin it (its first address may carry a token that
    the agent is not told), and the headers by which a model's server on this machine tells attempts apart."""

    task: Task
    headers: dict[str, str]

    async def prepare(self, screen: ScreenAccess) -> bool:
        """Bring the first screen to where the task begins, before the agent sees it: some pages must be started.
        True when that was done, and the screen is to be looked at anew."""
        ...

    async def facts(self, screen: ScreenAccess) -> dict[str, Any]:
        """What is known afterwards, as plain JSON (rows that changed, a reward read off the page), asked before the
        environment closes. It is stored with the attempt, in `Trajectory.extra`."""
        ...


class Sandbox(Protocol):
    """What all attempts of a run share, and what they may reach."""

    reach: Reach

    def session(self, task: Task, key: Key) -> AbstractAsyncContextManager[Session]:
        """A state of its own for one attempt, for as long as this is open."""
        ...


class Benchmark(Protocol):
    """Tasks with keys, where their attempts happen, and who judges them: names of verifiers, or one's own as
    MODULE:NAME."""

    @property
    def name(self) -> str: ...

    @property
    def on(self) -> On: ...

    @property
    def verifiers(self) -> tuple[str, ...]: ...

    def tasks(self, options: Mapping[str, Any]) -> Iterable[tuple[Task, Key]]:
        """The tasks, in their order. `options` are those given with --set NAME=VALUE."""
        ...

    def sandbox(self) -> AbstractAsyncContextManager[Sandbox]:
        """What attempts act on, for as long as this is open: a server of one's own, the town, the public web."""
        ...


@runtime_checkable
class PictureSource(Protocol):
    """Pictures by reference. A picture that is missing, or is not the one its hash names, is `Damaged`."""

    def read(self, ref: ImageRef) -> bytes:
        """The picture's bytes, as it was encoded."""
        ...

    def has(self, ref: ImageRef) -> bool:
        """Whether it can be read, told without reading it."""
        ...


KeyPart = Literal["none", "rubric", "all"]
"""How much of a key a verifier may see."""


class Needs(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a verifier judges by, besides the trajectory: how much of the key, whether pictures, whether a model."""

    key: KeyPart = "none"
    pictures: bool = False
    model: bool = False


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is to be judged: a trajectory, ours or imported, and as much of its task's key as the verifier needs. None
    where there is no key, or where it may see none. What the session knew stands in `trajectory.extra`."""

    trajectory: Trajectory
    key: Key | None = None

    @property
    def id(self) -> str:
        return self.trajectory.id


class VerifierSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verifier as it is asked for: one of ours by name or one's own as MODULE:NAME, the judge's model where it needs
    one, and what both are made with (`votes`, say)."""

    name: str
    model: str | None = None
    sampling: dict[str, Any] = {}
    options: dict[str, Any] = {}


@runtime_checkable
class Verifier(Protocol):
    """Who judges. One instance serves many cases, several at once.

    `settings` are what makes another layer of it (prompts' hashes, model, votes): plain JSON, the same for all that it
    judges, {} where nothing can differ. `needs` stands on the class. A class of one's own is made with the options of
    its spec by name; one that needs a model is also given `models`, who opens models (a
    `workalike.models.interface.ModelProvider`), and `model`, the name of the one to open."""

    name: str
    needs: Needs
    settings: dict[str, Any]

    def estimate(self, case: Case) -> Usage:
        """The most that judging it may take; `Usage()` where no model is asked."""
        ...

    async def judge(self, case: Case, pictures: PictureSource) -> Verdict:
        """Judge. What cannot be judged is `ungraded`, with the reason: a judge that failed is never an agent that
        failed. Raises `Infrastructure` when a service is to blame, and `OverBudget`; then it is tried anew."""
        ...


class Job(msgspec.Struct, frozen=True):
    """One keyed piece of work that can travel: its payload is plain data, and says all that whoever does it needs."""

    key: str
    payload: Any = None
    first_try: int = 0


class Sink(Protocol):
    """Where steps go as they are taken; a step is safe when `step` has come back."""

    async def step(self, step: Step, picture: bytes | None) -> None: ...


class Executor(Protocol[T_co]):
    """Who does jobs: this process, or others. `try_` is the number of the try; steps go to the sink as they are taken,
    where there is one. Raises `Infrastructure` for what is to be tried anew."""

    async def do(self, job: Job, try_: int, sink: Sink | None = None) -> T_co: ...


class Crew(Protocol):
    """Who does the jobs of an executor where they are done elsewhere, and may become more or fewer."""

    def room(self) -> AbstractAsyncContextManager[None]:
        """Waits until there is room for one more job, which is kept while the block lasts."""
        ...

    def standing(self) -> str:
        """How it stands, in a few words: nodes, workers, pace."""
        ...


class Reservation(Protocol):
    """What is held for something under way; what it really took is booked on it."""

    def spend(self, usage: Usage) -> None: ...


class Money(Protocol):
    """Who keeps the cap that everybody who pays shares: this process's budget, or a line to another's."""

    @property
    def in_dollars(self) -> bool:
        """Whether dollars are capped, so that a price must be known."""
        ...

    def binds(self, price: float | None) -> bool:
        """Whether the cap can ever be reached by calls of some price (that of a token, say)."""
        ...

    def reserve(self, most: Usage) -> AbstractAsyncContextManager[Reservation]:
        """Hold the most that something may take while it is under way. Waits while others hold too much; raises
        `OverBudget` where what is left cannot pay for it."""
        ...


@runtime_checkable
class Speaking(Protocol):
    """An agent that can be asked something in words, with nothing to act on. One that cannot is an agent, too."""

    async def say(self, question: str) -> Decision | None:
        """Answer in words alone: a decision without actions, or None where it has nothing to say."""
        ...
