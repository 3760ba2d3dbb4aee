"""Looking at rows on other machines that see the same files: what travels is where to look, and what was found."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

import workalike
from workalike.cluster import wire
from workalike.cluster.nodes import ClusterLimits
from workalike.cluster.ordered import done_in_order
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.cluster.worker import RemoteDesk, WorkerLink
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput
from workalike.dataset.files import LineSpan, read_metadata, untold
from workalike.dataset.survey import PartsElsewhere, SurveyOptions, SurveyPart, look_through
from workalike.formats.agentnet import Meta

OPENS = f"{__name__}:open_spans"


class SpanSettings(msgspec.Struct, frozen=True):
    """What rows are looked at for, and the files of metadata that are joined."""

    texts: bool = True
    metadata: tuple[str, ...] = ()


class TravellingSpan(msgspec.Struct, frozen=True):
    """Some lines of a file, which must be the same file there: told by its size."""

    file: str
    size: int
    start: int = 0
    end: int | None = None


class SpanWork:
    """Looks at rows on this node."""

    payload = TravellingSpan

    def __init__(self, metadata: Mapping[str, Meta], options: SurveyOptions) -> None:
        self._metadata, self._options = metadata, options

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> bytes:
        asked: TravellingSpan = job.payload
        need_file(Path(asked.file), asked.size)
        span = LineSpan(Path(asked.file), asked.start, asked.end)
        return pickle.dumps(await asyncio.to_thread(look_through, span, self._metadata, self._options))

    async def trouble(self) -> str | None:
        return None


def need_file(path: Path, size: int) -> None:
    """Refuse a file that is not here, or another than on the driver."""
    if not path.is_file():
        raise BadInput(f"there is no {path} there: with --ray all nodes must see the files under the same path")
    if path.stat().st_size != size:
        raise BadInput(f"{path} is another file there, of {path.stat().st_size:,} bytes and not {size:,}")


@asynccontextmanager
async def open_spans(packed: bytes, link: WorkerLink) -> AsyncIterator[SpanWork]:
    """Read the metadata on this node."""
    settings = wire.read(packed, SpanSettings)
    files = tuple(map(Path, settings.metadata))
    missing = next((file for file in files if not file.is_file()), None)
    if missing:
        raise BadInput(f"there is no {missing} there: with --ray all nodes must see the files under the same path")
    yield SpanWork(read_metadata(files, untold), SurveyOptions(settings.texts, files))


class SpanKind:
    """Spans as the driver hands them out."""

    def __init__(self, settings: SpanSettings) -> None:
        self.spec = wire.WorkerSpec(OPENS, msgspec.msgpack.encode(settings), 1, workalike.__version__)

    def payload(self, job: Job) -> TravellingSpan:
        span: LineSpan = job.payload
        path = span.file.resolve()
        return TravellingSpan(str(path), path.stat().st_size, span.start, span.end)

    def folder(self, job: Job) -> Path | None:
        return None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        pass

    def result(self, job: Job, packed: msgspec.Raw) -> SurveyPart:
        part: SurveyPart = pickle.loads(wire.read(packed, bytes))  # from a worker of ours, as all that Ray carries is
        part.span = job.payload
        return part


def parts_on_ray(choice: RayChoice, workers: int, say: Callable[[str], None]) -> PartsElsewhere:
    """Who looks at the rows of a set on a Ray cluster, with so many workers on each node."""

    def parts(work: list[LineSpan], options: SurveyOptions) -> Iterator[SurveyPart]:
        kind = SpanKind(SpanSettings(options.texts, tuple(str(file.resolve()) for file in options.metadata)))
        jobs = [Job(f"{span.file}:{span.start}", span) for span in work]
        return done_in_order(jobs, lambda: on_ray(choice, kind, say, ClusterLimits(workers=workers)))

    return parts
