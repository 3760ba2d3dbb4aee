"""Nothing leaves but by the policy: a canary on loopback is reached for in every way there is, and hears nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import unquote

import pytest
from playwright.async_api import async_playwright

from tests.env.web import HOST, Actor, Answer, Handler, Web
from workalike.core.actions import Search, Visit
from workalike.core.task import Task
from workalike.env.browser import chromium
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Canary:
    """Sockets that only listen: TCP on both loopback addresses and UDP, all on one port."""

    def __init__(self, stack: ExitStack) -> None:
        self._tcp = [self._listen(stack, socket.AF_INET, "127.0.0.1", 0)]
        self.port = int(self._tcp[0].getsockname()[1])
        self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", self.port))
        self._udp.setblocking(False)
        with suppress(OSError):  # a machine without IPv6
            self._tcp.append(self._listen(stack, socket.AF_INET6, "::1", self.port))

    @staticmethod
    def _listen(stack: ExitStack, family: int, host: str, port: int) -> socket.socket:
        listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        listener.bind((host, port))
        listener.listen(64)
        listener.setblocking(False)
        return listener

    def heard(self) -> int:
        """How many connections and datagrams came; each is counted once."""
        count = 0
        for listener in self._tcp:
            try:
                while True:
                    listener.accept()[0].close()
                    count += 1
            except BlockingIOError:
                continue
        try:
            while self._udp.recv(2048):
                count += 1
        except BlockingIOError:
            pass
        return count


@pytest.fixture
def canary() -> Iterator[Canary]:
    with ExitStack() as stack:
        yield Canary(stack)


NAMES = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1", "canary.localhost", "public.example"]
WAYS = {
    "image": "new Image().src = url",
    "fetch": "fetch(url, {mode: 'no-cors'}).catch(() => {})",
    "request": "{ const x = new XMLHttpRequest(); x.open('POST', url); x.onerror = () => {}; x.send('a') }",
    "beacon": "navigator.sendBeacon(url, 'a')",
    "websocket": "new WebSocket(url.replace('http', 'ws'))",
    "event source": "new EventSource(url)",
    "script": "add('script', {src: url})",
    "style": "add('link', {rel: 'stylesheet', href: url})",
    "prefetch": "add('link', {rel: 'prefetch', href: url})",
    "preload": "add('link', {rel: 'preload', as: 'fetch', href: url})",
    "preconnect": "add('link', {rel: 'preconnect', href: url})",
    "name prefetch": "add('link', {rel: 'dns-prefetch', href: url})",
    "icon": "add('link', {rel: 'icon', href: url})",
    "manifest": "add('link', {rel: 'manifest', href: url})",
    "frame": "add('iframe', {src: url})",
    "object": "add('object', {data: url})",
    "embed": "add('embed', {src: url})",
    "video": "add('video', {src: url, autoplay: true})",
    "font": "new FontFace('f', `url(${url})`).load().catch(() => {})",
    "form in a frame": """{
        add('iframe', {name: 'f'});
        add('form', {action: url, method: 'post', target: 'f'}).submit();
      }""",
    "pop-up": "window.open(url)",
    "ping": "{ const a = add('a', {href: '#x', ping: url}); a.click() }",
    "worker": """new Worker(URL.createObjectURL(new Blob([
        `fetch('${url}', {mode: 'no-cors'}).catch(() => {}); new WebSocket('${url}'.replace('http', 'ws'))`])))""",
    "shared worker": "new SharedWorker('/shared.js?' + encodeURIComponent(url))",
    "service worker": "navigator.serviceWorker.register('/service.js?' + encodeURIComponent(url))",
    "import": "import(url).catch(() => {})",
    "speculation": """{
        const rules = document.createElement('script');
        rules.type = 'speculationrules';
        rules.textContent = JSON.stringify({prefetch: [{urls: [url]}], prerender: [{urls: [url]}]});
        document.head.append(rules);
      }""",
    "WebTransport": "try { new WebTransport(url.replace('http', 'https')).ready.catch(() => {}) } catch {}",
    "report": "add('iframe', {src: '/reporting?' + encodeURIComponent(url)})",
    "redirect": "fetch('/redirect?' + encodeURIComponent(url), {mode: 'no-cors'}).catch(() => {})",
    "redirected frame": "add('iframe', {src: '/redirect?' + encodeURIComponent(url)})",
    "redirected image": "new Image().src = '/redirect?' + encodeURIComponent(url)",
    "WebRTC": """{
        const server = url.replace(/^http:../, '').replace(/\\/.*/, '');
        const peer = new RTCPeerConnection({iceServers: [{urls: `stun:${server}`},
          {urls: [`turn:${server}?transport=udp`, `turn:${server}?transport=tcp`], username: 'a', credential: 'b'}]});
        peer.createDataChannel('d');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      }""",
}
WORKER = """const url = decodeURIComponent(location.search.slice(1));
  fetch(url, {mode: 'no-cors'}).catch(() => {});
  try { new WebSocket(url.replace('http', 'ws')) } catch {}"""


def redirect(handler: Handler) -> None:
    handler.reply("", status=302, Location=unquote(handler.path.partition("?")[2]))


def reporting(handler: Handler) -> None:
    url = unquote(handler.path.partition("?")[2])
    policy = f"img-src 'none'; report-uri {url}"
    handler.reply("<img src=/picture.png>", Content_Security_Policy=policy, Reporting_Endpoints=f'main="{url}"')


async def points_inwards(host: str, port: int) -> list[str]:
    """A name server that says what an attacker would like it to say."""
    return ["127.0.0.1"]


def page(names: list[str], ways: dict[str, str], port: int) -> str:
    tries = "\n".join(f"try {{ {way} }} catch (e) {{ console.log(e) }}" for way in ways.values())
    return f"""<title>trying</title><body><script>
      const add = (tag, given) => {{
        const el = Object.assign(document.createElement(tag), given);
        document.body.append(el);
        return el;
      }};
      for (const name of {names}) {{ const url = `http://${{name}}:{port}/`; {tries} }}
    </script>"""


def worker(handler: Handler) -> None:
    handler.reply(WORKER, "text/javascript", Service_Worker_Allowed="/")


SERVED: dict[str, Answer] = {
    "/redirect": redirect,
    "/reporting": reporting,
    "/shared.js": worker,
    "/service.js": worker,
}


@pytest.mark.parametrize(
    ("public", "guard"),
    [(False, True), (True, True), (True, False)],
    ids=["own hosts only", "public web", "public web without a guard"],
)
async def test_a_page_reaches_nothing_it_was_not_given(
    stage: Stage, web: Web, canary: Canary, public: bool, guard: bool
) -> None:
    policy = Policy(hosts={HOST: web.place}, public=public, guard=guard)
    environment = stage.environment(policy)
    environment.resolve = points_inwards
    actor = Actor(environment, web)
    web.pages |= SERVED
    web.requests.clear()
    percept = await actor.open(page(NAMES, WAYS, canary.port))
    notices = list(percept.notices)
    for name in NAMES:
        taken = await actor.do(Visit(f"http://{name}:{canary.port}/"))
        notices += (await actor.look()).notices
        assert taken.error is not None or await actor.title() == "Refused"
    await environment.close()
    assert canary.heard() == 0
    assert any("shared.js" in request for request in web.requests)
    assert any("service.js" in request for request in web.requests) != policy.guards, "guarded sites have no worker"
    refused = [notice.text for notice in notices if notice.kind == "refused"]
    for name in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "public.example"):
        assert any(text.startswith(f"{name}:{canary.port}") for text in refused), name


@pytest.mark.parametrize(
    "names", [["image", "websocket", "redirect", "WebRTC"], pytest.param(list(WAYS), marks=pytest.mark.sweep)], ids=len
)
async def test_without_the_policy_the_same_ways_do_reach_the_canary(web: Web, canary: Canary, names: list[str]) -> None:
    """The test above means something: in a bare browser each of these ways is heard."""
    deaf = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        for name in names:
            web.pages |= SERVED | {"/page": page(["127.0.0.1"], {name: WAYS[name]}, canary.port)}
            context = await browser.new_context()
            tab = await context.new_page()
            await tab.goto(f"http://{web.place}/page", wait_until="commit")
            deaf += [] if await heard_soon(canary) else [name]
            await context.close()
            canary.heard()
        await browser.close()
    # hints that a browser is free to ignore, and what needs TLS, cannot be shown to be heard
    assert set(deaf) <= {"name prefetch", "preconnect", "speculation", "manifest", "icon", "WebTransport", "report"}


async def heard_soon(canary: Canary) -> bool:
    try:
        async with asyncio.timeout(2):
            while not canary.heard():
                await asyncio.sleep(0.02)
    except TimeoutError:
        return False
    return True


async def test_a_name_that_changes_its_meaning_is_checked_and_used_as_one(stage: Stage, canary: Canary) -> None:
    answers = iter(["203.0.113.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"])

    async def rebinding(host: str, port: int) -> list[str]:
        return [next(answers)]

    environment = stage.environment(Policy(public=True))
    environment.resolve = rebinding
    await environment.reset(Task("t", "try"))
    for _ in range(2):
        await environment.act(Visit(f"http://rebind.example:{canary.port}/"))
    percept = await environment.observe()
    await environment.close()
    assert canary.heard() == 0
    assert any("127.0.0.1" in notice.text for notice in percept.notices)


async def test_the_search_engine_is_no_way_out(stage: Stage, web: Web) -> None:
    environment = stage.environment(Policy(hosts={HOST: web.place}))
    await environment.reset(Task("t", "try"))
    await environment.act(Search("anything"))
    percept = await environment.observe()
    await environment.close()
    assert any(notice.kind == "refused" for notice in percept.notices)
