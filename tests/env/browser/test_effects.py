"""Marks against what responds, told by effect and not by what listens: on pages that delegate as frameworks do, and, in
the sweep, on the town's, on React's and Vue's own and on the pages of MiniWoB++, none of which are kept here."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from zipfile import ZipFile

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.env.browser.effects import Judged, Rect, judge, prober, responses
from tests.env.web import HOST, Handler, Web
from tests.programs import needs
from workalike.core.contracts import Wants
from workalike.core.screen import Size
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy
from workalike.runtime.serving import serving
from workalike.town.server import App
from workalike.town.site import DOMAIN
from workalike.town.town import Town

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZE = Size(500, 320)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def plain() -> AsyncIterator[Browser]:
    """A browser without anything of ours in it."""
    async with async_playwright() as playwright:
        found = str(chromium.find())
        browser = await playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-smooth-scrolling"]
        )
        yield browser
        await browser.close()


async def marked(stage: Stage, policy: Policy, url: str) -> list[Rect]:
    """Where the environment puts marks on a page, in pixels."""
    environment = stage.environment(policy, settings=BrowserSettings(viewport=SIZE))
    percept = await environment.reset(Task("t", "t", start_url=url), Wants(elements=True))
    await environment.close()
    boxes = [one.box for one in percept.observation.elements or () if one.box is not None]
    wide, high = SIZE.width, SIZE.height
    return [(box.x * wide, box.y * high, box.width * wide, box.height * high) for box in boxes]


async def measured(plain: Browser, stage: Stage, web: Web, path: str) -> Judged:
    async with prober(plain, f"{web.address()}{path}", SIZE.width, SIZE.height) as tried:
        found = await responses(tried)
        marks = await marked(stage, Policy(hosts={HOST: web.place}), f"http://{HOST}{path}")
        return await judge(tried, found, marks)


def check(judged: list[Judged]) -> None:
    """95 % of what responds has a mark of its own, no mark is too large, and at most 5 % of them do nothing."""
    targets, marks = sum(one.targets for one in judged), sum(one.marks for one in judged)
    missed, dead = [each for one in judged for each in one.missed], [each for one in judged for each in one.dead]
    print(f"{targets} targets, {len(missed)} without a mark; {marks} marks, {len(dead)} of them do nothing")
    assert not any(one.large for one in judged)
    assert targets > 0
    assert len(missed) <= 0.05 * targets, missed
    assert len(dead) <= 0.05 * marks, dead


DELEGATING = """<style>body { margin: 0; font: 14px sans-serif } li, .cell, .tag { margin: 2px; padding: 4px }
    .grid { display: flex } .cell { width: 30px; height: 30px; background: #ddd } #box { width: 40px; height: 40px;
    position: absolute; left: 300px; top: 200px; background: #aaf } .terms { height: 50px; overflow: auto }</style>
  <div id=root><h3>Things</h3><ul id=list><li><b>One</b><li><b>Two</b><li><b>Three</b></ul>
    <div class=grid id=grid><div class=cell></div><div class=cell></div><div class=cell></div></div>
    <span class=tag>Tag</span> <span class=tag>Other</span> <a id=next>Next</a> <button id=go>Go</button>
    <div class=terms style="width:150px"><p style="height:300px">Terms</p></div></div>
  <svg width=60 height=40 style="position:absolute;left:400px;top:100px"><circle cx=20 cy=20 r=9></circle></svg>
  <div id=box></div><p id=out></p><script>
  const say = (text) => out.textContent = text;
  list.addEventListener('click', ({target}) => target.closest('li') && say(target.closest('li').textContent));
  grid.onmousedown = ({target}) => target.className === 'cell' && (target.style.background = 'red');
  for (const type of ['click', 'mousedown', 'wheel']) document.body.addEventListener(type, () => 1);
  for (const type of ['click', 'mousedown']) root.addEventListener(type, ({target}) => {
    for (let el = target; el; el = el.parentElement) if (el.__reactProps$a) el.__reactProps$a['on' + type]?.();
  });
  root.__reactContainer$a = {};
  document.querySelectorAll('.tag').forEach((tag) => {
    tag.__reactProps$a = {onClick: 1, onclick: () => tag.classList.toggle('chosen')};
  });
  next.addEventListener('click', () => say('next'));
  go.onclick = () => say('go');
  document.querySelector('circle').addEventListener('click', () => say('circle'));
  let from = null;
  box.addEventListener('mousedown', (event) => from = event.clientX - box.offsetLeft);
  addEventListener('mousemove', (event) => from !== null && (box.style.left = `${event.clientX - from}px`));
  addEventListener('mouseup', () => from = null);</script>"""


async def test_pages_that_delegate(plain: Browser, stage: Stage, web: Web) -> None:
    web.pages["/delegating"] = f"<!doctype html><meta charset=utf-8>{DELEGATING}"
    judged = await measured(plain, stage, web, "/delegating")
    assert judged.targets == 13
    check([judged])


# One listener on a container, and what it serves told apart in as many ways: by name, by tag, by data, by place.
SERVING = """<style>body { margin: 0; font: 13px sans-serif } i, b { display: inline-block; width: 16px; height: 16px;
    margin: 1px; background: gold } .flex { display: flex; gap: 9px } .grid { display: grid; height: 40px;
    grid-template-columns: 20px 20px } .grid div { border: 1px solid } .at { position: absolute }</style>
  <table id=month><thead><tr><th>Mo<th>Tu<tbody><tr><td>1<td>2<tr><td>3<td>4</table>
  <div id=days><table><tr><td style="cursor:pointer">5<td style="cursor:pointer">6</table></div>
  <div id=tabs class=flex><div>First</div><div>Second</div><div>Third</div></div>
  <div id=keys><div><span>Q</span> <span>W</span></div><div><span>A</span> <span>S</span></div></div>
  <div id=stars><i></i><i></i><i></i></div><div id=colours><b data-c=red></b><b data-c=blue></b></div>
  <div id=cells class=grid><div></div><div></div><div></div><div></div></div>
  <ul id=tree style="margin:0"><li><span>Docs</span><ul><li><span>Work</span></ul><li><span>Music</span></ul>
  <svg id=plot class=at style="left:300px;top:0" width=120 height=40><circle cx=20 cy=20 r=9></circle>
    <circle cx=60 cy=20 r=9></circle></svg>
  <div id=rows class=at style="left:300px;top:60px">
    <p>Ann <span data-act=edit>edit</span> <span data-act=drop>drop</span>
    <p>Bob <span data-act=edit>edit</span></div>
  <div id=app class=at style="left:300px;top:150px"><main><h4>Head</h4><p>Text</p><button id=go>Go</button>
    <span class=like>like</span></main></div>
  <div id=card class=at style="left:300px;top:270px;width:90px"><div>A card</div><div>of two lines</div></div>
  <output id=out class=at style="left:430px;top:0"></output><script>
  const say = (el) => el && (out.textContent = [...document.querySelectorAll('*')].indexOf(el));
  month.addEventListener('click', (e) => e.target.tagName == 'TD' && say(e.target));
  days.addEventListener('click', (e) => say(e.target.closest('td')));
  tabs.addEventListener('click', (e) => e.target !== tabs && say(e.target));
  keys.addEventListener('mousedown', ({target}) => target.localName === 'span' && say(target));
  stars.onclick = (e) => e.target !== stars && say(e.target);
  colours.addEventListener('click', (e) => e.target.dataset.c && say(e.target));
  cells.addEventListener('click', (e) => { if (e.target !== cells) e.target.textContent = 'X' });
  tree.addEventListener('click', (e) => e.target.nodeName === 'SPAN' && say(e.target));
  plot.addEventListener('pointerdown', (e) => e.target !== plot && say(e.target));
  plot.addEventListener('pointerup', () => 1);
  rows.addEventListener('click', (e) => say(e.target.closest('[data-act]')));
  app.addEventListener('click', (e) => { if (e.target.id == 'go' || e.target.className == 'like') say(e.target) });
  card.addEventListener('click', () => say(card));</script>"""


async def test_a_listener_on_a_container_serves_its_parts(plain: Browser, stage: Stage, web: Web) -> None:
    web.pages["/serving"] = f"<!doctype html><meta charset=utf-8>{SERVING}"
    judged = await measured(plain, stage, web, "/serving")
    assert judged.targets == 33
    assert (judged.missed, judged.dead, judged.large) == ((), (), ())
    assert judged.marks == 33


REACT = """
import {createElement as h, useState} from 'react';
import {createRoot} from 'react-dom/client';
const Shop = () => {
  const [chosen, choose] = useState('');
  const row = (name) => h('div', {key: name, onClick: () => choose(name), style: {padding: 4}}, h('b', null, name));
  const star = h('span', {onMouseDown: (event) => { event.stopPropagation(); choose('star') }}, '☆ star');
  const names = ['Lamp', 'Chair', 'Table', 'Rug'];
  return h('main', null, h('h3', null, 'Shop'), h('section', null, names.map(row)), star,
    h('p', null, 'Nothing to press'), h('button', {onClick: () => choose('')}, 'Clear'), h('p', null, chosen));
};
createRoot(document.getElementById('root')).render(h(Shop));
"""
VUE = """
import {createApp, h, ref} from 'vue';
const Shop = {setup() {
  const chosen = ref('');
  const choose = ({target}) => chosen.value = target.closest('li')?.textContent ?? '';
  const rows = () => ['Lamp', 'Chair', 'Table', 'Rug'].map((name) => h('li', {key: name}, [h('b', name)]));
  return () => h('main', [h('h3', 'Shop'), h('ul', {onClick: choose}, rows()), h('p', 'Nothing to press'),
    h('span', {onPointerdown: () => chosen.value = 'more'}, 'more'), h('p', chosen.value)]);
}};
createApp(Shop).mount('#root');
"""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("packages", "source", "targets"), [(["react", "react-dom"], REACT, 6), (["vue"], VUE, 5)], ids=["React", "Vue"]
)
async def test_pages_of_frameworks(
    plain: Browser, stage: Stage, web: Web, tmp_path: Path, packages: list[str], source: str, targets: int
) -> None:
    needs("npm")
    (tmp_path / "package.json").write_text(json.dumps({"private": True}))
    (tmp_path / "page.js").write_text(source)
    _run(tmp_path, "npm", "install", "--no-audit", "--no-fund", "--silent", "esbuild", *packages)
    bundle = ["--bundle", "--define:process.env.NODE_ENV='production'", "--outfile=built.js"]
    _run(tmp_path, "node_modules/.bin/esbuild", "page.js", *bundle)
    built = (tmp_path / "built.js").read_text()
    web.pages["/built.js"] = lambda handler: handler.reply(built, "text/javascript; charset=utf-8")
    web.pages["/framework"] = "<!doctype html><meta charset=utf-8><div id=root></div><script src=/built.js></script>"
    judged = await measured(plain, stage, web, "/framework")
    assert judged.targets == targets
    check([judged])


# An episode begins at once, always the same one; where it was clicked is not drawn, and time does not run out.
BEGIN = """<script>core.canvasDrawClick = () => {};
  addEventListener('load', () => { Math.seedrandom('7'); core.EPISODE_MAX_TIME = 1e8; core.startEpisodeReal() });
</script>"""


@pytest.mark.sweep
async def test_pages_nobody_here_wrote(plain: Browser, stage: Stage, web: Web, tmp_path: Path) -> None:
    """MiniWoB++, fetched when this runs."""
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "miniwob"]
    if subprocess.run([*fetch, "--dest", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("miniwob could not be fetched")
    with ZipFile(next(tmp_path.glob("miniwob-*.whl"))) as wheel:
        wheel.extractall(tmp_path)
    root = tmp_path / "miniwob" / "html"
    names = sorted(page.stem for page in (root / "miniwob").glob("*.html"))
    assert len(names) >= 125
    async with AsyncExitStack() as leaving:
        _serve(web, root, leaving)
        judged = [await measured(plain, stage, web, f"/miniwob/{name}.html") for name in names]
    check(judged)


@pytest.mark.sweep
async def test_pages_of_the_town(plain: Browser, stage: Stage) -> None:
    """The first page of every site, in the look that a visitor gets."""
    town = Town()
    judged = []
    async with serving(App(town)) as port:
        policy = Policy(hosts={f"*.{DOMAIN}": f"127.0.0.1:{port}"})
        for name in sorted(town.sites):
            async with prober(plain, f"http://{name}.{DOMAIN}:{port}/", SIZE.width, SIZE.height) as tried:
                found = await responses(tried)
                judged.append(await judge(tried, found, await marked(stage, policy, f"http://{name}.{DOMAIN}/")))
    check(judged)


def _serve(web: Web, root: Path, leaving: AsyncExitStack) -> None:
    """All files of a folder, as long as something lasts."""
    for file in (each for each in root.rglob("*") if each.is_file()):
        body, kind = file.read_bytes(), _KINDS.get(file.suffix, "application/octet-stream")
        if file.suffix == ".html":
            body += BEGIN.encode()
        path = f"/{file.relative_to(root).as_posix()}"
        web.pages[path] = lambda handler, body=body, kind=kind: _reply(handler, body, kind)  # type: ignore[misc]
        leaving.callback(web.pages.pop, path)


_KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".png": "image/png"}


def _reply(handler: Handler, body: bytes, kind: str) -> None:
    handler.reply(body, kind, Cache_Control="max-age=3600")


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
