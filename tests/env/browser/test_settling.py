"""Coming to rest is waited for by events: nothing costs nothing, and a page that never rests costs only the bound."""

from __future__ import annotations

import time

import pytest

from tests.env.web import HOST, Actor, Handler, slowly
from workalike.core.actions import Click, Visit, Wait, Write
from workalike.core.screen import Point

pytestmark = pytest.mark.asyncio(loop_scope="session")
SETTLE, QUIET = 2.0, 0.5


async def seconds(actor: Actor, name: str) -> float:
    place = await actor.place(name)
    start = time.perf_counter()
    taken = await actor.do(Click(place))
    assert taken.error is None
    return time.perf_counter() - start


async def test_a_click_that_changes_nothing_does_not_wait(actor: Actor) -> None:
    await actor.open("<button>Nothing</button><button onclick='setTimeout(() => {}, 400)'>Timer</button>")
    waited = min([await seconds(actor, "Timer") for _ in range(3)])
    assert min([await seconds(actor, "Nothing") for _ in range(5)]) < waited / 2


async def test_an_answer_whose_body_comes_after_its_head_is_waited_for(actor: Actor) -> None:
    def halting(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/plain")
        handler.send_header("content-length", "6")
        handler.end_headers()
        handler.wfile.write(b"got")
        handler.wfile.flush()
        time.sleep(0.2)
        handler.wfile.write(b" it")

    ask = "fetch('/halting').then((r) => r.text()).then((t) => document.title = t)"
    await actor.open(f'<title>old</title><button onclick="{ask}">Go</button>', halting=halting)
    await actor.do(Click(await actor.place("Go")))
    assert (await actor.look()).observation.title == "got it"


@pytest.mark.parametrize(
    "effect",
    [
        "setTimeout(() => fetch('/late').then((r) => r.text()).then(show), 0)",
        "fetch('/late').then((r) => r.text()).then(() => fetch('/late')).then((r) => r.text()).then(show)",
        "{ const x = new XMLHttpRequest(); x.onload = () => show(x.response); x.open('GET', '/late'); x.send() }",
        "requestAnimationFrame(() => requestAnimationFrame(() => show('got it')))",
        "setTimeout(() => show('got it'), 300)",
        "setTimeout(() => setTimeout(() => fetch('/late').then((r) => r.text()).then(show), 100), 200)",
        "Promise.resolve().then(() => show('got it'))",
        "{ const i = new Image(); i.onload = () => show('got it'); i.src = '/picture' }",
        "{ const s = document.createElement('script'); s.src = '/script'; document.body.append(s) }",
    ],
    ids=[
        "fetch after a task",
        "fetch after fetch",
        "request",
        "frames",
        "timer",
        "timers and fetch",
        "microtask",
        "image",
        "script",
    ],
)
async def test_what_a_click_sets_off_is_waited_for(actor: Actor, effect: str) -> None:
    def picture(handler: Handler) -> None:
        time.sleep(0.2)
        handler.reply("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "image/svg+xml")

    def script(handler: Handler) -> None:
        time.sleep(0.2)
        handler.reply("show('got it')", "text/javascript")

    await actor.open(
        f'<script>const show = (text) => document.title = text</script><button onclick="{effect}">Go</button>',
        late=slowly("got it", 0.25),
        picture=picture,
        script=script,
    )
    await actor.click("Go")
    assert await actor.title() == "got it"


async def test_an_answer_that_nobody_reads_is_not_waited_for(actor: Actor) -> None:
    def kept(handler: Handler) -> None:
        handler.reply('{"kept": true}', "application/json", Cache_Control="no-store")

    send = "fetch('/kept', {method: 'POST', body: new URLSearchParams({a: 1}), keepalive: true})"
    await actor.open(f'<button onclick="{send}">Keep</button>', kept=kept)
    assert await seconds(actor, "Keep") < SETTLE / 2
    assert actor.web.posts[-1] == "a=1"


@pytest.mark.parametrize(
    "go",
    [
        "location = '/slow'",
        "setTimeout(() => location = '/slow', 0)",
        "this.form.submit()",
        "this.form.requestSubmit()",
        "history.pushState(0, '', '/pushed'); location.reload()",
        "location.assign('/hop')",
        "fetch('/late').then(() => location = '/slow')",
    ],
)
async def test_a_navigation_is_waited_for(actor: Actor, go: str) -> None:
    def hop(handler: Handler) -> None:
        handler.reply("", status=302, Location="/slow")

    slow = slowly("<title>there</title><p>text", 0.3)
    await actor.open(
        f'<form action=/slow><button type=button onclick="{go}">Go</button></form>',
        slow=slow,
        pushed=slow,
        hop=hop,
        late=slowly("x", 0.1),
    )
    await actor.click("Go")
    assert await actor.title() == "there"


async def test_a_short_animation_is_waited_for_and_an_endless_one_is_not(actor: Actor) -> None:
    await actor.open(
        """<style>@keyframes turn { to { rotate: 360deg } } #spin { animation: turn 1s infinite linear; width: 20px }
          #panel { transition: width .2s; width: 10px; background: red } .open { width: 300px !important }</style>
        <div id=spin>o</div><div id=panel>p</div><button onclick="panel.classList.add('open')">Open</button>
        <button onclick="document.title = panel.offsetWidth">Measure</button>"""
    )
    assert await seconds(actor, "Open") < SETTLE
    await actor.click("Measure")
    assert await actor.title() == "300"


ANIMATED = """<style>@keyframes slide { to { translate: 200px } } #panel { width: 100px; background: red; opacity: 0 }
    .fades { transition: opacity 1.5s; opacity: 1 !important } .slides { animation: slide 1.5s }</style>
  <div id=panel>p</div><button onclick="go()">Open</button><script>
  const done = () => document.title = 'done';
  panel.ontransitionend = panel.onanimationend = done;
  // as jQuery draws: a step with every tick of a timer, or with every frame, until the time is over
  const step = (start) => {
    const part = Math.min(1, (performance.now() - start) / 1400);
    panel.style.opacity = part;
    if (part === 1) done();
    return part < 1;
  };
  const ticks = (start) => { const timer = setInterval(() => step(start) || clearInterval(timer), 13) };
  const frames = (start) => requestAnimationFrame(() => step(start) && frames(start));
  const timers = (start) => setTimeout(() => step(start) && timers(start), 13);
  const slowly = (start) => setTimeout(() => step(start) && slowly(start), 50);
  const request = (then) => {
    const asked = new XMLHttpRequest();
    asked.onload = then;
    asked.open('GET', '/ping');
    asked.send();
  };
  const host = document.body.appendChild(document.createElement('div'));
  host.attachShadow({mode: 'open'}).innerHTML = '<p style="transition:opacity 1.2s">shady</p>';
  const shade = () => {
    const [inner] = host.shadowRoot.children;
    inner.ontransitionend = done;
    inner.style.opacity = 0;
  };
  const go = () => { %s }</script>"""


@pytest.mark.parametrize(
    "effect",
    [
        "panel.classList.add('fades')",
        "panel.classList.add('slides')",
        "panel.animate([{opacity: 0}, {opacity: 1}], 1500).onfinish = done",
        "ticks(performance.now())",
        "frames(performance.now())",
        "timers(performance.now())",
        "setTimeout(() => ticks(performance.now()), 100)",
        "slowly(performance.now())",
        "shade()",
        "fetch('/ping').then(() => setTimeout(() => panel.classList.add('fades'), 100))",
        "fetch('/ping').then((r) => r.text()).then(() => setTimeout(() => panel.classList.add('fades'), 100))",
        "request(() => setTimeout(() => panel.classList.add('fades'), 100))",
    ],
    ids=[
        "transition",
        "animation",
        "web animation",
        "interval",
        "frames",
        "timers",
        "interval after a timer",
        "slower timers",
        "transition in a shadow root",
        "transition after an answer and a timer",
        "transition after a text and a timer",
        "transition after a request and a timer",
    ],
)
async def test_an_animation_that_ends_is_waited_for(actor: Actor, effect: str) -> None:
    await actor.open(ANIMATED % effect, ping="pong")
    await actor.click("Open")
    assert await actor.title() == "done"


@pytest.mark.parametrize(
    "effect",
    [
        "panel.animate([{opacity: 0}, {opacity: 1}], {duration: 300, iterations: Infinity})",
        "setInterval(() => panel.style.opacity = Math.random(), 13)",
        "(function f() { panel.style.opacity = Math.random(); requestAnimationFrame(f) })()",
    ],
    ids=["web animation", "interval", "frames"],
)
async def test_an_animation_without_end_costs_only_the_bound(actor: Actor, effect: str) -> None:
    """What a script draws cannot be known to be endless, so it costs the bound, and once: not with every action."""
    await actor.open(ANIMATED % effect + "<button onclick=\"document.title = 'ok'\">Go</button>")
    assert await seconds(actor, "Open") < SETTLE + 2.0
    await actor.do(Wait(3.0))
    assert min([await seconds(actor, "Go") for _ in range(3)]) < QUIET + 1.0
    assert await actor.title() == "ok"


@pytest.mark.parametrize(
    ("noise", "bound"),
    [
        pytest.param("setInterval(() => fetch('/ping'), 30)", SETTLE, marks=pytest.mark.sweep),
        ("(function f() { fetch('/ping').then(f) })()", SETTLE),
        ("(function f() { out.textContent = Math.random(); requestAnimationFrame(f) })()", QUIET),
        ("new EventSource('/forever')", QUIET),
        pytest.param("fetch('/forever')", QUIET, marks=pytest.mark.sweep),
    ],
    ids=["polling", "chain", "redrawing", "event source", "long request"],
)
async def test_a_page_that_never_rests_costs_only_the_bound(actor: Actor, noise: str, bound: float) -> None:
    await actor.open(
        f"""<p id=out></p><button onclick="document.title='ok'">Go</button>
          <script>onload = () => {{ {noise} }}</script>""",
        ping="pong",
        forever=slowly("end", 20),
    )
    assert await seconds(actor, "Go") < bound + 2.0
    assert await actor.title() == "ok"


async def test_a_page_that_navigates_in_a_loop_can_be_looked_at(actor: Actor) -> None:
    await actor.open("<script>setTimeout(() => location.replace('/page?' + Math.random()), 40)</script><h1>again</h1>")
    for _ in range(5):
        percept = await actor.look()
        assert percept.picture is not None
    assert (await actor.do(Click(Point(0.5, 0.5)))).error is None


async def test_a_script_that_runs_for_long_is_waited_for_with_a_bound(actor: Actor) -> None:
    await actor.open(
        """<button onclick="const end = performance.now() + 700; while (performance.now() < end); document.title='done'"
          >Work</button>"""
    )
    await actor.click("Work")
    assert await actor.title() == "done"


async def test_a_page_that_does_not_answer_is_told(actor: Actor) -> None:
    await actor.open("<title>here</title>", never=slowly("x", 4))
    taken = await actor.do(Visit(f"http://{HOST}/never"))
    assert "did not answer within 3 s" in (taken.error or "")
    assert (await actor.look()).picture is not None


async def test_typing_waits_for_a_search_that_waits_for_the_end_of_typing(actor: Actor) -> None:
    await actor.open(
        """<input aria-label=Find><script>
        let timer, last;
        const search = () => fetch('/late').then((r) => r.text()).then((t) => document.title = t);
        const expired = () => {
          const left = last + 250 - performance.now();
          timer = left > 0 ? setTimeout(expired, left) : search();
        };
        document.querySelector('input').oninput = () => {
          last = performance.now();
          timer = timer || setTimeout(expired, 250);
        };</script>""",
        late=slowly("results", 0.2),
    )
    await actor.click("Find")
    await actor.do(Write("a few words"))
    assert await actor.title() == "results"


async def test_a_timer_that_was_cancelled_is_not_waited_for(actor: Actor) -> None:
    await actor.open(
        """<button onclick='setTimeout(() => {}, 440)'>Wait</button>
        <button onclick='clearTimeout(setTimeout(() => {}, 440)); setTimeout(() => {}, 5000)'>Go</button>"""
    )
    waited = min([await seconds(actor, "Wait") for _ in range(3)])
    assert min([await seconds(actor, "Go") for _ in range(3)]) < waited


async def test_typing_waits_for_what_it_fetches(actor: Actor) -> None:
    await actor.open(
        """<input aria-label=Find
          oninput="fetch('/late?' + this.value).then((r) => r.text()).then((t) => document.title = t)">""",
        late=slowly("results", 0.3),
    )
    await actor.click("Find")
    await actor.do(Write("ab"))
    assert await actor.title() == "results"
