"""Annotating done elsewhere: a demonstration travels with its pictures and with what was said of it before; every
answer comes back as it is given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

import workalike
from workalike.annotate.annotator import ROLES, Annotated, Annotator, Asker, Method
from workalike.annotate.asking import Prior, StepQuestions
from workalike.annotate.chain import Annotation
from workalike.annotate.looks import AtHand, StepLooks
from workalike.annotate.scripted import scripted_model
from workalike.cluster import wire
from workalike.cluster.services import RemoteServices, SentPictures
from workalike.cluster.worker import RemoteDesk, WorkerLink
from workalike.core.contracts import Job, Sink
from workalike.core.trajectory import Trajectory
from workalike.models.interface import ModelProvider
from workalike.models.messages import read_sampling
from workalike.models.names import SCRIPTED
from workalike.models.prompts import Prompts
from workalike.store.names import safe_name

OPENS = f"{__name__}:open_annotating"


class AnnotatingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How demonstrations are annotated on another node; the scripted model is served there."""

    model: str
    sampling: dict[str, Any] = {}
    method: Method = "reflective"
    redo: int = 0
    value: bool = True
    services: RemoteServices = RemoteServices()


class TravellingDemonstration(msgspec.Struct, frozen=True):
    """A demonstration on its way to be annotated. What is known of it is by step; None is the whole."""

    trajectory: Trajectory
    known: tuple[tuple[int | None, Annotation], ...] = ()
    prior: Prior | None = None
    pictures: dict[str, bytes] = {}


class RemoteDemonstration(msgspec.Struct, frozen=True):
    """The same as the driver has it, with who keeps the answers."""

    travelling: Callable[[], TravellingDemonstration]
    keep: Callable[[int | None, Annotation], None]


class AnnotatingWork:
    """Annotating on this node."""

    payload = TravellingDemonstration

    def __init__(self, settings: AnnotatingSettings, models: ModelProvider, prompts: Prompts) -> None:
        self._settings, self._models, self._prompts = settings, models, prompts
        self._slots = asyncio.Semaphore(settings.services.requests)

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> Annotated:
        one: TravellingDemonstration = job.payload
        known = dict(one.known)

        def keep(place: int | None, annotation: Annotation) -> None:
            desk.note((place, annotation))
            known[place] = annotation

        settings, questions = self._settings, StepQuestions(self._prompts, one.prior)
        again = bool(settings.redo)
        annotator = Annotator(one.trajectory, known, self._asker(one, job.key), questions, keep, again, settings.value)
        return await annotator.annotate(settings.method)

    def _asker(self, one: TravellingDemonstration, key: str) -> Asker:
        name, sampling = safe_name(one.trajectory.id), read_sampling(self._settings.sampling)
        asked = self._settings.model
        models = {role: self._models.open(asked, sampling=sampling, topic=f"{name}/{role}") for role in ROLES}
        looks = StepLooks(SentPictures(one.pictures), AtHand(), key)
        return Asker(models, looks, self._prompts, self._slots, self._settings.redo)

    async def trouble(self) -> str | None:
        return None


@asynccontextmanager
async def open_annotating(packed: bytes, link: WorkerLink) -> AsyncIterator[AnnotatingWork]:
    """Open the model on this node."""
    settings = wire.read(packed, AnnotatingSettings)
    async with AsyncExitStack() as stack:
        models, prompts = await stack.enter_async_context(settings.services.opened(link))
        if settings.model == SCRIPTED:
            models.play(SCRIPTED, stack.enter_context(scripted_model()))
        models.open(settings.model)  # a key that is missing on this node is said now
        yield AnnotatingWork(settings, models, prompts)


class AnnotatingKind:
    """Demonstrations as the driver hands them out: answers are kept as they come."""

    def __init__(self, settings: AnnotatingSettings, jobs: int) -> None:
        self.spec = wire.WorkerSpec(OPENS, msgspec.msgpack.encode(settings), jobs, workalike.__version__)

    def payload(self, job: Job) -> TravellingDemonstration:
        one: RemoteDemonstration = job.payload
        return one.travelling()

    def folder(self, job: Job) -> Path | None:
        return None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        place, annotation = wire.read(item, tuple[int | None, Annotation])
        job.payload.keep(place, annotation)

    def result(self, job: Job, packed: msgspec.Raw) -> Annotated:
        return wire.read(packed, Annotated)
