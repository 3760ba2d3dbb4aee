"""Check somebody's own environment against the contract: what it shows, what it tells, what it must not raise."""

from __future__ import annotations

from collections.abc import Callable

from workalike.core.actions import (
    Action,
    Ask,
    Back,
    Click,
    Hotkey,
    Memorize,
    Move,
    Opaque,
    Press,
    ReadPage,
    Scroll,
    SwitchTab,
    Terminate,
    Visit,
    Wait,
    Write,
)
from workalike.core.contracts import Environment, Percept, Wants
from workalike.core.errors import WorkalikeError, in_a_line
from workalike.core.observation import ImageRef
from workalike.core.screen import Point
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult
from workalike.env.conformance import Check, ConformanceReport

TASK = Task("practice", "Look around.")
_MISTAKES: dict[str, Action] = {
    "a click off the screen": Click(Point(1.5, -0.2)),
    "an action that could not be read": Opaque("???"),
    "a key that does not exist": Press(("no such key",)),
}
_ORDINARY: tuple[Action, ...] = (
    *(Move(Point(0.5, 0.5)), Click(Point(0.99, 0.99)), Scroll(dy=1, at=Point(0.5, 0.5)), Write("a"), Press(("tab",))),
    *(Hotkey(("ctrl", "a")), Wait(0), Back(), SwitchTab(0), Visit("about:blank"), ReadPage()),
)
_WORDS: tuple[Action, ...] = (Memorize("a fact"), Ask("really?"), Terminate("success", "42"))


async def check_environment(make: Callable[[], Environment]) -> list[Check]:
    """Check an environment from its first percept to its end."""
    report = ConformanceReport()
    try:
        environment = make()
    except Exception as error:
        report.note("can be made", f"raised {in_a_line(error)}; give its arguments with --set NAME=VALUE")
        return report.checks
    report.note("can be made", None)
    if not report.note("has reset, act, observe and close", _shape_problem(environment)):
        return report.checks
    percept = await report.does("starts", environment.reset(TASK, Wants(elements=True)))
    if isinstance(percept, Percept):
        _check_sight(report, percept)
        await _check_looking(report, environment)
        await _check_acting(report, environment)
        await _check_restart(report, environment)
    else:
        report.note("shows a percept", f"`reset` must return a `Percept`, not {type(percept).__name__}")
    await report.does("closes", environment.close())
    await report.does("closes a second time", environment.close())
    return report.checks


def _shape_problem(environment: object) -> str | None:
    return None if isinstance(environment, Environment) else "one of these methods is missing"


def _check_sight(report: ConformanceReport, percept: Percept) -> None:
    seen, picture = percept.observation, percept.picture
    report.note("says how large the screen is", None if seen.size else "`observation.size` is missing")
    if picture is None or seen.picture is None:
        report.note(
            "shows a picture", "a picture was wanted: `percept.picture` and `observation.picture` must be there"
        )
    else:
        named = ImageRef.of(picture).name == seen.picture.name
        report.note(
            "names the picture by its content", None if named else "`observation.picture` must be ImageRef.of(bytes)"
        )
    listed = seen.elements is not None
    report.note("lists elements when they are wanted", None if listed else "`observation.elements` is None")
    boxes = [one.box for one in seen.elements or () if one.box is not None]
    off = [box for box in boxes if box.x < -0.001 or box.y < -0.001 or box.right > 1.001 or box.bottom > 1.001]
    report.note("gives boxes as fractions", f"{off[0]} reaches over the screen" if off else None)


async def _check_looking(report: ConformanceReport, environment: Environment) -> None:
    blind = await report.does("can be asked without a picture", environment.observe(Wants(picture=False)))
    if blind is not None:
        spared = blind.picture is None and blind.observation.elements is None
        report.note("shows only what is wanted", None if spared else "nothing was wanted, and something was shown")
    taken = ActionResult(Wait(0))
    shown = await report.does("can be asked with what was done", environment.observe(Wants(), (taken,)))
    if shown is not None:
        report.note(
            "hands on what was done", None if shown.taken == (taken,) else "`taken` must come back in the percept"
        )


async def _check_acting(report: ConformanceReport, environment: Environment) -> None:
    for words, action in _MISTAKES.items():
        taken = await report.does(f"survives {words}", environment.act(action))
        if taken is not None:
            report.note(f"tells of {words}", None if taken.error else "`error` must say what went wrong")
    for action in _WORDS:
        taken = await report.does(f"leaves {type(action).__name__} to others", environment.act(action))
        if taken is not None and (taken.error or taken.action != action):
            report.note(f"hands {type(action).__name__} back", "an action of the conversation must come back as it was")
    times = []
    for action in _ORDINARY:
        taken = await report.does(f"takes {type(action).__name__}", environment.act(action))
        if taken is not None:
            times += [taken.start, taken.end]
    known = [time for time in times if time is not None]
    ordered = len(known) == len(times) and known == sorted(known)
    report.note("keeps one clock", None if ordered else "`start` and `end` must be there and never go back")


async def _check_restart(report: ConformanceReport, environment: Environment) -> None:
    again = await report.does("starts anew", environment.reset(TASK))
    if again is None:
        return
    time = again.observation.time
    report.note(
        "restarts its clock", None if time is None or time < 60 else f"a fresh start was told to be at {time:.0f} s"
    )
    await environment.close()
    try:
        await environment.act(Wait(0))
    except WorkalikeError:
        report.note("says when it is closed", None)
    except Exception as error:
        report.note("says when it is closed", f"`act` raised {type(error).__name__}; raise `Infrastructure` instead")
    else:
        report.note("says when it is closed", "`act` on a closed environment must raise `Infrastructure`")
