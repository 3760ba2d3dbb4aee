"""Each attempt has a clipboard of its own, which pages cannot tell from the system's."""

from __future__ import annotations

import pytest

from tests.env.web import HOST, Actor, Web
from workalike.core.actions import Hotkey, Press, Visit, Write
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = """<input aria-label=From value="some words"><input aria-label=To oninput="document.title=this.value">
  <button onclick="navigator.clipboard.writeText('by script')">Copy</button>
  <div contenteditable aria-label=Rich style="width:200px">rich</div>
  <textarea aria-label=Handled oncopy="event.clipboardData.setData('text/plain', 'replaced'); event.preventDefault()"
    onpaste="event.preventDefault(); document.title = 'got ' + event.clipboardData.getData('text/plain')"
    >mine</textarea>
  <input type=password aria-label=Secret value=hunter2>"""


async def copy(actor: Actor, name: str, key: str = "c") -> None:
    await actor.click(name)
    await actor.do(Hotkey(("ctrl", "a")))
    await actor.do(Hotkey(("ctrl", key)))


async def paste(actor: Actor, name: str) -> str | None:
    await actor.click(name)
    await actor.do(Hotkey(("ctrl", "a")))
    await actor.do(Hotkey(("ctrl", "v")))
    return (await actor.find(name)).value


async def test_copy_cut_and_paste(actor: Actor) -> None:
    await actor.open(PAGE)
    await copy(actor, "From")
    assert await paste(actor, "To") == "some words"
    assert await actor.title() == "some words"
    await copy(actor, "From", "x")
    assert (await actor.find("From")).value == ""
    assert await paste(actor, "Rich") == "some words"


async def test_pages_may_handle_it_themselves(actor: Actor) -> None:
    await actor.open(PAGE)
    await copy(actor, "Handled")
    assert await paste(actor, "To") == "replaced"
    await copy(actor, "From")
    await paste(actor, "Handled")
    assert await actor.title() == "got some words"
    await actor.click("Copy")
    assert await paste(actor, "To") == "by script"


async def test_in_and_out_of_a_frame_of_another_site(actor: Actor) -> None:
    frame = f'<iframe src="http://other.{HOST}/inner" width=500 height=100></iframe>'
    await actor.open(PAGE + frame, inner='<input aria-label="Source" value="from inside"><input aria-label="Target">')
    await copy(actor, "From")
    assert await paste(actor, "Target") == "some words"
    await copy(actor, "Source")
    assert await paste(actor, "To") == "from inside"


async def test_it_lasts_from_page_to_page(actor: Actor) -> None:
    await actor.open(PAGE)
    await copy(actor, "From")
    await actor.do(Visit(f"http://other.{HOST}/page"))
    assert await paste(actor, "To") == "some words"


async def test_passwords_are_not_copied(actor: Actor) -> None:
    await actor.open(PAGE)
    await copy(actor, "Secret")
    assert await paste(actor, "To") == ""


async def test_attempts_do_not_share_it(actor: Actor, stage: Stage, web: Web) -> None:
    await actor.open(PAGE)
    await copy(actor, "From")
    other = Actor(stage.environment(Policy(hosts={HOST: web.place})), web)
    await other.open(PAGE)
    await other.click("To")
    await other.do(Write("own"))
    await other.do(Hotkey(("ctrl", "v")))
    await other.do(Press(("v",)))
    assert (await other.find("To")).value == "ownv"
    await other.environment.close()
    await actor.open(PAGE)
    assert await paste(actor, "To") == ""
