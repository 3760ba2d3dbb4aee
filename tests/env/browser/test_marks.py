"""What a person could act on is found: visible, topmost, in the viewport, wherever in the page it lives."""

from __future__ import annotations

import time

import pytest

from tests.env.web import HOST, Actor, Answer, Web
from workalike.core.actions import ReadPage, Scroll, Write
from workalike.core.contracts import Wants
from workalike.core.screen import Point, Size
from workalike.env.browser.settings import BrowserSettings
from workalike.env.browser.stage import Stage
from workalike.env.policy.reach import Policy

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def marks(actor: Actor, body: str, **pages: Answer) -> list[tuple[str, str]]:
    actor.web.pages |= {f"/{name}": answer for name, answer in pages.items()}
    percept = await actor.open(body)
    return [(one.role, one.name) for one in percept.observation.elements or ()]


async def test_roles_and_names(actor: Actor) -> None:
    assert await marks(
        actor,
        """<a href=/x>Link</a> <button>Push <b>me</b></button> <button aria-label=Close>x</button>
        <input placeholder=Email> <label>Age <input type=number></label> <input type=submit value=Send>
        <textarea aria-label=Notes></textarea> <select title=Size><option>S</select>
        <input type=checkbox aria-label=Yes>
        <div role=tab>Tab</div> <div onclick="1">Plain</div> <span style="cursor:pointer">Hand</span>
        <div tabindex=0>Focus</div> <div contenteditable aria-labelledby=n>text</div> <span id=n>Editor</span>
        <a href=/y><img alt=Logo width=20 height=20 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></a>
        <details><summary>Summary</summary></details>
        <button><svg width=9 height=9><title>Gear</title></svg></button>""",
    ) == [
        ("link", "Link"), ("button", "Push me"), ("button", "Close"), ("textbox", "Email"), ("spinbutton", "Age"),
        ("button", "Send"), ("textbox", "Notes"), ("combobox", "Size"), ("checkbox", "Yes"), ("tab", "Tab"),
        ("generic", "Plain"), ("generic", "Hand"), ("generic", "Focus"), ("textbox", "Editor"), ("link", "Logo"),
        ("button", "Summary"), ("button", "Gear"),
    ]  # fmt: skip


async def test_what_cannot_be_acted_on_is_left_out(actor: Actor) -> None:
    assert await marks(
        actor,
        """<p>text</p><button style="display:none">a</button><button style="visibility:hidden">b</button>
        <input type=hidden value=c><button style="position:absolute;left:-500px">d</button><a>no address</a>
        <button style="position:absolute;top:2000px">e</button>
        <div style="position:relative;width:200px;height:50px"><button style="width:200px;height:50px">covered</button>
          <div style="position:absolute;inset:0;background:red"></div></div>
        <div style="overflow:hidden;height:20px;width:100px"><div style="height:40px"></div>
          <button>clipped</button></div>
        <button disabled>still here</button>""",
    ) == [("button", "still here")]


async def test_controls_inside_a_clickable_box_stand_for_it(actor: Actor) -> None:
    assert await marks(
        actor,
        """<div style="cursor:pointer"><button>Buy</button></div>
        <button><span style="cursor:pointer">Inner</span></button>
        <label style="cursor:pointer"><input type=radio>One</label>""",
    ) == [("button", "Buy"), ("button", "Inner"), ("radio", "One")]


async def test_through_shadow_roots_and_frames(actor: Actor) -> None:
    inner = "<button style='margin:30px' onclick=&quot;parent.document.title='framed'&quot;>In frame</button>"
    await actor.open(
        f"""<div id=h style="margin:20px"></div><script>
          h.attachShadow({{mode: 'open'}}).innerHTML =
            `<button onclick="document.title='shady'">In shadow</button>`</script>
        <iframe style="margin:50px;border:7px solid;padding:11px"
          srcdoc="{inner}<iframe srcdoc='<a href=x>Deep</a>'></iframe>"></iframe>"""
    )
    assert (await actor.click("In shadow")).error is None
    assert await actor.title() == "shady"
    taken = await actor.click("In frame")
    assert taken.hit is not None
    assert taken.hit.name == "In frame"
    assert await actor.title() == "framed"
    assert (await actor.find("Deep")).role == "link"


OTHER = f"http://other.{HOST}"
CARD = """<body style="margin:0"><title>card</title><h1 style="height:40px;margin:0">Card</h1>
  <input aria-label=Number style="width:200px"><button onclick="this.textContent='Paid'">Pay</button>
  <p style="height:400px"></p><button>Below</button>"""


async def test_into_a_frame_of_another_site(actor: Actor) -> None:
    frame = (
        f'<iframe src="{OTHER}/card" style="margin:50px;border:7px solid;padding:11px" width=400 height=200></iframe>'
    )
    await actor.open(f"<button>Before</button>{frame}<button>After</button>", card=CARD)
    elements = (await actor.look()).observation.elements or ()
    assert [(one.mark, one.name) for one in elements] == [(1, "Before"), (2, "Number"), (3, "Pay"), (4, "After")]
    await actor.click("Number")
    written = await actor.do(Write("4111"))
    assert written.hit is not None
    assert (written.hit.name, written.hit.box) == ("Number", None)
    assert (await actor.find("Number")).value == "4111"
    taken = await actor.click("Pay")
    assert taken.hit is not None
    assert taken.hit.name == "Pay"
    assert taken.hit.box is not None
    assert elements[2].box is not None
    assert taken.hit.box.overlap(elements[2].box) > 0.99
    assert (await actor.find("Paid")).role == "button"
    assert "Card" in ((await actor.do(ReadPage())).result or "")


async def test_what_is_put_off_in_a_frame_of_another_site_is_waited_for(actor: Actor) -> None:
    """A search that waits for the end of typing, as the widgets of others have it."""
    late = """<input aria-label=Find oninput="clearTimeout(this.t); this.t = setTimeout(() => {
      document.querySelector('button').textContent = 'Found ' + this.value }, 300)"><button>Nothing yet</button>"""
    await actor.open(f'<iframe src="{OTHER}/late" width=500 height=100></iframe>', late=late)
    await actor.click("Find")
    await actor.do(Write("Lisbon"))
    assert (await actor.find("Found Lisbon")).role == "button"


@pytest.mark.parametrize("depth", [2, 3, 4])
async def test_into_frames_of_many_sites(actor: Actor, depth: int) -> None:
    """Each in the other, by turns of two sites, and one in a frame of the same site."""
    actor.web.pages |= {
        f"/f{n}": f"""<iframe width=700 height={700 - 100 * n} src="http://{"ab"[n % 2]}.{HOST}/f{n + 1}"></iframe>"""
        for n in range(2, depth)
    }
    actor.web.pages["/f1"] = f'<p>in it</p><iframe width=750 height=650 src="{OTHER}/f2"></iframe>'
    actor.web.pages[f"/f{depth}"] = CARD
    await actor.open(
        f"""<iframe width=1 height=1 src="{OTHER}/card"></iframe><iframe width=800 height=700 src="/f1"></iframe>"""
    )
    taken = await actor.click("Pay")
    assert taken.hit is not None
    assert taken.hit.name == "Pay"
    assert (await actor.find("Paid")).role == "button"


async def test_what_covers_a_frame_covers_what_is_in_it(actor: Actor) -> None:
    found = await marks(
        actor,
        f"""<div style="position:relative"><iframe src="{OTHER}/inner" width=300 height=100></iframe>
          <div style="position:absolute;top:0;left:0;width:150px;height:110px;background:red"></div></div>""",
        inner="""<button style="position:fixed;left:10px;top:10px">Under</button>
          <button style="position:fixed;left:200px;top:10px">Free</button>""",
    )
    assert found == [("button", "Free")]


async def test_a_scaled_frame(actor: Actor) -> None:
    frame = f'<iframe src="{OTHER}/card" width=400 height=200 style="transform:scale(1.7);margin:150px"></iframe>'
    await actor.open(frame, card=CARD)
    await actor.click("Pay")
    assert (await actor.find("Paid")).role == "button"


async def test_a_frame_that_shows_nothing_to_act_on_is_one_thing(actor: Actor) -> None:
    found = await marks(actor, f'<iframe title=Ad src="{OTHER}/ad"></iframe><button>Own</button>', ad="<p>Buy</p>")
    assert found == [("iframe", "Ad"), ("button", "Own")]


async def test_under_a_fixed_header(actor: Actor) -> None:
    rows = "".join(f"<p><button>Row {number}</button></p>" for number in range(60))
    await actor.open(
        f"""<header style="position:fixed;top:0;left:0;right:0;height:100px;background:#eee">
          <button>Home</button></header>{rows}"""
    )
    await actor.do(Scroll(dy=5, at=Point(0.5, 0.5)))
    elements = (await actor.look()).observation.elements or ()
    assert [one.name for one in elements].count("Home") == 1
    assert all(one.box is not None and one.box.y * 900 >= 90 for one in elements if one.name != "Home")
    taken = await actor.click("Home")
    assert taken.hit is not None
    assert taken.hit.name == "Home"


async def test_what_the_page_listens_to(actor: Actor) -> None:
    """Elements that nothing but a listener tells apart from text: spans, shapes, a link without address, draggables."""
    assert await marks(
        actor,
        """<p>Text</p><span>Pressed</span> <span>Plain</span> <a>Previous</a> <a>No link</a>
        <div style="width:90px">Dragged</div><div draggable=true style="width:90px">Draggable</div>
        <svg width=200 height=60><circle cx=20 cy=30 r=8 aria-label=Circle></circle>
          <rect x=60 width=20 height=20 aria-label=Square></rect><text x=100 y=30>Label</text></svg>
        <div id=host></div><script>
        const on = (type, selector, root = document) => root.querySelector(selector).addEventListener(type, () => 1);
        on('click', 'span'); on('mouseup', 'a'); on('mousedown', 'div'); on('click', 'circle');
        on('pointerdown', 'rect');
        const root = host.attachShadow({mode: 'open'});
        root.innerHTML = '<i style="display:inline-block">In shadow</i> <i>Not this</i>';
        on('click', 'i', root);</script>""",
    ) == [
        ("generic", "Pressed"), ("link", "Previous"), ("generic", "Dragged"), ("generic", "Draggable"),
        ("generic", "Circle"), ("generic", "Square"), ("generic", "In shadow"),
    ]  # fmt: skip


async def test_areas_of_a_picture_and_shapes_without_filling(actor: Actor) -> None:
    """Neither has a box of its own in whose middle a click would meet it."""
    blank = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    await actor.open(
        f"""<p>Map</p><img usemap="#m" width=200 height=100 src="{blank}"><map name=m>
          <area shape=rect coords="0,0,90,100" href="#west" alt=West>
          <area shape=circle coords="150,50,40" href="#east" alt=East></map>
        <svg width=200 height=200>
          <circle cx=100 cy=100 r=60 fill=none stroke=red stroke-width=8 aria-label=Ring></circle></svg>
        <script>document.querySelector('circle').onclick = () => document.title = 'ring';
        onhashchange = () => document.title = location.hash</script>"""
    )
    elements = (await actor.look()).observation.elements or ()
    assert [(one.role, one.name) for one in elements] == [("link", "West"), ("link", "East"), ("generic", "Ring")]
    for name, title in [("West", "#west"), ("East", "#east"), ("Ring", "ring")]:
        taken = await actor.click(name)
        assert taken.hit is not None
        assert taken.hit.name == name
        assert await actor.title() == title


ROWS = "".join(f"<li><b>Row</b> {n}</li>" for n in range(1, 5))
NUMBERED = [("listitem", f"Row {n}") for n in range(1, 5)]


@pytest.mark.parametrize(
    "script",
    [
        "list.addEventListener('click', () => 1)",
        "list.style.height = '850px'; list.onclick = () => 1",
        # as jQuery keeps it: one listener on an element further up, and what it serves
        """document.addEventListener('click', () => 1);
        const records = new Map([[document, {click: [{selector: 'li'}]}]]);
        window.jQuery = {_data: (el) => records.get(el)}""",
        """root.addEventListener('click', () => 1);
        root.jQuery351 = {events: {click: [{selector: 'li'}]}}""",
        # as React does: everything listened for on its root, and what is meant noted on the elements
        """for (const type of ['click', 'mousedown', 'pointerup', 'wheel']) root.addEventListener(type, () => 1);
        root.__reactContainer$x = {};
        for (const row of list.children) row.__reactProps$x = {onClick: () => 1, children: []}""",
    ],
    ids=["list", "high list", "jQuery", "jQuery of its own", "React"],
)
async def test_a_listener_further_up_is_resolved_to_the_rows_it_serves(actor: Actor, script: str) -> None:
    page = f"<div id=root><h1>Rows</h1><ul id=list>{ROWS}</ul><p>Text</p></div><script>{script}</script>"
    assert await marks(actor, page) == NUMBERED
    taken = await actor.click("Row 3")
    assert taken.hit is not None
    assert (taken.hit.role, taken.hit.name) == ("listitem", "Row 3")


@pytest.mark.parametrize("where", ["window", "document", "document.documentElement", "document.body", "root"])
async def test_a_listener_for_the_whole_page_marks_nothing(actor: Actor, where: str) -> None:
    found = await marks(
        actor,
        f"""<div id=root style="height:880px"><p>Text</p><button>Go</button></div>
        <script>for (const type of ['click', 'mousedown', 'wheel']) {where}.addEventListener(type, () => 1)</script>""",
    )
    assert found == [("button", "Go")]


async def test_what_holds_controls_is_marked_where_it_takes_the_focus_itself(actor: Actor) -> None:
    """A listener that asks which part was pressed, on an app's root and on a dialog."""
    assert await marks(
        actor,
        """<div id=app><h4>App</h4><p>Text</p><button>Go</button></div>
        <div id=box role=dialog tabindex=-1 aria-label=Dialog style="width:200px">
          <p style="cursor:move;width:50px">Title</p><p>Text</p><button>Close</button></div>
        <script>const handlers = new Map();
        for (const each of [app, box]) each.onmousedown = ({target}) => handlers.get(target)?.()</script>""",
    ) == [("button", "Go"), ("dialog", "Dialog"), ("paragraph", "Title"), ("button", "Close")]


async def test_the_items_of_a_list_and_not_the_list(actor: Actor) -> None:
    """What a suggestion list or an open list of options offers; the list itself takes the keyboard, too."""
    assert await marks(
        actor,
        """<ul tabindex=0 id=menu style="width:200px;padding:0"><li>Lisbon<li>London<li>Lima</ul>
        <select size=3><option>One<option selected>Two<option>Three</select><script>
        const records = new Map([[menu, {click: [{selector: 'li'}]}]]);
        window.jQuery = {_data: (el) => records.get(el)}; menu.addEventListener('click', () => 1)</script>""",
    ) == [
        ("listitem", "Lisbon"), ("listitem", "London"), ("listitem", "Lima"),
        ("option", "One"), ("option", "Two"), ("option", "Three"),
    ]  # fmt: skip
    assert (await actor.find("Two")).states == ("selected",)
    await actor.click("Three")
    assert (await actor.find("Three")).states == ("selected",)


async def test_a_box_that_scrolls_is_one(actor: Actor) -> None:
    await actor.open(
        """<div style="width:300px;height:100px;overflow:auto"><p style="height:400px">Terms and conditions</p></div>
        <div style="width:300px;height:100px;overflow:auto"><p>Short</p></div>
        <div style="width:300px;height:60px;overflow:hidden"><p style="height:400px">Cut</p></div>
        <select size=2 title=Letter style="width:200px"><option>A<option>B<option>C</select>"""
    )
    elements = (await actor.look()).observation.elements or ()
    assert [(one.role, one.name) for one in elements if "scrollable" in one.states] == [
        ("generic", "Terms and conditions"),
        ("listbox", "Letter"),
    ]
    assert [one.name for one in elements if one.role == "option"] == ["A", "B"]


async def test_a_mark_is_where_its_element_is_not_covered(actor: Actor) -> None:
    """An open drop-down of the page's own lies over the middle of one button, and over all that shows of others."""
    await actor.open(
        """<style>button { position: absolute; top: 40px; height: 40px }</style>
        <button style="left:20px;width:100px" onclick="document.title = 'half'">Half</button>
        <button style="left:130px;width:60px">Under</button>
        <button style="left:150px;top:10px;width:20px;height:200px" onclick="document.title = 'long'">Long</button>
        <ul style="position:absolute;left:50px;top:30px;width:300px;height:100px;background:#eee;margin:0"></ul>"""
    )
    elements = (await actor.look()).observation.elements or ()
    assert [one.name for one in elements] == ["Half", "Long"]
    for name in ("Half", "Long"):
        await actor.click(name)
        assert await actor.title() == name.lower()


async def test_no_mark_is_under_an_open_list(actor: Actor) -> None:
    """The list of a select, which the environment draws, over a button that shows at its side."""
    await actor.open(
        """<select aria-label=Colour style="width:120px"><option>Red<option>Green<option>Blue</select><br>
        <button style="width:200px;height:30px" onclick="document.title = 'more'">Increase quantity</button>"""
    )
    await actor.click("Colour")
    await actor.click("Increase quantity")
    assert await actor.title() == "more"
    assert (await actor.find("Colour")).value == "Red"


async def test_no_mark_lies_over_most_of_the_page(actor: Actor) -> None:
    await actor.open("<textarea aria-label=Essay style='width:1400px;height:850px'></textarea>")
    box = (await actor.find("Essay")).box
    assert box is not None
    assert 0.3 < box.width * box.height <= 0.4
    await actor.click("Essay")
    assert "focused" in (await actor.find("Essay")).states


@pytest.mark.parametrize(
    "field",
    ["<textarea aria-label=f>{}</textarea>", '<input aria-label=f value="{}">', "<div aria-label=f contenteditable>{}"],
)
async def test_a_value_is_not_cut_without_a_sign(actor: Actor, field: str) -> None:
    await actor.open(field.format("x" * 150))
    assert (await actor.find("f")).value == "x" * 150
    await actor.open(field.format("x" * 151))
    assert (await actor.find("f")).value == "x" * 149 + "…"


async def test_right_to_left(actor: Actor) -> None:
    await actor.open(
        """<html dir=rtl lang=he><button onclick="document.title=this.textContent">שלום עולם</button>
        <select aria-label=בחר><option>אחת<option>שתיים</select></html>"""
    )
    box = (await actor.find("שלום עולם")).box
    assert box is not None
    assert box.x > 0.8
    await actor.click("שלום עולם")
    assert await actor.title() == "שלום עולם"
    await actor.click("בחר")
    await actor.click("שתיים")
    assert (await actor.find("בחר")).value == "שתיים"


async def test_values_and_states(actor: Actor) -> None:
    await actor.open(
        """<input aria-label=a value=typed><select aria-label=b><option>one<option selected>two</select>
        <button aria-label=c aria-expanded=false aria-pressed=true>x</button><input type=checkbox checked aria-label=d>
        <button disabled aria-label=e>x</button><input required readonly aria-label=f>
        <input type=file aria-label=g><input type=range aria-label=h value=30>"""
    )
    elements = {one.name: one for one in (await actor.look()).observation.elements or ()}
    assert {name: one.value for name, one in elements.items() if one.value is not None} == {
        "a": "typed",
        "b": "two",
        "f": "",
        "g": "",
        "h": "30",
    }
    assert {name: one.states for name, one in elements.items() if one.states} == {
        "c": ("collapsed", "pressed"),
        "d": ("checked",),
        "e": ("disabled",),
        "f": ("readonly", "required"),
    }


async def test_a_page_cannot_mislead_by_redefining_built_ins(actor: Actor) -> None:
    await actor.open(
        """<script>Array.prototype.map = Array.from = JSON.stringify = document.elementFromPoint = () => { throw 1 };
        Element.prototype.getBoundingClientRect = () => ({left: 0, top: 0, right: 1, bottom: 1});
        Object.defineProperty(Element.prototype, 'shadowRoot', {get() { throw 2 }});
        window.workalike = {look: () => 'mine'};</script><button onclick="document.title='ok'">True</button>"""
    )
    await actor.click("True")
    assert await actor.title() == "ok"


async def test_nor_does_an_element_that_plays_tricks_keep_others_from_being_marked(actor: Actor) -> None:
    await actor.open(
        """<p id=trick>Trick</p><p id=plain style="width:100px">Plain</p><p id=far style="margin-top:3000px">Far</p>
        <script>const tricky = {enumerable: true, get() { throw 1 }};
        for (const each of [trick, far]) Object.defineProperty(each, '__click', tricky);
        plain.addEventListener('click', () => document.title = 'plain')</script>"""
    )
    await actor.click("Plain")
    assert await actor.title() == "plain"


async def test_nor_by_naming_fields_like_properties(actor: Actor) -> None:
    """A form hands out its fields in place of its properties; one for travellers has `children`, others worse."""
    names = "children id title hidden required readOnly parentElement parentNode localName getAttribute hasAttributes"
    fields = "".join(f'<input name="{name}" aria-label="{name}">' for name in names.split())
    await actor.open(
        f"""<title>ok</title><img name=title alt=""><img name=body alt=""><img name=activeElement alt="">
        <form><p>Who?</p>{fields}<button type=button>Go</button></form>"""
    )
    assert await actor.title() == "ok"
    taken = await actor.click("children")
    assert taken.hit is not None
    assert (taken.hit.name, taken.hit.selector) == ("children", "html > body > form > input:nth-of-type(1)")
    written = await actor.do(Write("2"))
    assert written.action == Write("2"), "it is known not to be a secret"
    assert (await actor.find("children")).value == "2"
    assert (await actor.find("Go")).role == "button"
    assert "Who?" in ((await actor.do(ReadPage())).result or "")


async def test_fifty_thousand_nodes(actor: Actor) -> None:
    start = time.perf_counter()
    await actor.open(
        """<div id=all></div><script>
        const row = (_, n) => `<div><p><b>Row</b> <i>${n}</i></p><a href="#${n}">go</a></div>`;
        all.innerHTML = Array.from({length: 10000}, row).join('');
        document.title = document.querySelectorAll('*').length</script>"""
    )
    assert int(await actor.title()) > 50_000
    elements = (await actor.look()).observation.elements or ()
    assert 5 < len(elements) < 100
    taken = await actor.do(Scroll(dy=50, at=Point(0.5, 0.5)))
    assert taken.error is None
    assert time.perf_counter() - start < 30


async def test_no_elements_and_no_picture_unless_asked(actor: Actor) -> None:
    await actor.open("<button>x</button>")
    percept = await actor.look(Wants())
    assert (percept.observation.elements, percept.tree) == (None, None)
    percept = await actor.look(Wants(picture=False))
    assert (percept.picture, percept.observation.picture) == (None, None)


async def test_the_accessibility_tree_on_request(actor: Actor) -> None:
    await actor.open("<h1>News</h1><nav><a href=/x>Home</a></nav><input aria-label=Find value=abc><p>Some text</p>")
    tree = (await actor.look(Wants(tree=True))).tree
    assert tree is not None
    lines = tree.splitlines()
    assert any(line.strip().startswith("heading 'News'") for line in lines)
    assert any(line.startswith("  ") and "link 'Home'" in line for line in lines)
    assert any("textbox 'Find'" in line and "abc" in line for line in lines)


GRID = [(scale, size) for scale in (1.0, 2.0) for size in (Size(1440, 900), Size(1024, 768), Size(390, 844))]


@pytest.mark.parametrize(
    ("scale", "size"),
    [pytest.param(*one, marks=() if one in GRID[1:4:2] else pytest.mark.sweep) for one in GRID],
    ids=lambda value: f"{value.width}×{value.height}" if isinstance(value, Size) else f"scale {value:g}",
)
async def test_marks_are_where_clicks_go_at_every_size_and_scale(
    stage: Stage, web: Web, scale: float, size: Size
) -> None:
    """Every widget on a crowded page is clicked at the centre of its mark, and nothing else is hit."""
    settings = BrowserSettings(viewport=size, scale=scale)
    actor = Actor(stage.environment(Policy(hosts={HOST: web.place}), settings=settings), web)
    cells = "".join(
        f"<button onclick='hit({number})'>b{number}</button><a href='javascript:hit({number + 1})'>a{number}</a>"
        f"<label><input type=checkbox onclick='hit({number + 2})'>c{number}</label>"
        f"<span role=button tabindex=0 onclick='hit({number + 3})'>s{number}</span> "
        for number in range(0, 24, 4)
    )
    percept = await actor.open(
        f"""<meta name=viewport content="width=device-width"><style>body {{ font: 14px sans-serif }}
        span, a, label {{ margin: 3px; display: inline-block }}</style>{cells}
        <script>const hits = []; const hit = (n) => {{ hits.push(n); document.title = hits.join(' ') }}</script>"""
    )
    assert percept.observation.picture is not None
    assert percept.picture is not None
    wanted = Size(round(size.width * scale), round(size.height * scale))
    assert (percept.observation.size, percept.observation.picture.size) == (size, wanted)
    names = [one.name for one in percept.observation.elements or ()]
    assert len(names) == 24
    for name in names:
        taken = await actor.click(name)
        assert taken.hit is not None
        assert taken.hit.name == name
    assert await actor.title() == " ".join(map(str, range(24)))
    await actor.environment.close()
