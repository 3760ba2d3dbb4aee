"""What real programs say about their windows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.programs import needs
from workalike.core.errors import Infrastructure
from workalike.core.recording import TreeNode
from workalike.core.screen import Size
from workalike.env.desktop.accessibility import Accessibility, Focus, Walked, WalkLimits
from workalike.env.desktop.atspi import Reference
from workalike.env.desktop.display import VirtualDesktop, connect
from workalike.env.desktop.elements import element_of, elements_of, focused, node_at, outline, walk
from workalike.env.desktop.input import XInput
from workalike.env.desktop.screen import Stillness
from workalike.env.desktop.windows import Window, active_window, window_at_pointer, windows


class Opened:
    """A program on a desktop of its own, and what is known of it."""

    def __init__(self, desktop: VirtualDesktop, accessibility: Accessibility) -> None:
        self.desktop, self.accessibility = desktop, accessibility
        self.display = connect(desktop.name)
        self.hands = XInput(connect(desktop.name))
        self.stillness = Stillness(connect(desktop.name))

    def active(self) -> Window:
        window = active_window(self.display)
        assert window
        return window

    async def window(self) -> Reference:
        active = self.active()
        found = await self.accessibility.window(active.pid, active.title)
        assert found
        return found

    async def tree(self) -> Walked:
        return await self.accessibility.tree(await self.window())


@asynccontextmanager
async def opened(
    *program: str, limits: WalkLimits = WalkLimits(), quiet: float = 0.35, **environ: str
) -> AsyncIterator[Opened]:
    needs("Xvfb", "dbus-daemon", program[0])
    with VirtualDesktop(Size(1280, 800)) as desktop:
        accessibility = await Accessibility.connect(desktop.environ["DBUS_SESSION_BUS_ADDRESS"], limits)
        it = Opened(desktop, accessibility)
        desktop.launch(*program, **environ)
        await asyncio.to_thread(it.stillness.settle, 60.0, quiet, 90.0)
        yield it
        await accessibility.close()


async def test_a_dialog_tells_its_tree_its_places_and_its_focus() -> None:
    async with opened("zenity", "--password", "--username") as it:
        heard: list[Focus] = []
        await it.accessibility.watch_focus(heard.append)
        walked = await it.tree()
        nodes = {node.role: node for node in walk(walked.root)}
        assert (walked.cut, walked.nodes) == (None, len(list(walk(walked.root))))
        assert nodes["push button"].name == "OK"
        secret = nodes["password text"]
        assert secret.box
        x, y = secret.box[0] + 20, secret.box[1] + 10
        assert await it.accessibility.element_at(await it.window(), x, y) == secret
        assert node_at(walked.root, x, y) == secret
        it.hands.move(x, y)
        under = window_at_pointer(it.display)
        assert under is not None
        assert under.pid == it.active().pid
        it.hands.button("left", True)
        it.hands.button("left", False)
        async with asyncio.timeout(30):  # a window manager may hold a click back, but no keys
            while not (heard and heard[-1].secret):
                await asyncio.sleep(0.01)
        it.hands.write("hidden")
        await asyncio.to_thread(it.stillness.settle)
        assert heard[-1].secret
        now = focused((await it.tree()).root)
        assert now is not None
        assert (now.role, now.box) == (secret.role, secret.box)
        assert "hidden" not in outline((await it.tree()).root)
        assert [window.id for window in windows(it.display)] == [it.active().id]


async def test_walks_are_bounded() -> None:
    async with opened("zenity", "--password", "--username", limits=WalkLimits(nodes=5)) as it:
        assert ((await it.tree()).cut, (await it.tree()).nodes) == ("nodes", 5)
        it.accessibility.limits = WalkLimits(depth=2)
        assert (await it.tree()).cut == "depth"
        it.accessibility.limits = WalkLimits(seconds=0)
        with pytest.raises(Exception, match="did not answer"):
            await it.tree()


async def test_no_bus_is_said() -> None:
    with pytest.raises(Infrastructure, match="the accessibility bus cannot be reached"):
        await Accessibility.connect("unix:path=/nowhere/at/all")


TREE = TreeNode(
    "frame",
    "Window",
    (0, 0, 100, 100),
    children=(
        TreeNode("filler", "", (0, 0, 100, 50), children=(TreeNode("push button", "OK", (10, 10, 20, 20)),)),
        TreeNode("page tab", "", None, children=(TreeNode("text", "", (0, 50, 100, 50), "typed", ("focused",)),)),
        TreeNode("push button", "far away", (500, 500, 10, 10)),
    ),
)


def test_a_tree_as_elements_and_as_text() -> None:
    elements = elements_of(TREE, Size(100, 100))
    assert [(e.mark, e.role, e.name, e.value) for e in elements] == [
        (1, "push button", "OK", None),
        (2, "text", "", "typed"),
    ]
    assert elements[0].box is not None
    assert elements[0].box.centre == elements[0].box.centre.__class__(0.2, 0.2)
    assert outline(TREE).splitlines()[:2] == ["frame 'Window' at 0,0 100×100", "  push button 'OK' at 10,10 20×20"]
    assert focused(TREE) == TREE.children[1].children[0]
    assert node_at(TREE, 15, 15) == TREE.children[0].children[0]
    assert node_at(TREE, 15, 75) == TREE.children[1].children[0]
    assert node_at(TREE, 150, 15) is None
    assert element_of(TreeNode("x"), Size(9, 9)).box is None


@pytest.mark.sweep
async def test_an_editor() -> None:
    async with opened("mousepad") as it:
        walked = await it.tree()
        assert {"menu bar", "text"} <= {node.role for node in walk(walked.root)}
        assert [node.name for node in walk(walked.root) if node.role == "menu"][:2] == ["File", "Edit"]


@pytest.mark.sweep
async def test_a_spreadsheet_that_claims_two_billion_children() -> None:
    async with opened("soffice", "--calc", "--norestore", "--nologo", quiet=3.0, SAL_USE_VCLPLUGIN="gtk3") as it:
        before = time.monotonic()
        walked = await it.tree()
        assert time.monotonic() - before < 10
        cells = [node for node in walk(walked.root) if node.role == "table cell"]
        assert walked.cut == "children"
        assert [cell.name for cell in cells[:2]] == ["A1", "B1"]
        assert "A2" in [cell.name for cell in cells], "several rows are seen, not two hundred columns"
        place = next(cell.box for cell in cells if cell.name == "C2")
        assert place
        hit = await it.accessibility.element_at(await it.window(), place[0] + 5, place[1] + 5)
        assert hit is not None
        assert hit.name == "C2"


@pytest.mark.sweep
async def test_a_browser(tmp_path: Path) -> None:
    fields = "<input type=password aria-label=secret value=abc><input aria-label=plain value=xyz>"
    flags = ("--no-sandbox", "--force-renderer-accessibility", f"--user-data-dir={tmp_path}", "--no-first-run")
    async with opened("chromium", *flags, f"data:text/html,<h1>Hello</h1>{fields}", quiet=3.0) as it:
        nodes = list(walk((await it.tree()).root))
        assert [(node.role, node.value) for node in nodes if node.name in ("secret", "plain")] == [
            ("password text", None),
            ("entry", "xyz"),
        ]
