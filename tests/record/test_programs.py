"""Real programs recorded: a GTK editor, a spreadsheet and a browser, with their trees and what was hit in them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.programs import needs
from tests.record.conftest import Desktops, Recorded
from tests.record.test_session import Worker, texts
from workalike.core.recording import ButtonChanged, Tree
from workalike.env.desktop.display import connect
from workalike.env.desktop.elements import walk
from workalike.env.desktop.screen import Stillness
from workalike.record.settings import RecordSettings
from workalike.store.recordings import Recording

pytestmark = pytest.mark.sweep


def roles(trees: list[Tree]) -> set[str]:
    return {node.role for tree in trees for node in walk(tree.root)}


def recorded(out: Path) -> tuple[list[tuple[str, str]], list[Tree], str]:
    """What was hit, the trees, and what was typed."""
    recording = Recording(out)
    events = list(recording.events())
    hits = [event.hit for event in events if isinstance(event, ButtonChanged) and event.down]
    assert recording.end
    assert recording.end.counts["trees"] > 0
    return [(hit.role, hit.name) for hit in hits if hit], list(recording.trees()), texts(events)


def test_an_editor(desktops: Desktops, tmp_path: Path) -> None:
    needs("mousepad")
    desktop = desktops(("mousepad",))
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()):
        worker.click(640, 400)
        worker.type("some words")
        worker.settle()
        worker.click(340, 180)
    hits, trees, typed = recorded(tmp_path / "r")
    assert hits == [("text", ""), ("menu", "File")]
    assert typed == "some words"
    assert "text" in roles(trees)
    assert any(node.value == "some words" for tree in trees for node in walk(tree.root))


def test_a_spreadsheet(desktops: Desktops, tmp_path: Path) -> None:
    needs("soffice")
    desktop = desktops()
    stillness = Stillness(connect(desktop.name))
    desktop.launch("soffice", "--calc", "--norestore", "--nologo", SAL_USE_VCLPLUGIN="gtk3")
    stillness.settle(60.0, 4.0, 90.0)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()):
        worker.click(240, 400)
        worker.type("42")
        worker.hands.press("enter")
        threading.Event().wait(4)  # a person looks at what came of it
        worker.click(500, 500)
    hits, trees, typed = recorded(tmp_path / "r")
    assert [role for role, _ in hits] == ["table cell", "table cell"]
    assert all(name[0].isalpha() and name[1:].isdigit() for _, name in hits), "each cell is known by its name"
    assert typed == "42"
    assert all(tree.cut for tree in trees), "there are more cells than any tree can hold"
    cells = {node.name for tree in trees for node in walk(tree.root) if node.role == "table cell"}
    assert {"A1", "B1"} <= cells


def test_a_browser(desktops: Desktops, tmp_path: Path) -> None:
    needs("chromium")
    page = "<title>Log in</title><input aria-label=name><br><input type=password aria-label=secret><button>Go</button>"
    (tmp_path / "page.html").write_text(f"<!doctype html><style>input,button{{font-size:40px}}</style>{page}")
    desktop = desktops()
    stillness = Stillness(connect(desktop.name))
    flags = ("--no-sandbox", "--force-renderer-accessibility", "--no-first-run", "--kiosk")
    desktop.launch("chromium", *flags, f"--user-data-dir={tmp_path}/profile", f"file://{tmp_path}/page.html")
    stillness.settle(60.0, 3.0, 90.0)
    worker = Worker(desktop)
    with Recorded(tmp_path / "r", desktop, RecordSettings()):
        threading.Event().wait(1)  # it begins to speak when somebody listens
        worker.click(100, 40)
        worker.type("Bob")
        worker.hands.press("tab")
        worker.type("s3cret")
        threading.Event().wait(1)
    hits, trees, typed = recorded(tmp_path / "r")
    assert hits == [("entry", "name")]
    assert typed == "Bob", "what was typed into the password field is masked"
    assert {"entry", "password text", "push button"} <= roles(trees)
