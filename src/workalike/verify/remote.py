"""Judging done elsewhere: a case travels with its pictures, the verifier is made on the node, by its spec."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

import workalike
from workalike.cluster import wire
from workalike.cluster.services import RemoteServices, SentPictures
from workalike.cluster.worker import RemoteDesk, WorkerLink
from workalike.core.contracts import Job, Sink, Verifier, VerifierSpec
from workalike.core.key import Key
from workalike.core.trajectory import Trajectory
from workalike.core.verdict import Verdict
from workalike.models.keys import Keys
from workalike.verify.verifiers import judged, make_verifier

OPENS = f"{__name__}:open_judging"


class JudgingSettings(msgspec.Struct, frozen=True):
    """Who judges, and how models are asked there."""

    verifier: VerifierSpec
    services: RemoteServices = RemoteServices()


def judging_settings(spec: VerifierSpec, services: RemoteServices) -> JudgingSettings:
    """The settings as they go to workers: without secrets, which are taken out of their own environment."""
    keys = Keys.load()
    keys.need_none(spec.options)
    return JudgingSettings(msgspec.structs.replace(spec, options=keys.without_secrets(spec.options)), services)


class TravellingCase(msgspec.Struct, frozen=True):
    """A case on its way to a judge, with as much of the key as that one may see."""

    trajectory: Trajectory
    key: Key | None = None
    pictures: dict[str, bytes] = {}


class JudgingWork:
    """A verifier on this node."""

    payload = TravellingCase

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> Verdict:
        case: TravellingCase = job.payload
        return await judged(self._verifier, case.trajectory, case.key, SentPictures(case.pictures))

    async def trouble(self) -> str | None:
        return None


@asynccontextmanager
async def open_judging(packed: bytes, link: WorkerLink) -> AsyncIterator[JudgingWork]:
    """Make the verifier on this node, with the secrets among its options out of the node's own environment."""
    settings = wire.read(packed, JudgingSettings)
    options = Keys.load().filled(settings.verifier.options)
    async with settings.services.opened(link) as (models, prompts):
        yield JudgingWork(make_verifier(msgspec.structs.replace(settings.verifier, options=options), models, prompts))


class JudgingKind:
    """Cases as the driver hands them out; `travelling` makes one of a job's payload."""

    def __init__(self, settings: JudgingSettings, jobs: int, travelling: Callable[[Job], TravellingCase]) -> None:
        self.spec = wire.WorkerSpec(OPENS, msgspec.msgpack.encode(settings), jobs, workalike.__version__)
        self.payload = travelling

    def folder(self, job: Job) -> Path | None:
        return None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        pass

    def result(self, job: Job, packed: msgspec.Raw) -> Verdict:
        return wire.read(packed, Verdict)
