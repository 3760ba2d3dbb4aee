"""A trajectory done again: its actions in a fresh environment, and how far what is seen then agrees with what was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from workalike.bench.attempt import Limits, StoredSink, attempt
from workalike.bench.ground import Stay
from workalike.core.actions import Terminate
from workalike.core.contracts import Decision, Environment, Sight, Wants
from workalike.core.observation import Observation
from workalike.core.provenance import Provenance, fingerprint
from workalike.core.task import Task
from workalike.core.trajectory import Notice, Trajectory
from workalike.pictures.codec import decode
from workalike.pictures.similar import near_duplicate
from workalike.store.pictures import FirstOf, PictureSource, PictureStore
from workalike.store.trajectories import FILE, TrajectoryWriter, read_trajectory
from workalike.verify import state


class ReplayAgent:
    """Does what a trajectory did, step by step, and then stops."""

    name = "replay"
    wants = Wants()

    def __init__(self, trajectory: Trajectory) -> None:
        self._steps: Iterator[Decision] = iter(
            [
                Decision(
                    tuple(taken.action for taken in step.actions), thought=step.thought, action_text=step.action_text
                )
                for step in trajectory.steps
                if step.actions
            ]
        )

    async def begin(self, task: Task) -> None:
        pass

    async def decide(self, sight: Sight) -> Decision:
        return next(self._steps, Decision((Terminate("success"),)))

    async def close(self) -> None:
        pass


class Compared(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sight of the original beside that of the replay. `alike` is None where there are no pictures to compare;
    a page that was `refused` is nowhere, whatever its address; `notices` are what the replay was told."""

    step: int
    same_place: bool
    alike: bool | None
    error: str | None = None
    refused: bool = False
    notices: tuple[str, ...] = ()


def compare(
    one: Trajectory, two: Trajectory, alike: Callable[[Observation, Observation], bool | None]
) -> list[Compared]:
    """The two side by side, up to the shorter one's end; the final sights last."""
    rows: list[Compared] = []
    refused: set[str] = set()

    def add(was: Observation, now: Observation, notices: Sequence[Notice], error: str | None = None) -> None:
        refused.update(notice.text.partition(": ")[0] for notice in notices if notice.kind == "refused")
        shut = _target(now) in refused
        same = _place(was) == _place(now) and not shut
        told = tuple(notice.text for notice in notices)
        rows.append(Compared(len(rows), same, alike(was, now), error, shut, told))

    steps = [[step for step in each.steps if step.actions] for each in (one, two)]
    for was, now in zip(*steps, strict=False):
        errors = [taken.error for taken in now.actions if taken.error]
        add(was.observation, now.observation, now.notices, errors[0] if errors else None)
    if one.final and two.final:
        add(one.final, two.final, two.notices)
    return rows


def _place(observation: Observation) -> str:
    """Where an observation is, without the parts of an address that differ from visit to visit."""
    parts = urlsplit(observation.url or "")
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if observation.url else observation.window or ""


def _target(observation: Observation) -> str:
    """Host and port of a page, as a refusal names them."""
    parts = urlsplit(observation.url or "")
    return f"{parts.hostname}:{parts.port or {'http': 80}.get(parts.scheme, 443)}"


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
        end = not self.compared or self.compared[-1].alike is not False
        return way and end and self.same_changes is not False


async def replay(
    original: Trajectory, environment: Environment, folder: Path, pictures: PictureSource, stay: Stay | None = None
) -> Replayed:
    """Do a trajectory again in an environment; the replay is written into a folder as a trajectory of its own."""
    store = PictureStore(folder / "pictures")
    provenance = Provenance("workalike replay", inputs={"trajectory": fingerprint(original)})
    with TrajectoryWriter.create(folder / FILE, f"replay of {original.id}", original.task, provenance) as writer:
        agent, limits = ReplayAgent(original), Limits(steps=len(original.steps) + 1)
        begin_as = stay.task if stay else None
        try:
            stop, sight = await attempt(
                agent, environment, original.task, StoredSink(store, writer), limits, _deaf, begin_as
            )
            changes = stay.changes() if stay else None
        finally:
            await environment.close()
        extra = {} if changes is None else {state.CHANGES: msgspec.to_builtins(changes)}
        if sight is not None and sight.picture is not None:
            store.put(sight.picture)
        writer.finish(stop, sight.observation if sight else None, sight.notices if sight else (), extra)
    again = read_trajectory(folder / FILE).trajectory
    both = FirstOf(store, pictures)
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
