"""`workalike dataset export --ray`: every file that is named is exported on some node, into a folder of its own. What
is there already stays."""

from __future__ import annotations

import asyncio
import pickle
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

import workalike
from workalike.cluster import wire
from workalike.cluster.nodes import ClusterLimits
from workalike.cluster.ordered import done_in_order
from workalike.cluster.ray_cluster import RayChoice, on_ray
from workalike.cluster.worker import RemoteDesk, WorkerLink
from workalike.core.contracts import Job, Sink
from workalike.core.errors import BadInput
from workalike.dataset.files import inside_of, is_metadata
from workalike.dataset.manifest import MANIFEST, Manifest, facts_of
from workalike.dataset.request import ExportRequest, export_paths
from workalike.dataset.sources import expanded, input_files, is_rows, summed_up
from workalike.store.files import write_file
from workalike.store.lines import read_json

OPENS = f"{__name__}:open_exports"
ASKED = "export.json"
"""What all parts in a folder were asked for with."""


class ExportedPart(msgspec.Struct, frozen=True):
    """What was exported of one file: its folder, the manifest there, and what could not be read."""

    folder: str
    manifest: Manifest
    told: tuple[str, ...] = ()


class ExportWork:
    """Exports files on this node; a payload is an `ExportRequest`, packed."""

    payload = bytes

    async def do(self, job: Job, try_: int, desk: RemoteDesk) -> ExportedPart:
        asked: ExportRequest = pickle.loads(job.payload)  # from the driver, as all that Ray carries is
        missing = next((path for path in asked.paths if not Path(path).exists()), None)
        if missing:
            raise BadInput(f"there is no {missing} there: with --ray all nodes must see the files under the same path")
        told: list[str] = []
        manifest = await asyncio.to_thread(export_paths, asked, told)
        return ExportedPart(str(asked.out), manifest, tuple(map(str, summed_up(told))))

    async def trouble(self) -> str | None:
        return None


@asynccontextmanager
async def open_exports(packed: bytes, link: WorkerLink) -> AsyncIterator[ExportWork]:
    yield ExportWork()


class ExportKind:
    """Files as the driver hands them out."""

    spec = wire.WorkerSpec(OPENS, b"", 1, workalike.__version__)

    def payload(self, job: Job) -> bytes:
        return pickle.dumps(job.payload)

    def folder(self, job: Job) -> Path | None:
        return None

    async def take(self, job: Job, item: msgspec.Raw, sink: Sink | None) -> None:
        pass

    def result(self, job: Job, packed: msgspec.Raw) -> ExportedPart:
        return wire.read(packed, ExportedPart)


def export_by_files(
    asked: ExportRequest,
    settings: Mapping[str, str],
    choice: RayChoice,
    workers: int,
    say: Callable[[str], None],
) -> list[ExportedPart]:
    """Export every file and run that the paths stand for into a folder of its own in the request's, each with its
    manifest; what is there already stays, where it is of the same files and was asked for with the same `settings`."""
    parts = {asked.out.resolve() / name: path.resolve() for name, path in _named(asked.paths)}
    there = [folder for folder in parts if (folder / MANIFEST).is_file()]
    _need_same(asked, settings, {folder: parts[folder] for folder in there})
    jobs = [Job(str(path), _alone(asked, path, folder)) for folder, path in parts.items() if folder not in there]
    done = [ExportedPart(str(folder), read_json(folder / MANIFEST, Manifest)) for folder in there]
    limits = ClusterLimits(workers=workers)
    return done + list(done_in_order(jobs, lambda: on_ray(choice, ExportKind(), say, limits)) if jobs else ())


def _need_same(asked: ExportRequest, settings: Mapping[str, str], there: Mapping[Path, Path]) -> None:
    """Refuse to go on with an export that was begun with other settings, or of files that were others then."""
    out, account = asked.out, asked.out / ASKED
    before = read_json(account, dict[str, str]) if account.is_file() else None
    if before is None and there:
        raise BadInput(f"{out} holds exports of which nobody says how they were asked for; name a new folder")
    if before is not None and before != settings:
        other = [name for name in settings if before.get(name) != settings[name]]
        raise BadInput(
            f"{out} was exported with other settings ({', '.join(other)}); name a new folder, or the same settings"
        )
    for folder, path in there.items():
        now = tuple(facts_of(file, name) for name, file in input_files([str(path)], asked.metadata))
        if read_json(folder / MANIFEST, Manifest).inputs != now:
            raise BadInput(f"{path} has changed since it was exported into {folder}; name a new folder")
    if before is None:
        out.mkdir(parents=True, exist_ok=True)
        write_file(account, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")


def _named(paths: Sequence[str | Path]) -> Iterator[tuple[str, Path]]:
    """The files and runs, each with a name of its own."""
    seen: Counter[str] = Counter()
    for path in expanded(paths):
        inside = (
            [file for file in inside_of(path) if not is_metadata(file)] if path.is_dir() and is_rows(path) else [path]
        )
        for file in inside:
            name = file.name.partition(".")[0]
            seen[name] += 1
            yield name if seen[name] == 1 else f"{name}-{seen[name]}", file


def _alone(asked: ExportRequest, path: Path, folder: Path) -> ExportRequest:
    """The request for one file, with paths that say the same from anywhere."""
    return replace(
        asked,
        paths=(str(path),),
        out=folder,
        metadata=tuple(each.resolve() for each in asked.metadata),
        images=tuple(each.resolve() for each in asked.images),
        prompts=asked.prompts.resolve() if asked.prompts else None,
    )
