"""Who is answered, and what is never read or shown: path tricks, pages in place of pictures, giant fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.store.zips import write_volumes
from tests.viewer.pages import key_of
from tests.viewer.sample import hostile_run, png
from workalike.core.observation import ImageRef, Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory
from workalike.store.trajectories import FILE, write_trajectory
from workalike.viewer.library import Library
from workalike.viewer.replies import STATIC
from workalike.viewer.server import make_app
from workalike.viewer.standalone import saved_page
from workalike.viewer.trajectories import LONGEST

TRICKS = ("../../run.json", "..%2frun.json", "/etc/passwd", "nothing.png", "..\\run.json", "a\0b", "run.json")


def client(path: Path, token: str | None = None, base: str = "http://127.0.0.1") -> TestClient:
    return TestClient(make_app(Library(path), token), base_url=base)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return hostile_run(tmp_path / "run")


def demo(folder: Path, names: list[str], **words: Any) -> Path:
    """A trajectory that names such pictures."""
    steps = tuple(Step(Observation(ImageRef(name)), **words) for name in names)
    folder.mkdir(parents=True, exist_ok=True)
    write_trajectory(folder / FILE, Trajectory("t", Task("t", "look"), steps))
    return folder


def test_only_what_the_trajectory_names_is_read(run: Path) -> None:
    key, asking = key_of(run), client(run)
    (entry,) = Library(run).collections()[0].entries()
    for name in TRICKS:
        assert asking.get(f"/picture/{key}", params={"ref": entry.ref, "name": name}).status_code == 404
    for ref in ("", "../1.1", "x/1.1", "..", "\0", f"{entry.ref}/..", "9" * 400):
        assert asking.get(f"/api/trajectory/{key}", params={"ref": ref}).status_code == 404
    for key_ in ("", "..", "run", "%2e%2e", "x" * 500):
        assert asking.get(f"/api/run/{key_}").status_code == 404
    for name in ("..%2fserver.py", "server.py", "%2e%2e%2fserver.py", ""):
        assert asking.get(f"/static/{name}").status_code == 404
    shot = asking.get(f"/api/trajectory/{key}", params={"ref": entry.ref}).json()
    name = shot["trajectory"]["steps"][0]["observation"]["picture"]["name"]
    found = asking.get(f"/picture/{key}", params={"ref": entry.ref, "name": name})
    assert found.headers["content-type"] == "image/png"


def test_a_picture_name_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png("red"))
    folder = demo(tmp_path / "demo", ["../secret.png", "/etc/passwd", str(tmp_path / "secret.png")])
    asking, key = client(folder), key_of(folder)
    for name in ("../secret.png", "/etc/passwd", str(tmp_path / "secret.png")):
        assert asking.get(f"/picture/{key}", params={"ref": "0", "name": name}).status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<!doctype html><script>alert(1)</script>",
        b"\xef\xbb\xbf<html>",
        b"%PDF-1.7",
        b"",
    ],
)
def test_a_page_in_a_pictures_place_is_not_shown(tmp_path: Path, data: bytes) -> None:
    rows = '{"task_id": "a", "traj": [{"index": 0, "image": "0.png", "value": {"code": "computer.wait()"}}]}\n'
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "agentnet.jsonl").write_text(rows)
    (tmp_path / "set" / "0.png").write_bytes(data)
    (dataset,) = Library(tmp_path / "set").collections()
    asking, key = client(tmp_path / "set"), dataset.key
    while not asking.get(f"/api/dataset/{key}").json()["index"].get("ready"):
        continue
    reply = asking.get(f"/picture/{key}", params={"ref": "a", "name": "0.png"})
    assert reply.status_code == 404
    assert reply.headers["content-type"].startswith("text/plain")
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_a_giant_field_is_cut_and_says_so(tmp_path: Path) -> None:
    folder = demo(tmp_path / "demo", ["0.png"], thought="x" * 3_000_000)
    asking, key = client(folder), key_of(folder)
    told = asking.get(f"/api/trajectory/{key}", params={"ref": "0"})
    assert len(told.content) < 2 * LONGEST
    assert "2,900,000 more characters" in told.json()["trajectory"]["steps"][0]["thought"]
    whole = asking.get(f"/whole/{key}", params={"ref": "0"})
    assert len(whole.json()["steps"][0]["thought"]) == 3_000_000


def test_every_answer_carries_the_content_policy(run: Path) -> None:
    asking, key = client(run, base="http://localhost"), key_of(run)
    for path in ("/", "/static/app.js", "/api/home", f"/api/run/{key}", "/nowhere", "/api/run/nothing"):
        headers = asking.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]


def test_other_names_and_other_sites_are_not_answered(run: Path) -> None:
    assert client(run, base="http://evil.example").get("/").status_code == 400
    asking = client(run)
    assert asking.get("/api/home", headers={"origin": "http://evil.example"}).status_code == 403
    assert asking.get("/api/home", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_with_a_token_only_who_has_it_is_answered(run: Path) -> None:
    asking = client(run, "right", base="http://machine.example:8500")
    assert asking.get("/api/home").status_code == 401
    assert asking.get("/?token=wrong").status_code == 401
    assert asking.get("/", headers={"cookie": "workalike=wrong"}).status_code == 401
    assert asking.get("/?token=right").status_code == 200
    assert asking.get("/api/home").status_code == 200
    assert asking.get("/api/home", headers={"origin": "http://evil.example"}).status_code == 403
    cookie = client(run, "right").get("/?token=right", follow_redirects=False).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_a_part_of_a_picture_can_be_asked_for(run: Path) -> None:
    (collection,) = Library(run).collections()
    (entry,) = collection.entries()
    name = collection.trajectory(entry.ref).pictures[0].name
    asking, params = client(run), {"ref": entry.ref, "name": name}
    whole = asking.get(f"/picture/{collection.key}", params=params).content

    def part(asked: str) -> tuple[int, bytes]:
        reply = asking.get(f"/picture/{collection.key}", params=params, headers={"range": asked})
        return reply.status_code, reply.content

    assert part("bytes=0-3") == (206, whole[:4])
    assert part("bytes=4-") == (206, whole[4:])
    assert part("bytes=-5") == (206, whole[-5:])
    assert part(f"bytes={len(whole)}-")[0] == 416
    assert part("bytes=a-b") == (200, whole)


def test_no_text_ends_the_data_of_a_saved_page(run: Path) -> None:
    (collection,) = Library(run).collections()
    (entry,) = collection.entries()
    page = saved_page(collection, entry.ref).decode()  # type: ignore[arg-type]
    assert page.count("</script>") == 3
    assert "<img src=x" not in page


def test_what_is_sent_is_bounded_and_checked(tmp_path: Path) -> None:
    rows = '{"task_id": "a", "traj": []}\n'
    (tmp_path / "agentnet.jsonl").write_text(rows)
    (dataset,) = Library(tmp_path).collections()
    asking, url = client(tmp_path), f"/api/command/{dataset.key}"
    assert asking.post(url, content="{}").status_code == 404
    json = {"content-type": "application/json"}
    assert asking.post(url, content="{", headers=json).status_code == 400
    assert asking.post(url, content=b"x" * 1_100_000, headers=json).status_code == 413


def test_pictures_come_out_of_split_archives(tmp_path: Path) -> None:
    folder = demo(tmp_path / "demo", ["images/0.png"])
    write_volumes(tmp_path / "archive.zip", {"images/0.png": png("red")}, cuts=(60, 200))
    library = Library(folder, images=(tmp_path / "archive.zip",))
    (collection,) = library.collections()
    assert collection.picture("0", "images/0.png") == png("red")


def test_the_pages_modules_never_make_markup_of_text_nor_ask_elsewhere() -> None:
    namespace = "http://www.w3.org/2000/svg"
    for file in STATIC.iterdir():
        text = file.read_text("utf-8").replace(namespace, "")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in text, f"{file.name} has {word}"
        assert "http://" not in text, file.name
        assert "https://" not in text, file.name
        assert max(map(len, text.splitlines())) <= 120, file.name
