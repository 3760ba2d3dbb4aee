"""The exported schema describes what we really write."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from workalike.cli import main
from workalike.cli.schema import DOCUMENTS, schema


@pytest.mark.parametrize("name", [None, *DOCUMENTS])
def test_every_reference_leads_somewhere(name: str | None) -> None:
    document = schema(name)
    text = json.dumps(document)
    for reference in {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}:
        assert reference in document["$defs"]


def test_every_action_is_in_it() -> None:
    names = {
        definition["properties"]["do"]["enum"][0]
        for definition in schema("action")["$defs"].values()
        if "do" in definition.get("properties", {})
    }
    assert {"click", "drag", "scroll", "write", "terminate", "opaque", "read_page"} <= names
    assert len(names) == 23


def test_the_verb_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "verdict"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schema("verdict")))


def test_an_unknown_name_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "verdikt"]) == 2
    assert "trajectory, trajectory-line" in capsys.readouterr().err


def test_every_schema_that_the_page_on_files_names_is_there() -> None:
    page = (Path(__file__).parents[2] / "docs" / "on-disk.md").read_text()
    named = set(re.findall(r"schema `([a-z-]+)`", page))
    assert {"run", "layer", "layer-line", "trajectory-line"} <= named <= set(DOCUMENTS)
