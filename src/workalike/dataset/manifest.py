"""What an export says of itself: what it was made from and how, how much there is, under which licence, whom to cite.

Nothing in it tells when or where it was made, so that the same input and settings give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from workalike import __version__
from workalike.store.files import write_file

MANIFEST = "manifest.json"
Inputs = Iterable[Path | tuple[str, Path]]  # files that were read, each with the name to call it by if not its own
AGENTNET_LICENCE = "AgentNet (xlangai/AgentNet): MIT licence"
AGENTNET_CITATION = (
    "Wang, X., et al. (2025). OpenCUA: Open Foundations for Computer-Use Agents. arXiv:2508.09123. "
    "https://arxiv.org/abs/2508.09123"
)


Origin = tuple[list[tuple[str, Path]], list[str], list[str]]
"""Files by name, licences, and whom to cite."""


class FileFacts(msgspec.Struct, frozen=True):
    """A file by name, size and hash."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """An export's account of itself. `left_out` counts what gave no example, by reason."""

    made_by: str
    settings: dict[str, Any]
    counts: dict[str, int]
    left_out: dict[str, int]
    inputs: tuple[FileFacts, ...]
    outputs: tuple[FileFacts, ...]
    prompts: dict[str, str]
    licence: tuple[str, ...]
    citation: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def why_empty(self) -> str:
        """Why nothing was made, in a sentence."""
        if not self.counts.get("trajectories") and not self.left_out:
            return "nothing was exported: no trajectory was found there that was asked for"
        if not self.left_out:
            return "nothing was exported: none of the trajectories has a step that this form could tell"
        reasons = sorted(self.left_out.items(), key=lambda each: -each[1])[:3]
        return f"nothing was exported; left out: {', '.join(f'{reason} ({count:,})' for reason, count in reasons)}"


def origin(files: list[tuple[str, Path]], licence: Iterable[str] = (), citation: Iterable[str] = ()) -> Origin:
    """The files that were read, and under which licence and whom to cite where they are published ones."""
    theirs = any(name.startswith(("agentnet_", "meta_data")) for name, _ in files)
    own = ([AGENTNET_LICENCE], [AGENTNET_CITATION]) if theirs else ([], [])
    return files, [*own[0], *licence], [*own[1], *citation]


def facts_of(file: Path, name: str | None = None) -> FileFacts:
    with open(file, "rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    return FileFacts(name or file.name, file.stat().st_size, digest)


def write_manifest(
    folder: Path,
    settings: Mapping[str, Any],
    counts: Mapping[str, int],
    left_out: Mapping[str, int],
    inputs: Inputs,
    outputs: Iterable[Path],
    prompts: Mapping[str, str],
    licence: Iterable[str],
    citation: Iterable[str],
    notes: Iterable[str] = (),
) -> Manifest:
    """Write the account beside the files it is about."""
    manifest = Manifest(
        f"workalike {__version__}",
        dict(settings),
        dict(counts),
        dict(sorted(left_out.items())),
        tuple(facts_of(given[1], given[0]) if isinstance(given, tuple) else facts_of(given) for given in inputs),
        tuple(facts_of(file, file.relative_to(folder).as_posix()) for file in outputs),
        dict(prompts),
        tuple(licence),
        tuple(citation),
        tuple(notes),
    )
    write_file(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return manifest
