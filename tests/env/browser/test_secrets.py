"""What is typed into a password field is written down as dots, wherever the field is and however it is typed into."""

from __future__ import annotations

import pytest

from tests.env.web import HOST, Actor
from workalike.core.actions import Action, Click, Hotkey, KeyDown, KeyUp, Press, Write
from workalike.core.screen import Point

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIELDS = """<title>fields</title><form action=/inside><input name=user aria-label=User>
  <input type=password name=pass aria-label=Secret><input name=note aria-label=Note><button>Go</button></form>"""
INSIDE = "<title>in</title><input autofocus aria-label=Later>"
ELSEWHERE = f"http://other.{HOST}"


async def typed(actor: Actor, *actions: Action) -> list[Action]:
    return [(await actor.do(action)).action for action in actions]


async def test_keys_of_every_kind(actor: Actor) -> None:
    await actor.open(FIELDS)
    await actor.click("Secret")
    actions = (Write("hunter2"), Press(("x",)), Hotkey(("shift", "a")), KeyDown("b"), KeyUp("b"), Hotkey(("ctrl", "a")))
    assert await typed(actor, *actions) == [
        *(Write("•••••••"), Press(("•",)), Hotkey(("shift", "•")), KeyDown("•"), KeyUp("•"), Hotkey(("ctrl", "a"))),
    ]


# A form as some are: enter leads to the next field, and after the last one to what comes next.
LED = (
    FIELDS
    + """<script>onkeydown = (event) => {
  const fields = [...document.querySelectorAll('input')], next = fields[fields.indexOf(document.activeElement) + 1];
  if (event.key !== 'Enter' || !next) return;
  event.preventDefault();
  next.focus();
}</script>"""
)
MOVING: list[tuple[Action, Action]] = [
    (Write("alice\thunter2"), Write("•" * 13)),
    (Write("alice\thunter2\n"), Write("•" * 14)),
    (Write("alice\thunter2\tnote\n"), Write("•" * 19)),
    (Write("alice\nhunter2"), Write("•" * 13)),
    (Write("alice\nhunter2\nnote\n"), Write("•" * 19)),
    (Press(("a", "tab", "h", "u", "tab", "n")), Press(("•", "tab", "•", "•", "tab", "•"))),
    (Press(("a", "tab", "h", "enter")), Press(("•", "tab", "•", "enter"))),
]


@pytest.mark.parametrize(("action", "shown"), MOVING)
async def test_the_focus_moves_while_typing(actor: Actor, action: Action, shown: Action) -> None:
    await actor.open(LED, inside=INSIDE)
    await actor.click("User")
    assert await typed(actor, action) == [shown]


async def test_the_page_itself_moves_the_focus(actor: Actor) -> None:
    moves = (
        "<script>onkeyup = (event) => event.key === '4' && document.querySelector('[type=password]').focus()</script>"
    )
    await actor.open(FIELDS + moves)
    await actor.click("User")
    assert await typed(actor, Write("1234567")) == [Write("•••••••")]


async def test_what_is_no_secret_is_written_down(actor: Actor) -> None:
    await actor.open(FIELDS, inside=INSIDE)
    await actor.click("User")
    assert await typed(actor, Write("alice\t")) == [Write("alice\t")], "nothing was typed where it led"
    await actor.click("Note")
    assert await typed(actor, Write("note\n")) == [Write("note\n")]
    assert await actor.title() == "in"


WAYS_IN = {
    "frame of another site": f'<iframe src="{ELSEWHERE}/inner" width=600 height=200></iframe>',
    "frame in a frame": f'<iframe src="{ELSEWHERE}/outer" width=700 height=300></iframe>',
    "sandboxed frame": f'<iframe sandbox="allow-forms" src="{ELSEWHERE}/inner" width=600 height=200></iframe>',
    "frame of this site": '<iframe src="/inner" width=600 height=200></iframe>',
    "object": f'<object data="{ELSEWHERE}/inner" width=600 height=200></object>',
    "closed shadow root": """<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML =
      '<input type=password style="position:absolute;left:20px;top:20px;width:200px;height:40px">'</script>""",
    "open shadow root": """<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML =
      '<input type=password style="position:absolute;left:20px;top:20px;width:200px;height:40px">'</script>""",
}


def inner(kind: str) -> str:
    return f"""<!doctype html><style>body {{ margin: 0 }} input {{ position: absolute; left: 20px; top: 20px;
      width: 200px; height: 40px }}</style><input type={kind} oninput="top.postMessage(this.value, '*')">"""


OUTER = f"""<!doctype html><style>body {{ margin: 0 }}</style>
  <iframe frameborder=0 src="http://{HOST}/inner" width=600></iframe>"""
WATCHES = """<style>body { margin: 0 } iframe, object { border: 0; display: block }</style>
  <script>onmessage = (event) => document.title = event.data</script>"""


@pytest.mark.parametrize("way", WAYS_IN)
async def test_a_field_inside_something_else(actor: Actor, way: str) -> None:
    await actor.open(WATCHES + WAYS_IN[way], inner=inner("password"), outer=OUTER)
    await actor.do(Click(Point(100 / 1440, 40 / 900)))
    assert await typed(actor, Write("hunter2"), KeyDown("a")) == [Write("•••••••"), KeyDown("•")]
    if "frame" in way and way != "sandboxed frame":
        assert await actor.title() == "hunter2a"


@pytest.mark.parametrize("way", [way for way in WAYS_IN if "shadow" not in way])
async def test_an_ordinary_field_inside_something_else(actor: Actor, way: str) -> None:
    await actor.open(WATCHES + WAYS_IN[way], inner=inner("text"), outer=OUTER)
    await actor.do(Click(Point(100 / 1440, 40 / 900)))
    assert await typed(actor, Write("shoes")) == [Write("shoes")]


@pytest.mark.parametrize(
    "body",
    [
        "<dialog id=d>Really?</dialog><script>onload = () => d.showModal()</script>",
        "<body>nothing has the focus</body>",
        "<div tabindex=-1 id=d>a menu</div><script>onload = () => d.focus()</script>",
        "<div contenteditable id=d>a text</div><script>onload = () => d.focus()</script>",
    ],
)
async def test_keys_on_something_that_is_no_field(actor: Actor, body: str) -> None:
    await actor.open(body)
    assert await typed(actor, Press(("j",))) == [Press(("j",))]


async def test_a_frame_that_moves_the_focus(actor: Actor) -> None:
    await actor.open(WATCHES + WAYS_IN["frame of another site"], inner=FIELDS)
    await actor.do(Click(Point(60 / 1440, 20 / 900)))
    assert await typed(actor, Press(("a", "tab", "b", "tab", "c"))) == [Press(("•", "tab", "•", "tab", "•"))]


async def test_a_page_that_writes_itself_anew(actor: Actor) -> None:
    anew = f"<script>onload = () => {{ document.open(); document.write(`{FIELDS}`); document.close() }}</script>"
    await actor.open(anew)
    await actor.click("User")
    assert await typed(actor, Press(("a", "tab", "b", "tab", "c"))) == [Press(("•", "tab", "•", "tab", "•"))]


async def test_a_page_that_does_not_answer(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    await actor.open(FIELDS + "<button onclick='setTimeout(() => { for (;;); }, 0)'>Hang</button>")
    await actor.click("User")
    await actor.click("Hang")
    assert await typed(actor, Write("hunter2")) == [Write("•••••••")]
