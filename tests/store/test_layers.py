"""Layers speak of trajectories without touching them; later lines count; nothing is said twice after a crash."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from tests.store.spoiling import spoilt
from workalike.core.errors import BadInput, Damaged, InUse
from workalike.core.observation import Observation
from workalike.core.task import Task
from workalike.core.trajectory import Step, Trajectory
from workalike.core.verdict import Verdict
from workalike.store.layers import Layer, LayerWriter, StepTexts, find_layers, layer_path, overlay

GOOD, BAD = (Verdict("t1", "state", "success"), Verdict("t1", "state", "failure", "one item short"))


def _verdicts(root: Path, votes: int = 1) -> LayerWriter[Verdict]:
    return LayerWriter(root, "verdicts", "state", Verdict, {"votes": votes})


def test_the_later_line_counts_and_none_is_lost(tmp_path: Path) -> None:
    with _verdicts(tmp_path) as writer:
        writer.put("t1", BAD)
        writer.put("t2", GOOD)
        writer.put("t1", GOOD)
    layer = Layer(writer.path, Verdict)
    assert layer.get("t1") == GOOD
    assert layer.of("t1") == {None: GOOD}
    assert layer.of("t3") == {}
    assert list(layer) == [(("t1", None), GOOD), (("t2", None), GOOD)]
    assert len(layer) == 2
    assert ("t1", None) in layer
    assert ("t1", 0) not in layer
    assert writer.path.read_bytes().count(b"\n") == 4


def test_what_was_said_can_be_taken_back(tmp_path: Path) -> None:
    with _verdicts(tmp_path) as writer:
        writer.put("t1", GOOD)
        writer.take_back("t1")
        assert ("t1", None) not in writer
    assert Layer(writer.path, Verdict).get("t1") is None
    assert len(Layer(writer.path, Verdict)) == 0


def test_another_setting_makes_another_layer(tmp_path: Path) -> None:
    with _verdicts(tmp_path, 1) as one, _verdicts(tmp_path, 3) as three:
        one.put("t1", GOOD)
        three.put("t1", BAD)
    assert one.path != three.path
    assert one.path.parent == tmp_path / "layers" / "verdicts"
    assert one.path.name.startswith("state-")
    assert find_layers(tmp_path, "verdicts") == sorted([one.path, three.path])
    assert find_layers(tmp_path, "labels") == []
    assert Layer(three.path, Verdict).header.settings == {"votes": 3}
    assert layer_path(tmp_path, "verdicts", "state", {"votes": 3}) == three.path


def test_after_a_crash_it_goes_on_and_knows_what_was_said(tmp_path: Path) -> None:
    with LayerWriter(tmp_path, "annotations", "gpt", StepTexts) as writer:
        for step in range(3):
            writer.put("t1", StepTexts(thought=f"thought {step}"), step)
    data = writer.path.read_bytes()
    start = data.index(b"\n") + 1
    for size in range(start, len(data)):
        writer.path.write_bytes(data[:size])
        with LayerWriter(tmp_path, "annotations", "gpt", StepTexts) as again:
            said = [step for step in range(3) if ("t1", step) in again]
            for step in range(3):
                if ("t1", step) not in again:
                    again.put("t1", StepTexts(thought=f"thought {step}"), step)
        assert said == list(range(len(said)))
        assert writer.path.read_bytes() == data


def test_two_writers_of_one_layer_are_refused(tmp_path: Path) -> None:
    with _verdicts(tmp_path), pytest.raises(InUse, match="is being written by another process"):
        _verdicts(tmp_path)


def test_layers_are_joined_on_reading(tmp_path: Path) -> None:
    steps = tuple(Step(Observation(), thought=f"own {number}", reply="raw") for number in range(3))
    trajectory = Trajectory("t1", Task("a", "b"), steps)
    with LayerWriter(tmp_path, "annotations", "gpt", StepTexts) as writer:
        writer.put("t1", StepTexts(thought="new", correct=False), 1)
        writer.put("t1", StepTexts(reflection="of none"), 7)
    joined = overlay(trajectory, Layer(writer.path, StepTexts).of("t1"))
    assert [step.thought for step in joined.steps] == ["own 0", "new", "own 2"]
    assert joined.steps[1].correct is False
    assert joined.steps[1].reply == "raw"
    assert joined.steps[0] is steps[0]
    assert overlay(trajectory, {}) == trajectory


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    with LayerWriter(tmp_path, "scores", "x", float) as writer, pytest.raises(BadInput, match=r"x-.*cannot be stored"):
        writer.put("t1", float("nan"))
    assert len(Layer(writer.path, float)) == 0


@pytest.mark.parametrize("kind", ["", "../x", "Verdicts", "a/b", "a b"])
def test_a_kind_is_a_plain_word(tmp_path: Path, kind: str) -> None:
    with pytest.raises(BadInput, match="cannot be a kind of layer"):
        layer_path(tmp_path, kind, "x")


def test_any_name_makes_a_file(tmp_path: Path) -> None:
    for name in ("", "../../x", "Ann Ő. Tator", "x" * 9000):
        with LayerWriter(tmp_path, "labels", name, bool) as writer:
            writer.put("t1", True)
        assert writer.path.parent == tmp_path / "layers" / "labels"
        assert Layer(writer.path, bool).header.name == name
    assert len(find_layers(tmp_path, "labels")) == 4


def test_a_layer_of_another_format_or_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"")
    with pytest.raises(Damaged, match="it has no whole header line"):
        Layer(path, bool)
    path.write_bytes(msgspec.json.encode({"format": 2, "kind": "a", "name": "b"}) + b"\n")
    with pytest.raises(Damaged, match="it is of format 2"):
        Layer(path, bool)
    path.write_bytes(b'{"format":1,"kind":"a","name":"b"}\n{"trajectory":"t","value":7}\n')
    with pytest.raises(Damaged, match="Expected `bool`, got `int`"):
        Layer(path, bool).get("t")


def test_no_damage_crashes_the_reader(tmp_path: Path) -> None:
    with _verdicts(tmp_path) as writer:
        for number in range(5):
            writer.put(f"t{number % 3}", BAD, number or None)
    data = writer.path.read_bytes()
    named = 0
    for seed in range(2_000):
        path = writer.path
        path.write_bytes(data[:seed] if seed < len(data) else spoilt(data, random.Random(seed)))
        try:
            list(Layer(path, Verdict))
        except Damaged:
            named += 1
    assert named > 500
