"""The accessibility tree of a step, out of the recording that the trajectory was reduced from."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from workalike.core.observation import Observation
from workalike.core.recording import RecordingHeader, SegmentHeader, Tree, TreeNode
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory
from workalike.store.files import write_file
from workalike.store.lines import encode
from workalike.store.trajectories import FILE, write_trajectory
from workalike.viewer.library import Library
from workalike.viewer.server import make_app


def test_the_tree_before_a_look_is_found_in_the_recording(tmp_path: Path) -> None:
    task = Task("t", "look")
    write_file(tmp_path / "raw" / "recording.json", encode(RecordingHeader("r1", task, "ubuntu", "2026-01-01")))
    segment = tmp_path / "raw" / "segments" / "0"
    write_file(segment / "segment.json", encode(SegmentHeader(0, Size(100, 50), 0.0)))
    trees = [Tree(time, "change", TreeNode("frame", f"at {time}")) for time in (1.0, 2.0, 3.0)]
    write_file(segment / "trees.jsonl", b"".join(map(encode, trees)))
    steps = tuple(Step(Observation(time=time)) for time in (0.5, 2.5))
    write_trajectory(tmp_path / "demo" / FILE, Trajectory("r1", task, steps))
    library = Library(tmp_path)
    (demo,) = [each for each in library.collections() if each.kind == "demo"]
    asking = TestClient(make_app(library), base_url="http://127.0.0.1")

    def tree(step: int) -> object:
        return asking.get(f"/api/tree/{demo.key}", params={"ref": "0", "step": step}).json()

    assert tree(0) is None
    assert tree(1) == {"time": 2.0, "why": "change", "root": {"role": "frame", "name": "at 2.0"}}
    assert asking.get(f"/api/tree/{demo.key}", params={"ref": "0", "step": 7}).status_code == 404
    kinds = {each["kind"]: each for each in asking.get("/api/home").json()["collections"]}
    assert kinds["recording"]["instruction"] == "look"
    assert not kinds["recording"]["ended"]
