"""Models on a worker's node: the same settings as on the driver, the node's own keys, and the driver's money."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from workalike.cluster.worker import RemoteMoney, WorkerLink
from workalike.core.contracts import PictureSource
from workalike.core.errors import BadInput, Damaged
from workalike.core.observation import ImageRef
from workalike.core.trajectory import Trajectory
from workalike.models.client import ServiceLimits
from workalike.models.prices import Prices
from workalike.models.prompts import Prompts
from workalike.models.served import Models


class RemoteServices(msgspec.Struct, frozen=True, kw_only=True):
    """What models are asked with elsewhere: the user's own prompts and prices, by file; `capped` says that money must
    be asked for."""

    prompts: dict[str, str] = {}
    prices: dict[str, str] = {}
    capped: bool = False
    requests: int = ServiceLimits().concurrency
    request_seconds: float = ServiceLimits().timeout

    @asynccontextmanager
    async def opened(self, link: WorkerLink) -> AsyncIterator[tuple[Models, Prompts]]:
        """Models and prompts on this node."""
        prompts = _written(link.scratch / "prompts", self.prompts)
        prices = _written(link.scratch / "prices", self.prices)
        models = Models(
            prices=Prices.load(prices / next(iter(self.prices)) if prices else None),
            budget=RemoteMoney(link) if self.capped else None,
            limits=ServiceLimits(concurrency=self.requests, timeout=self.request_seconds),
            tell=link.say,
            kept=link.kept,
        )
        async with models:
            yield models, Prompts(prompts)


def travelling_services(
    prompts: Path | None, prices: Path | None, capped: bool, requests: int, request_seconds: float
) -> RemoteServices:
    """The driver's settings, with the files that they name."""
    Prompts(prompts), Prices.load(prices)  # said here what is wrong with them
    texts = {path.relative_to(prompts).as_posix(): path.read_text("utf-8") for path in _prompts_in(prompts) if prompts}
    return RemoteServices(
        prompts=texts,
        prices={prices.name: prices.read_text("utf-8")} if prices else {},
        capped=capped,
        requests=requests,
        request_seconds=request_seconds,
    )


def _prompts_in(folder: Path | None) -> list[Path]:
    return sorted(folder.rglob("*.md")) if folder else []


def _written(folder: Path, files: dict[str, str]) -> Path | None:
    """Files that came along, on this node; None where there are none."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder if files else None


def pictures_along(trajectory: Trajectory, source: PictureSource) -> dict[str, bytes]:
    """The pictures of a trajectory, to travel with it; one that cannot be read stays behind, and is missed there."""
    found: dict[str, bytes] = {}
    for ref in trajectory.pictures:
        try:
            found[ref.name] = found.get(ref.name) or source.read(ref)
        except BadInput:
            continue
    return found


class SentPictures:
    """Pictures that came along, by name."""

    def __init__(self, pictures: Mapping[str, bytes]) -> None:
        self._pictures = pictures

    def read(self, ref: ImageRef) -> bytes:
        if ref.name not in self._pictures:
            raise Damaged(f"the picture {ref.name} is missing on the driver: fetch or restore it")
        return self._pictures[ref.name]

    def has(self, ref: ImageRef) -> bool:
        return ref.name in self._pictures
