"""Dialogs stand open until they are answered, are seen, and take keys and clicks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.env.web import HOST, Actor
from workalike.core.actions import Click, Press, ReadPage, SwitchTab, Visit, Write
from workalike.core.screen import Point
from workalike.core.task import Task, TaskFile

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_alert_stands_open_and_is_drawn(actor: Actor) -> None:
    closed = await actor.open("<button onclick=\"alert('Saved'); document.title='after'\">Save</button>")
    assert (await actor.click("Save")).error is None
    percept = await actor.look()
    assert percept.observation.dialog is not None
    assert (percept.observation.dialog.kind, percept.observation.dialog.message) == ("alert", "Saved")
    assert percept.picture != closed.picture
    assert "a dialog stands open" in ((await actor.do(Click(Point(0.5, 0.9)))).error or "")
    assert "a dialog stands open" in ((await actor.do(ReadPage())).error or "")
    assert (await actor.do(Press(("enter",)))).error is None
    percept = await actor.look()
    assert (percept.observation.dialog, percept.observation.title) == (None, "after")


async def test_confirm_is_accepted_or_dismissed_by_key_and_by_click(actor: Actor) -> None:
    await actor.open("<button onclick=\"document.title=confirm('Sure?')\">Ask</button>")
    for answer, wanted in ((Press(("enter",)), "true"), (Press(("esc",)), "false")):
        await actor.click("Ask")
        await actor.do(answer)
        assert await actor.title() == wanted
    for button, wanted in (("OK", "true"), ("Cancel", "false")):
        await actor.click("Ask")
        taken = await actor.click(button)
        assert taken.hit is not None
        assert taken.hit.name == button
        assert await actor.title() == wanted


async def test_a_prompt_takes_what_is_written(actor: Actor) -> None:
    await actor.open("<button onclick=\"document.title=prompt('Name?', 'Bob')\">Ask</button>")
    await actor.click("Ask")
    await actor.do(Press(("enter",)))
    assert await actor.title() == "Bob"
    await actor.click("Ask")
    await actor.do(Write("Anna"))
    await actor.do(Press(("backspace",)))
    await actor.do(Write("e\n"))
    assert await actor.title() == "Anne"
    await actor.click("Ask")
    await actor.do(Press(("esc",)))
    assert await actor.title() == "null"


async def test_a_dialog_that_opens_by_itself_does_not_block_looking(actor: Actor) -> None:
    await actor.open("<script>setTimeout(() => alert('late'), 30)</script><button>One</button>")
    for _ in range(20):
        percept = await actor.look()
        if percept.observation.dialog:
            break
    assert percept.observation.dialog is not None
    await actor.do(Press(("enter",)))
    assert (await actor.find("One")).role == "button"


async def test_one_dialog_after_another(actor: Actor) -> None:
    await actor.open("<button onclick=\"alert('one'); alert('two'); document.title='done'\">Go</button>")
    await actor.click("Go")
    await actor.do(Press(("enter",)))
    percept = await actor.look()
    assert percept.observation.dialog is not None
    assert percept.observation.dialog.message == "two"
    await actor.do(Press(("enter",)))
    assert await actor.title() == "done"


async def test_leaving_a_page_that_asks_to_stay(actor: Actor) -> None:
    await actor.open(
        "<input aria-label=Field><script>onbeforeunload = (event) => event.preventDefault()</script>",
        other="<title>other</title>",
    )
    await actor.click("Field")
    await actor.do(Write("typed"))
    await actor.do(Visit(f"http://{HOST}/other"))
    percept = await actor.look()
    assert percept.observation.dialog is not None
    assert percept.observation.dialog.kind == "beforeunload"
    await actor.do(Press(("esc",)))
    assert (await actor.find("Field")).value == "typed"
    await actor.do(Visit(f"http://{HOST}/other"))
    await actor.click("Leave")
    assert await actor.title() == "other"


async def test_a_dialog_in_one_tab_leaves_the_others_usable(actor: Actor) -> None:
    await actor.open("<title>first</title><a href=/other target=_blank>Go</a>", other="<script>alert('hi')</script>")
    await actor.click("Go")
    assert (await actor.look()).observation.dialog is not None
    await actor.do(SwitchTab(0))
    percept = await actor.look()
    assert (percept.observation.dialog, percept.observation.title) == (None, "first")


FILES = """<input type=file aria-label=One onchange="document.title=[...this.files].map((f) => f.name).join(' ')">
  <input type=file multiple aria-label=Many onchange="document.title=[...this.files].map((f) => f.name).join(' ')">"""


async def test_a_file_chooser_offers_the_task_s_files_only(actor: Actor, tmp_path: Path) -> None:
    (tmp_path / "a1b2").write_text("my life", encoding="utf-8")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    files = (TaskFile("cv.txt", str(tmp_path / "a1b2")), TaskFile("photo.png", str(tmp_path / "photo.png")))
    await actor.open(FILES, task=Task("t", "send", start_url=f"http://{HOST}/page", files=files))
    await actor.click("One")
    percept = await actor.look()
    assert percept.observation.dialog is not None
    assert (percept.observation.dialog.kind, percept.observation.dialog.options) == ("file", ("cv.txt", "photo.png"))
    await actor.do(Write("/etc/passwd"))
    assert "there is no file" in ((await actor.do(Press(("enter",)))).error or "")
    await actor.click("cv.txt")
    await actor.click("Open")
    assert await actor.title() == "cv.txt"
    await actor.click("Many")
    await actor.click("cv.txt")
    await actor.click("photo.png")
    await actor.do(Press(("enter",)))
    assert await actor.title() == "cv.txt photo.png"


async def test_a_file_chooser_can_be_left(actor: Actor) -> None:
    await actor.open(FILES)
    await actor.click("One")
    assert "no file is chosen" in ((await actor.do(Press(("enter",)))).error or "")
    await actor.do(Press(("esc",)))
    assert (await actor.look()).observation.dialog is None
