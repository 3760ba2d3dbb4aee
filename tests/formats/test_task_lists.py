"""Online-Mind2Web's and WebVoyager's task lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workalike.core.errors import BadInput
from workalike.formats import online_mind2web, webvoyager


def test_online_mind2web(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    row = {"task_id": "a", "confirmed_task": "Find it.", "website": "https://a.example/", "level": "hard"}
    path.write_text(json.dumps([row]))
    ((task, _),) = online_mind2web.read_tasks(path)
    assert (task.category, task.start_url) == ("hard", "https://a.example/")
    path.write_text("{}")
    with pytest.raises(BadInput, match="JSON array"):
        online_mind2web.read_tasks(path)


def test_webvoyager_joins_its_reference_answers(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"web_name":"A","id":"A--3","ques":"q","web":"https://a.example/"}\n')
    (tmp_path / "reference_answer.json").write_text('{"A":{"answers":[{"id":3,"type":"golden","ans":"42"}]}}')
    ((task, key),) = webvoyager.read_tasks(path)
    assert task.category == "A"
    assert key.extra["reference"] == {"type": "golden", "answer": "42"}
    (tmp_path / "reference_answer.json").write_text("[]")
    with pytest.raises(BadInput, match="no file of reference answers"):
        webvoyager.read_tasks(path)


def test_the_published_lists(fixtures: Path) -> None:
    mind2web = online_mind2web.read_tasks(fixtures / "online-mind2web" / "Online_Mind2Web_06042025.json")
    assert len(mind2web) == online_mind2web.TASKS
    voyager = webvoyager.read_tasks(fixtures / "webvoyager" / "WebVoyager_data_08312025.jsonl")
    assert len(voyager) == 595
    assert all(key.extra for _, key in voyager)
