"""Check somebody's own agent against the contract of `core/contracts.py`, on a real page, in plain words.

Each check is one promise of the contract; what breaks it is said in its text, with the remedy where there is one.
"""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar, get_args

import msgspec

from workalike.core.actions import Action, Click, points
from workalike.core.contracts import Agent, Decision, Environment, Percept, Wants
from workalike.core.errors import in_a_line
from workalike.core.screen import Point, Size
from workalike.core.task import Task
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

T = TypeVar("T")
PATIENCE = 120.0
LONGEST_STALL = 1.0
BEAT = 0.02
SMALL = BrowserSettings(viewport=Size(390, 844), scale=2.0)
_HOST = "practice.localhost"
_START = f"http://{_HOST}/"
_PAGES = {
    "/": """<title>Practice</title><h1>Practice</h1>
      <form action=/hello><label>Name <input name=name></label>
      <select name=colour aria-label=Colour><option>red<option>blue</select> <button>Send</button></form>
      <p><a href=/hello>Second page</a> <a href=/hello target=_blank>Second tab</a>
      <button onclick="alert('A dialog')">Dialog</button></p>
      <div style="height:2000px"></div><button>Far below</button>""",
    "/hello": "<title>Hello</title><h1>Hello</h1><a href=/>Back to the start</a>",
}
"""A site on loopback to try agents on: a form, a dialog, a second page, a second tab."""
TASK = Task("practice", "Write the name Ada into the form and send it.", start_url=_START, persona={"name": "Ada"})


class Check(msgspec.Struct, frozen=True):
    """One promise, whether it is kept, and what was found."""

    name: str
    passed: bool
    text: str = ""


class ConformanceReport:
    """Collects checks; a piece of work that raises is a check that failed."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def note(self, name: str, problem: str | None) -> bool:
        self.checks.append(Check(name, problem is None, problem or ""))
        return problem is None

    def note_all(self, problems: Mapping[str, str | None]) -> bool:
        """Several promises, each with what breaks it; whether all are kept."""
        kept = [self.note(name, problem) for name, problem in problems.items()]
        return all(kept)

    async def does(self, name: str, work: Awaitable[T], seconds: float = PATIENCE) -> T | None:
        """Whether something comes back at all; its result when it does."""
        try:
            async with asyncio.timeout(seconds):
                result = await work
        except TimeoutError:
            self.note(name, f"did not come back within {seconds:.0f} s")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.note(name, f"raised {in_a_line(error)} ({place.filename}, line {place.lineno})")
        else:
            self.note(name, None)
            return result
        return None


async def check_agent(make: Callable[[], Agent], steps: int = 3) -> list[Check]:
    """Check an agent: what it is, and what it does on ordinary and on awkward percepts."""
    report = ConformanceReport()
    try:
        agent = make()
    except Exception as error:
        report.note("can be made", f"raised {in_a_line(error)}; give its arguments with --set NAME=VALUE")
        return report.checks
    report.note("can be made", None)
    if report.note_all(shape_problems(agent)):
        async with _practice_site() as policy, Stage() as stage:
            environment = stage.environment(policy)
            began = await _attempt(report, agent, environment, steps)
            await environment.close()
            if began:
                await _awkward(report, make, agent.wants, stage.environment(policy, settings=SMALL))
    return report.checks


def shape_problems(agent: object) -> dict[str, str | None]:
    """What an agent must have, each with what is wrong with it."""
    name, wants = getattr(agent, "name", None), getattr(agent, "wants", None)
    problems = {
        "has a name": None if isinstance(name, str) and name else "`name` must be a text that is not empty",
        "says what it wants to see": None if isinstance(wants, Wants) else "`wants` must be a `Wants`",
    }
    for method in ("begin", "decide", "close"):
        right = inspect.iscoroutinefunction(getattr(agent, method, None))
        problems[f"has {method}"] = None if right else f"`{method}` must be written `async def {method}(…)`"
    return problems


async def _attempt(report: ConformanceReport, agent: Agent, environment: Environment, steps: int) -> bool:
    """A few real steps on the practice site, as a run would take them; False if it did not even begin."""
    percept = await environment.reset(TASK, agent.wants)
    before = len(report.checks)
    await report.does("begins", agent.begin(TASK))
    if not report.checks[before].passed:
        return False
    decisions: list[Decision] = []
    stalls: list[float] = []
    for number in range(1, steps + 1):
        async with _pulse(stalls):
            decision = await report.does(f"decides, step {number}", agent.decide(percept))
        if decision is None or not is_decision(report, decision, number):
            break
        decisions.append(decision)
        taken = tuple([await environment.act(action) for action in decision.actions])
        percept = await environment.observe(agent.wants, taken)
    report.note("lets others work meanwhile", _stall_problem(max(stalls, default=0.0)))
    if decisions:
        _are_sound(report, decisions)
    await report.does("closes", agent.close())
    await report.does("closes a second time", agent.close())
    return True


def is_decision(report: ConformanceReport, decision: object, number: int) -> bool:
    """Whether what came back from `decide` can be carried out."""
    return report.note(f"returns a decision, step {number}", decision_problem(decision))


def decision_problem(decision: object) -> str | None:
    """Why what came back from `decide` cannot be carried out."""
    if not isinstance(decision, Decision):
        return f"`decide` must return a `Decision`, not {type(decision).__name__}"
    if not isinstance(decision.actions, tuple):
        return f"`actions` must be a tuple, not {type(decision.actions).__name__}"
    if not decision.actions:
        return "a decision without actions leads nowhere: wait, or terminate"
    strange = [one for one in decision.actions if not isinstance(one, get_args(Action))]
    return f"{strange[0]!r} is no action of `workalike.core.actions`" if strange else None


def _are_sound(report: ConformanceReport, decisions: list[Decision]) -> None:
    off = [point for one in decisions for action in one.actions for point in points(action) if not point.on_screen]
    report.note(
        "points at the screen", f"{off[0]} is off the screen: points are fractions from 0 to 1" if off else None
    )
    written = [msgspec.json.decode(msgspec.json.encode(one), type=Decision) for one in decisions]
    same = written == decisions
    report.note("can be written down", None if same else "a decision read back from JSON differs from the one written")


async def _awkward(
    report: ConformanceReport, make: Callable[[], Agent], wants: Wants, environment: Environment
) -> None:
    """Percepts that every long run shows sooner or later; each meets a fresh agent."""
    blank = await environment.reset(Task("blank", "Nothing to do"), wants)
    failed = await environment.act(Click(Point(2, 2)))
    cases = {
        "an empty page on a small screen": blank,
        "a task without words": blank,
        "an action that failed": await environment.observe(wants, (failed,)),
        "an open dialog": await _at_dialog(environment, wants),
    }
    await environment.close()
    for name, percept in cases.items():
        task = Task("bare", "") if "without words" in name else TASK
        await report.does(f"copes with {name}", _cope(make, task, percept))


async def _cope(make: Callable[[], Agent], task: Task, percept: Percept) -> None:
    agent = make()
    await agent.begin(task)
    await agent.decide(percept)
    await agent.close()


async def _at_dialog(environment: Environment, wants: Wants) -> Percept:
    percept = await environment.reset(TASK, Wants(elements=True))
    button = next(one for one in percept.observation.elements or () if one.name == "Dialog")
    assert button.box is not None
    taken = await environment.act(Click(button.box.centre))
    return await environment.observe(wants, (taken,))


def _stall_problem(stall: float) -> str | None:
    if stall <= LONGEST_STALL:
        return None
    return f"the event loop stood still for {stall:.1f} s: await instead of blocking, or use asyncio.to_thread"


@asynccontextmanager
async def _pulse(stalls: list[float]) -> AsyncIterator[None]:
    """Notes how long the event loop stood still, beat by beat, apart from waiting for a core to run on."""
    clock = asyncio.get_running_loop().time
    ended = False

    async def beat() -> None:
        while not ended:
            start, queued = clock(), _queued()
            await asyncio.sleep(BEAT)
            stalls.append(clock() - start - BEAT - (_queued() - queued))

    beating = asyncio.create_task(beat())
    await asyncio.sleep(0)  # let the first beat begin
    try:
        yield
    finally:
        ended = True
        await beating  # a stall that has just ended is only now seen


def _queued() -> float:
    """How long this thread has been ready to run while others had the cores, in seconds; 0 where nobody counts it."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


@asynccontextmanager
async def _practice_site() -> AsyncIterator[Policy]:
    """Serve the practice site; yields the policy that lets a browser reach it and nothing else."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    try:
        yield Policy(hosts={_HOST: f"127.0.0.1:{server.sockets[0].getsockname()[1]}"})
    finally:
        server.close()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError, IndexError):
        head = await reader.readuntil(b"\r\n\r\n")
        if f"\r\nhost: {_HOST}\r\n".encode() not in head.lower():
            raise ConnectionRefusedError("a page elsewhere calls it by another name")
        path = head.split(b" ", 2)[1].decode("latin-1").partition("?")[0]
        body = ("<!doctype html><meta charset=utf-8>" + _PAGES.get(path, "<title>Nothing</title>")).encode()
        status = b"200 OK" if path in _PAGES else b"404 Not Found"
        writer.write(
            b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            % (status, len(body), body)
        )
        await writer.drain()
    writer.close()
