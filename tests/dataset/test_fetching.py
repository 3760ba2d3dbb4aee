"""Fetching from a hub on loopback that speaks as much of the real one's language as the library needs."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("huggingface_hub", reason="fetching needs huggingface_hub, which is not installed")

from workalike.core.errors import BadInput, Infrastructure
from workalike.dataset.fetching import Remote, choose, fetch, list_files

REPO = "xlangai/AgentNet"
COMMIT = "d76ee50a63fad81cfdbe576416757d7c2091ed50"
FILES = {
    "README.md": b"# a card\n",
    "meta_data_merged.jsonl": b'{"task_id": "a"}\n',
    "agentnet_ubuntu_5k.jsonl": b'{"task_id": "a", "traj": []}\n' * 800_000,  # the library keeps pieces of 10 MB
    "ubuntu_images/images.z01": b"PK" + bytes(3000),
    "ubuntu_images/images.zip": b"PK" + bytes(1000),
}
LARGE = ("agentnet_ubuntu_5k.jsonl", "ubuntu_images/images.z01", "ubuntu_images/images.zip")


class Hub:
    """What the hub is told to do, and what was asked of it."""

    def __init__(self) -> None:
        self.ranges: list[str | None] = []
        self.gets: list[str] = []
        self.cut: int | None = None
        self.spoil = False

    def tree(self) -> list[dict[str, object]]:
        entries: list[dict[str, object]] = [{"type": "directory", "path": "ubuntu_images", "oid": "0" * 40}]
        for path, data in FILES.items():
            git = hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()
            entry: dict[str, object] = {"type": "file", "path": path, "size": len(data), "oid": git}
            if path in LARGE:
                entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
            entries.append(entry)
        return entries


def handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._file(body=False)

        def do_GET(self) -> None:
            if self.path.startswith(f"/api/datasets/{REPO}/tree/"):
                self._send(200, json.dumps(hub.tree()).encode(), {"Content-Type": "application/json"})
            elif self.path.startswith("/api/"):
                self._send(404, b'{"error": "no"}', {"X-Error-Code": "RepoNotFound"})
            else:
                self._file(body=True)

        def _file(self, body: bool) -> None:
            found = re.fullmatch(rf"/datasets/{REPO}/resolve/[^/]+/(.+?)(?:\?.*)?", self.path)
            path = found[1] if found else ""
            if path not in FILES:
                self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
                return
            data = FILES[path]
            etag = hashlib.sha256(data).hexdigest() if path in LARGE else hashlib.sha1(data).hexdigest()
            headers = {
                "X-Repo-Commit": COMMIT,
                "ETag": f'"{etag}"',
                "X-Linked-Etag": f'"{etag}"',
                "X-Linked-Size": str(len(data)),
            }
            start = 0
            if body:
                hub.gets.append(path)
                asked = self.headers.get("Range")
                hub.ranges.append(asked)
                start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
            sent = data[start:]
            if hub.spoil and path in LARGE:
                sent = sent[:-1] + b"!"
            cut = hub.cut if body and path in LARGE else None
            self._send(206 if start else 200, sent, headers, body, 0 if cut is not None and start else cut)

        def _send(
            self, status: int, data: bytes, headers: dict[str, str], body: bool = True, cut: int | None = None
        ) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if body:
                self.wfile.write(data if cut is None else data[:cut])
                self.close_connection = cut is not None

    return Handler


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(hub))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    made = Hub()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    with serving(made) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        yield made


def test_chosen_parts_arrive_and_nothing_else(hub: Hub, tmp_path: Path) -> None:
    files = list_files()
    assert [file.path for file in files] == list(FILES)
    chosen = choose(files, ["metadata", "ubuntu"])
    done = fetch(chosen, tmp_path / "out")
    assert [(each.path, each.state) for each in done] == [
        ("agentnet_ubuntu_5k.jsonl", "fetched"),
        ("meta_data_merged.jsonl", "fetched"),
    ]
    for file in chosen:
        assert (tmp_path / "out" / file.path).read_bytes() == FILES[file.path]
    assert not (tmp_path / "out" / "README.md").exists()


def test_what_is_there_is_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    chosen = choose(list_files(), ["ubuntu-images"])
    assert [file.path for file in chosen] == ["ubuntu_images/images.z01", "ubuntu_images/images.zip"]
    fetch(chosen, tmp_path / "out")
    before = len(hub.gets)
    assert {each.state for each in fetch(chosen, tmp_path / "out")} == {"there already"}
    assert len(hub.gets) == before
    (tmp_path / "out" / "ubuntu_images" / "images.zip").write_bytes(b"spoiled")
    assert [each.state for each in fetch(chosen, tmp_path / "out")] == ["there already", "fetched"]


def test_a_broken_transfer_goes_on_where_it_stopped(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = choose(list_files(), ["ubuntu"])
    hub.cut = 15_000_000
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the library waits between its own tries
    with pytest.raises(Infrastructure, match="goes on where it stopped"):
        fetch(chosen, tmp_path / "out")
    hub.cut = None
    hub.ranges.clear()
    fetch(chosen, tmp_path / "out")
    assert (tmp_path / "out" / "agentnet_ubuntu_5k.jsonl").read_bytes() == FILES["agentnet_ubuntu_5k.jsonl"]
    assert hub.ranges[0] is not None
    assert int(hub.ranges[0].removeprefix("bytes=").split("-")[0]) >= 10_000_000


def test_what_arrives_spoiled_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.spoil = True
    with pytest.raises(Infrastructure, match="did not arrive as the hub has it"):
        fetch(choose(list_files(), ["ubuntu"]), tmp_path / "out")
    assert [file.name for file in (tmp_path / "out").iterdir()] == []


def test_what_the_hub_does_not_have_is_said(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the hub has no nobody/nothing"):
        list_files("nobody/nothing")
    with pytest.raises(BadInput, match="no file is part of 'sounds'"):
        choose(list_files(), ["sounds"])
    with pytest.raises(BadInput, match="the hub has no"):
        fetch([Remote("gone.txt", 3)], tmp_path / "out")


def test_a_hub_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(Infrastructure, match="did not give"):
        list_files()
