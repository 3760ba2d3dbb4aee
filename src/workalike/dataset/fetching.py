"""Chosen parts of a published dataset from the hub: resumed where they broke off, and checked against the hub's own
hashes.

The hub's library speaks to the hub; this module chooses the files, keeps what a broken transfer brought, checks every
file, and remembers what was checked. The library's own download begins anew each time, which 180 GB do not bear."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import msgspec

from workalike.core.errors import BadInput, Infrastructure, MissingExtra, WorkalikeError
from workalike.store.files import write_file

AGENTNET = "xlangai/AgentNet"
PARTS: dict[str, tuple[str, ...]] = {
    "metadata": ("meta_data*.jsonl",),
    "ubuntu": ("agentnet_ubuntu*.jsonl",),
    "win-mac": ("agentnet_win_mac*.jsonl",),
    "ubuntu-images": ("ubuntu*/*", "*ubuntu*images*", "*ubuntu*.z*"),
    "win-mac-images": ("win_mac*/*", "*win_mac*images*", "*win_mac*.z*"),
    "card": ("README.md",),
}
_NOT_THERE = {
    "RepositoryNotFoundError",
    "RevisionNotFoundError",
    "EntryNotFoundError",
    "GatedRepoError",
    "HFValidationError",
}
_SEAL = ".workalike-fetched.json"
_SEAL_BEFORE = ".understudy-fetched.json"  # of folders fetched under the package's former name


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
    api = _hub().HfApi(endpoint=_endpoint())
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
            if not path.is_file() or not _is_right(path, file):
                state = _download(file, folder, repo, revision, kind)
                _check(path, file)
            sealed[file.path] = _mark(path, file)
            write_file(folder / _SEAL, msgspec.json.encode(sealed, order="sorted"))
        done.append(Fetched(file.path, file.size, state))
        tell(done[-1])
    return done


def _download(file: Remote, folder: Path, repo: str, revision: str | None, kind: str) -> str:
    """Fetch one file through a part file that outlives a broken transfer, and goes by the file's hash so that another
    revision never continues it."""
    path = folder / file.path
    mark = (file.sha256 or file.git or str(file.size))[:12]
    part = path.with_name(f".{path.name}.{mark}.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    if part.is_file() and part.stat().st_size > file.size:
        part.unlink()
    try:
        hub = _hub()
        url = hub.hf_hub_url(repo, file.path, repo_type=kind, revision=revision, endpoint=_endpoint())
        with open(part, "ab") as opened:
            there = opened.tell()
            headers = hub.utils.build_hf_headers()
            hub.file_download.http_get(url, opened, resume_size=there, headers=headers, expected_size=file.size)
    except WorkalikeError:
        raise
    except Exception as error:
        raise _complaint(f"{repo}: {file.path}", error) from error
    part.replace(path)
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
    for name in (_SEAL, _SEAL_BEFORE):
        try:
            return msgspec.json.decode((folder / name).read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            continue
    return {}


def _remote(entry: Any) -> Remote:
    large = getattr(entry, "lfs", None)
    sha256 = getattr(large, "sha256", None) if large is not None else None
    return Remote(entry.path, entry.size, sha256, None if sha256 else getattr(entry, "blob_id", None))


def _endpoint() -> str | None:
    """Another hub than the usual one, where the environment names it."""
    return os.environ.get("HF_ENDPOINT") or None


def _hub() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.file_download
        import huggingface_hub.utils
    except ImportError:
        raise MissingExtra("fetching", "huggingface_hub", "hub") from None
    return huggingface_hub


def _complaint(what: str, error: Exception) -> Infrastructure | BadInput:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    if kinds & _NOT_THERE:
        return BadInput(f"the hub has no {what} for you: {reason}")
    return Infrastructure(f"the hub did not give {what}: {reason}; try again, and it goes on where it stopped")
