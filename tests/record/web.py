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
COUNTER = f"""<!doctype html><title>Counter</title>
<body style="margin:0;height:100vh;background:#808080;overflow:hidden">
<div style="position:fixed;left:{CORNER[0]}px;top:{CORNER[1]}px;display:flex" id=board></div>
<script>
let count = 0;
board.innerHTML = '<i style="width:{SQUARE}px;height:{SQUARE}px;background:#000"></i>'.repeat({BITS});
function up(event) {{
  event.preventDefault();
  if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
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
    }
