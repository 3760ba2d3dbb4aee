"""Chosen parts of a published dataset from the hub: resumed where they broke off, and checked against the hub's own
hashes.

The hub's library does the fetching; this module chooses the files, checks them, and remembers what was checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import msgspec

from understudy.core.errors import BadInput, Infrastructure
from understudy.store.files import write_file

AGENTNET = "xlangai/AgentNet"
PARTS: dict[str, tuple[str, ...]] = {
    "metadata": ("meta_data*.jsonl",),
    "ubuntu": ("agentnet_ubuntu*.jsonl",),
    "win-mac": ("agentnet_win_mac*.jsonl",),
    "ubuntu-images": ("ubuntu*/*", "*ubuntu*images*", "*ubuntu*.z*"),
    "win-mac-images": ("win_mac*/*", "*win_mac*images*", "*win_mac*.z*"),
    "card": ("README.md",),
}
_SEAL = ".understudy-fetched.json"


class Remote(msgspec.Struct, frozen=True):
    """A file on the hub. Large files have a SHA-256 there, small ones the hash that git gives them."""

    path: str
    size: int
    sha256: str | None = None
    git: str | None = None


class Fetched(msgspec.Struct, frozen=True):
    """What became of a file: `fetched`, or `there already`."""

    path: str
    size: int
    state: str


def list_files(repo: str = AGENTNET, revision: str | None = None, kind: str = "dataset") -> list[Remote]:
    """Every file of a repository, with its size and hash."""
    api = _hub().HfApi()
    try:
        entries = list(api.list_repo_tree(repo, repo_type=kind, revision=revision, recursive=True))
    except Exception as error:
        raise _complaint(repo, error) from error
    return [_remote(entry) for entry in entries if hasattr(entry, "size")]


def choose(files: Iterable[Remote], parts: Iterable[str]) -> list[Remote]:
    """The files of some parts, named as in `PARTS` or by a pattern such as `*.jsonl`."""
    files = list(files)
    chosen: dict[str, Remote] = {}
    for part in parts:
        patterns = PARTS.get(part, (part,))
        found = [file for file in files if any(fnmatch(file.path, pattern) for pattern in patterns)]
        if not found:
            known = ", ".join(PARTS)
            raise BadInput(f"no file is part of {part!r}; parts are {known}, or patterns such as '*.jsonl'")
        chosen.update((file.path, file) for file in found)
    return sorted(chosen.values(), key=lambda file: file.path)


def fetch(
    files: Iterable[Remote],
    folder: Path,
    repo: str = AGENTNET,
    revision: str | None = None,
    kind: str = "dataset",
    tell: Callable[[Fetched], object] = lambda done: None,
) -> list[Fetched]:
    """Fetch files into a folder. One that is there and was checked is not fetched or read again; one that broke off
    goes on from there; one that is not what the hub says is removed and refused."""
    sealed = _read_seal(folder)
    done: list[Fetched] = []
    for file in files:
        path = folder / file.path
        state = "there already"
        if sealed.get(file.path) != _mark(path, file):
            state = (
                "there already"
                if path.is_file() and _is_right(path, file)
                else _download(file, folder, repo, revision, kind)
            )
            _check(path, file)
            sealed[file.path] = _mark(path, file)
            write_file(folder / _SEAL, msgspec.json.encode(sealed, order="sorted"))
        done.append(Fetched(file.path, file.size, state))
        tell(done[-1])
    return done


def _download(file: Remote, folder: Path, repo: str, revision: str | None, kind: str) -> str:
    try:
        _hub().hf_hub_download(repo, file.path, repo_type=kind, revision=revision, local_dir=folder)
    except Exception as error:
        raise _complaint(f"{repo}: {file.path}", error) from error
    return "fetched"


def _check(path: Path, file: Remote) -> None:
    if not _is_right(path, file):
        path.unlink(missing_ok=True)
        raise Infrastructure(f"{file.path} did not arrive as the hub has it and was removed; fetch it again")


def _is_right(path: Path, file: Remote) -> bool:
    if path.stat().st_size != file.size:
        return False
    if file.sha256 is not None:
        with open(path, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == file.sha256
    if file.git is not None:
        data = path.read_bytes()
        return hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest() == file.git
    return True


def _mark(path: Path, file: Remote) -> str:
    """What a checked file looks like from outside."""
    if not path.is_file():
        return ""
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns} {file.sha256 or file.git}"


def _read_seal(folder: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((folder / _SEAL).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def _remote(entry: Any) -> Remote:
    large = getattr(entry, "lfs", None)
    sha256 = getattr(large, "sha256", None) if large is not None else None
    return Remote(entry.path, entry.size, sha256, None if sha256 else getattr(entry, "blob_id", None))


def _hub() -> Any:
    try:
        import huggingface_hub
    except ImportError:
        raise BadInput("fetching needs huggingface_hub: install it with `pip install 'understudy[hub]'`") from None
    return huggingface_hub


def _complaint(what: str, error: Exception) -> Infrastructure | BadInput:
    name = type(error).__name__
    reason = str(error).splitlines()[0][:200] if str(error) else name
    if name in (
        "RepositoryNotFoundError",
        "RevisionNotFoundError",
        "EntryNotFoundError",
        "GatedRepoError",
        "HFValidationError",
    ):
        return BadInput(f"the hub has no {what} for you: {reason}")
    return Infrastructure(f"the hub did not give {what}: {reason}; try again, and it goes on where it stopped")
