"""Attempts made elsewhere: what a worker opens on its node (a Chromium, its contexts, its own town), and what the
driver does with the steps that come back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

import workalike
from workalike.bench.agent_factory import AttemptSpec
from workalike.bench.attempt import AttemptEnd
from workalike.bench.config import browser_settings
from workalike.bench.executor import LocalAttempts, agents_for, attempts_for, in_browsers, on_desktops, open_sandbox
from workalike.bench.loading import benchmark_of
from workalike.cluster import wire
from workalike.cluster.services import RemoteServices
from workalike.cluster.worker import RemoteDesk, WorkerLink
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Step
from workalike.env.browser import scratch
from workalike.env.browser.stage import ANSWER_SECONDS, Stage
from workalike.models.keys import Keys
from workalike.store.config import RunConfig
from workalike.store.pictures import PictureStore
from workalike.store.runs import PICTURES

OPENS = f"{__name__}:open_attempts"


class AttemptsSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What attempts are made with on another node. Options that are secrets are struck: the node fills them in out of
    its own environment. `shared` is the run's folder, where workers see it under the same path; a browser is wedged
    that says nothing for `answer_seconds`."""

    config: RunConfig
    services: RemoteServices = RemoteServices()
    answer_seconds: float = ANSWER_SECONDS
    shared: str | None = None


class TravellingStep(msgspec.Struct, frozen=True):
    """A step on its way to the driver; its picture comes along unless it was there before."""

    step: Step
    picture: bytes | None = None


class AttemptWork:
    """Attempts on this node. Pictures that the driver has are not sent again."""

    payload = AttemptSpec

    def __init__(self, attempts: LocalAttempts, stage: Stage | None, settings: AttemptsSettings) -> None:
        self._attempts, self._stage, self._settings = attempts, stage, settings
        self._pictures = PictureStore(Path(settings.shared) / PICTURES) if settings.shared else None
        self._sent: set[str] = set()

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> AttemptEnd:
        spec: AttemptSpec = job.payload
        if self._settings.shared and not (spec.transcript and Path(spec.transcript).parent.is_dir()):
            raise BadInput(f"--shared: {self._settings.shared} is not there on this node; leave --shared out")
        if not self._settings.shared:
            desk.folder.mkdir(parents=True, exist_ok=True)
            spec = replace(spec, transcript=str(desk.folder / Path(spec.transcript or "transcript.jsonl").name))
        end = await self._attempts.do(replace(job, payload=spec), try_, _DeskSink(self, desk))
        return replace(end, picture=self.unsent(end.picture))

    async def trouble(self) -> str | None:
        if self._stage is None or not await self._stage.is_wedged(self._settings.answer_seconds):
            return None
        scratch.end_browsers()
        return f"its browser did not answer within {self._settings.answer_seconds:g} s"

    def unsent(self, picture: bytes | None) -> bytes | None:
        """A picture that the driver has yet to be sent; where the folder is shared it is put there instead."""
        if picture is None:
            return None
        if self._pictures is not None:
            self._pictures.put(picture)
            return None
        name = ImageRef.of(picture).name
        return None if name in self._sent else picture

    def note_sent(self, picture: bytes | None) -> None:
        if picture is not None:
            self._sent.add(ImageRef.of(picture).name)


class _DeskSink:
    """Where an attempt's steps go: to the driver, and on when they are safe there."""

    def __init__(self, work: AttemptWork, desk: RemoteDesk) -> None:
        self._work, self._desk = work, desk

    async def step(self, step: Step, picture: bytes | None) -> None:
        unsent = self._work.unsent(picture)
        await self._desk.emit(TravellingStep(step, unsent))
        self._work.note_sent(unsent)


@asynccontextmanager
async def open_attempts(packed: bytes, link: WorkerLink) -> AsyncIterator[AttemptWork]:
    """Open what attempts need on this node, as the driver asks for it."""
    settings = wire.read(packed, AttemptsSettings)
    config = replace(settings.config, options=Keys.load().filled(settings.config.options))
    benchmark = benchmark_of(config)
    async with AsyncExitStack() as stack:
        models, prompts = await stack.enter_async_context(settings.services.opened(link))
        sandbox = await open_sandbox(config, benchmark, stack)
        make = agents_for(config, sandbox, models, prompts, stack)
        stage: Stage | None = None
        if benchmark.on == "browser":
            stage = await stack.enter_async_context(Stage(browser_settings(config, search=sandbox.reach.search)))
        environments = in_browsers([stage]) if stage else on_desktops(config.viewport)
        yield AttemptWork(attempts_for(config, sandbox, environments, make, prompts), stage, settings)


class AttemptKind:
    """Attempts as the driver hands them out: steps go to the attempt's journal, files into its folder."""

    def __init__(self, settings: AttemptsSettings, jobs: int) -> None:
        self.spec = wire.WorkerSpec(OPENS, msgspec.msgpack.encode(settings), jobs, workalike.__version__)
        self._shared = settings.shared

    def payload(self, job: Job) -> AttemptSpec:
        spec: AttemptSpec = job.payload
        return spec

    def folder(self, job: Job) -> Path | None:
        return Path(job.payload.transcript).parent if job.payload.transcript and not self._shared else None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        told = wire.read(item, TravellingStep)
        if sink is not None:
            await sink.step(told.step, told.picture)

    def result(self, job: Job, packed: msgspec.Raw) -> AttemptEnd:
        return wire.read(packed, AttemptEnd)
