"""A trajectory done again: its actions in a fresh environment, and how far what is seen then agrees with what was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from workalike.bench.attempt import attempt
from workalike.bench.journal import AttemptJournal
from workalike.bench.stale import NOT_DONE
from workalike.core.actions import Action, Terminate
from workalike.core.contracts import Decision, Environment, Percept, Session, Wants
from workalike.core.observation import Observation
from workalike.core.program import Program, stored
from workalike.core.provenance import Provenance, fingerprint
from workalike.core.task import Task
from workalike.core.trajectory import ActionResult, Notice, Step, Trajectory
from workalike.env.policy.reach import target_of
from workalike.pictures.codec import decode
from workalike.pictures.similar import near_duplicate
from workalike.store.config import AttemptLimits
from workalike.store.pictures import FirstOf, PictureSource
from workalike.store.trajectories import FILE, read_trajectory
from workalike.verify import state

_FOLDERS = re.compile(r"(?:~|(?<![\w.]))/(?:[^\s/]+/)+")
_MOSTLY = 0.8


class ReplayAgent:
    """Does what a trajectory did, step by step, and then stops. What was not carried out then is not now."""

    name = "replay"

    def __init__(self, trajectory: Trajectory) -> None:
        self.wants = Wants(elements=any(step.observation.elements is not None for step in trajectory.steps))
        self._steps: Iterator[Decision] = iter(
            [
                Decision(_done(step), thought=step.thought, action_text=step.action_text)
                for step in trajectory.steps
                if step.actions
            ]
        )

    async def begin(self, task: Task) -> None:
        pass

    async def decide(self, percept: Percept) -> Decision:
        return next(self._steps, Decision((Terminate("success"),)))

    async def close(self) -> None:
        pass


def _done(step: Step) -> tuple[Action, ...]:
    return tuple(taken.action for taken in step.actions if not (taken.error or "").startswith(NOT_DONE))


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """One percept of the original beside that of the replay. `alike` is None where there are no pictures to compare,
    and does not count where both screens have `told` in words what they show; a page that was `refused` is nowhere,
    whatever its address; `notices` are what the replay was told."""

    step: int
    same_place: bool
    alike: bool | None
    error: str | None = None
    refused: bool = False
    notices: tuple[str, ...] = ()
    told: bool = False


def compare(
    one: Trajectory, two: Trajectory, alike: Callable[[Observation, Observation], bool | None]
) -> list[Compared]:
    """The two side by side, up to the shorter one's end; the final percepts last."""
    rows: list[Compared] = []
    refused: set[str] = set()

    def add(was: Observation, now: Observation, notices: Sequence[Notice], error: str | None, hit_same: bool) -> None:
        refused.update(notice.text.partition(": ")[0] for notice in notices if notice.kind == "refused")
        shut = target_of(now.url or "") in refused
        looks, told = alike(was, now), None
        place = _place(was) == _place(now)
        if was.kind == "desktop":
            told = says_the_same(was, now)
            place = looks is True if told is None else told
        same, notes = place and hit_same and not shut, tuple(notice.text for notice in notices)
        rows.append(Compared(len(rows), same, looks, error, shut, notes, told=told is not None))

    steps = [[step for step in each.steps if step.actions] for each in (one, two)]
    for was, now in zip(*steps, strict=False):
        errors = [taken.error for taken in now.actions if taken.error]
        hits = zip(was.actions, now.actions, strict=False)
        same = was.observation.kind != "desktop" or all(_hit_the_same(*pair) for pair in hits)
        add(was.observation, now.observation, now.notices, errors[0] if errors else None, same)
    if one.final and two.final:
        add(one.final, two.final, two.notices, None, True)
    return rows


def says_the_same(was: Observation, now: Observation) -> bool | None:
    """Whether two screens of a desktop say the same: the title of the window in front and, where both list them, the
    elements. None when neither says anything: an empty desktop is no place one could be at."""
    if not was.window and not now.window and not (was.elements and now.elements):
        return None
    if _bare(was.window or "") != _bare(now.window or ""):
        return False
    if was.elements is None or now.elements is None:
        return True
    told, tells = (
        {(each.role, _bare(each.name)) for each in seen.elements or () if each.name.strip()} for seen in (was, now)
    )
    return len(told & tells) >= _MOSTLY * len(told | tells)


def _hit_the_same(was: ActionResult, now: ActionResult) -> bool:
    """Whether an action went to the same thing, as far as both know what they went to."""
    if was.hit is None or now.hit is None or not was.hit.name or not now.hit.name:
        return True
    return (was.hit.role, _bare(was.hit.name)) == (now.hit.role, _bare(now.hit.name))


def _bare(text: str) -> str:
    """What a screen says without the folders that a file is said to lie in: every desktop has a home of its own.

    >>> _bare("*/tmp/workalike-desktop-x1/work/notes.txt - Mousepad")
    '*notes.txt - Mousepad'
    """
    return _FOLDERS.sub("", text)


def _place(observation: Observation) -> str:
    """Where an observation is, without the parts of an address that differ from visit to visit."""
    parts = urlsplit(observation.url or "")
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if observation.url else observation.window or ""


class Replayed(msgspec.Struct, frozen=True):
    """What came of a replay: where it lies, the comparison, and whether the same rows changed (None: nobody knows)."""

    path: str
    compared: tuple[Compared, ...]
    same_changes: bool | None = None

    @property
    def agrees(self) -> bool:
        """Whether it went the same way to the same end. On the way a picture may differ (a list that had not opened
        yet); at the end it may not."""
        way = all(each.same_place and not each.error for each in self.compared)
        end = not self.compared or self.compared[-1].told or self.compared[-1].alike is not False
        return way and end and self.same_changes is not False


async def replay(
    original: Trajectory,
    environment: Environment,
    folder: Path,
    pictures: PictureSource,
    session: Session | None = None,
    programs: Sequence[Program] = (),
) -> Replayed:
    """Do a trajectory again in an environment; the replay is written into a folder as a trajectory of its own."""
    provenance = Provenance("workalike replay", inputs={"trajectory": fingerprint(original)})
    named, limits = f"replay of {original.id}", AttemptLimits(steps=len(original.steps) + 1)
    with AttemptJournal.create(folder, named, original.task, provenance, stored(programs)) as journal:
        try:
            end = await attempt(
                ReplayAgent(original), environment, original.task, journal, limits, _deaf, session, watchful=False
            )
        finally:
            await environment.close()
        journal.end(end)
    again = read_trajectory(folder / FILE).trajectory
    both = FirstOf(journal.pictures, pictures)
    rows = tuple(compare(original, again, lambda was, now: _alike(was, now, both)))
    return Replayed(str(folder / FILE), rows, _same_changes(original, again))


def _deaf(question: str) -> str | None:
    """In a replay nobody is asked: the answers are in the actions that followed."""
    return ""


def _alike(was: Observation, now: Observation, pictures: PictureSource) -> bool | None:
    if was.picture is None or now.picture is None or not pictures.has(was.picture):
        return None
    first, second = (decode(pictures.read(each)) for each in (was.picture, now.picture))
    return first.size == second.size and near_duplicate(first, second)


def _same_changes(one: Trajectory, two: Trajectory) -> bool | None:
    if state.CHANGES not in one.extra or state.CHANGES not in two.extra:
        return None
    return bool(one.extra[state.CHANGES] == two.extra[state.CHANGES])
