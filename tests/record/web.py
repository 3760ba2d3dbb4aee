"""What stands on the small web in the tests of browser recording: a form, a page that counts, and a page in a frame."""

from __future__ import annotations

from tests.env.web import Answer, Web
from tests.record.counter_program import BITS, CORNER, SQUARE

FORM = """<!doctype html><meta charset=utf-8><title>Form</title><h1>Hello</h1>
<form action=/next><label>Name <input id=name name=n></label> <label>Password <input id=secret type=password></label>
<select id=list name=l><option>one<option>two<option>three</select> <button>Go</button></form>
<button id=show type=button onclick="secret.type='text'">Show</button>
<a id=tab href=/next target=_blank>new tab</a><p><iframe src="{other}/framed" width=300 height=120></iframe>
<div style="height:3000px">tall</div>"""
FRAMED = "<!doctype html><body style='margin:0'><button id=inner style='width:100px;height:40px'>Inside</button>"
NEXT = """<!doctype html><title>Next</title><h1>Done</h1>
<script>setTimeout(() => { document.title = 'Later' }, 100)</script>"""
STRIPES = "background:repeating-linear-gradient(90deg,#000 0 10px,#fff 10px 20px)"
FIELD = "width:200px;height:40px;font-size:30px;font-weight:bold"
FRAMES = f"""<!doctype html><title>Frames</title><body style="margin:0;height:3000px;{STRIPES}">
<iframe src="{{other}}/outer" style="position:absolute;left:100px;top:200px;border:5px solid red;background:#fff"
width=500 height=300></iframe>"""
OUTER = """<!doctype html><body style="margin:0"><iframe src=/login width=400 height=200
style="position:absolute;left:30px;top:60px"></iframe>"""
LOGIN = f"""<!doctype html><body style="margin:0"><input id=secret type=password autocomplete=off
style="position:absolute;left:20px;top:30px;{FIELD}">"""
SHADOW = f"""<!doctype html><title>Shadow</title><body style="margin:0"><p>Above</p>
<x-open></x-open><x-closed></x-closed><div id=declared><template shadowrootmode=closed>
<input type=password style="{FIELD}" aria-label=declared></template></div>
<script>
const secretField = '<input type=password style="{FIELD}">';
const closed = document.querySelector('x-closed').attachShadow({{ mode: 'closed' }});
closed.innerHTML = secretField + '<input aria-label=plain style="{FIELD}"><x-inner></x-inner>';
const inner = closed.querySelector('x-inner').attachShadow({{ mode: 'closed' }});
inner.innerHTML = secretField;
const fields = {{ closed: () => closed.children[0], plain: () => closed.children[1], inner: () => inner.children[0] }};
setTimeout(() => {{  // nothing in the document tells of this
  const open = document.querySelector('x-open').attachShadow({{ mode: 'open' }});
  open.innerHTML = secretField;
  fields.open = () => open.children[0];
}}, 300);
</script>"""
LEAP = """<!doctype html><title>Leap</title><input id=from type=password oninput="to.focus()"><input id=to>"""
VAULT = f"""<!doctype html><title>My Vault</title><body style="margin:0;{STRIPES}"><input id=field>
<button onclick="document.title='Shop'">close</button>"""
SHOP = f"""<!doctype html><title>Shop</title><body style="margin:0;{STRIPES}"><input id=field>
<a id=leave href=/vault>leave</a>"""
COUNTER = f"""<!doctype html><title>Counter</title>
<body style="margin:0;height:100vh;background:#808080;overflow:hidden">
<div style="position:fixed;left:{CORNER[0]}px;top:{CORNER[1]}px;display:flex" id=board></div>
<script>
let count = 0;
board.innerHTML = '<i style="width:{SQUARE}px;height:{SQUARE}px;background:#000"></i>'.repeat({BITS});
function up(event) {{
  event.preventDefault();
  if (['Shift', 'Control', 'Alt', 'Meta', 'F12'].includes(event.key)) return; // F12 ends the recording
  count++;
  [...board.children].forEach((square, bit) => {{ square.style.background = count >> bit & 1 ? '#fff' : '#000'; }});
}}
for (const kind of ['mousedown', 'keydown', 'wheel']) addEventListener(kind, up, {{ passive: false }});
addEventListener('contextmenu', (event) => event.preventDefault());
</script>"""


def pages(web: Web) -> dict[str, Answer]:
    """What stands where; the frame is of another name, and so of another site."""
    return {
        "/": FORM.replace("{other}", web.address("localhost")),
        "/framed": FRAMED,
        "/next": NEXT,
        "/counter": COUNTER,
        "/frames": FRAMES.replace("{other}", web.address("localhost")),
        "/outer": OUTER,
        "/login": LOGIN,
        "/shadow": SHADOW,
        "/leap": LEAP,
        "/vault": VAULT,
        "/shop": SHOP,
    }
