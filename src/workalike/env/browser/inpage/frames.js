// A frame of another site cannot be looked into from outside, but our script is in it as well. Which window is which is
// told by their places among their siblings, from the top down: '0.2' is the third frame in the first.
function pathOf(inner) {
  const path = [];
  for (let win = inner; win !== win.parent; win = win.parent) {
    const place = Array.from({ length: win.parent.length }, (_, n) => win.parent[n]).indexOf(win);
    if (place < 0) return null; // in a shadow root
    path.unshift(place);
  }
  return path.join('.');
}

const isForeign = (el) => (el.localName === 'iframe' || el.localName === 'frame') && !documentIn(el);

// Which window a frame holds, and where that lies in ours.
function frameOf(el, view) {
  const rect = el.getBoundingClientRect(),
    style = getComputedStyle(el);
  const wide = rect.width / (el.offsetWidth || 1),
    high = rect.height / (el.offsetHeight || 1);
  const padding = ['Left', 'Top', 'Right', 'Bottom'].map((side) => parseFloat(style[`padding${side}`]) || 0);
  const left = view.x + rect.left + (el.clientLeft + padding[0]) * wide;
  const top = view.y + rect.top + (el.clientTop + padding[1]) * high;
  const right = left + Math.max(0, el.clientWidth - padding[0] - padding[2]) * wide;
  const bottom = top + Math.max(0, el.clientHeight - padding[1] - padding[3]) * high;
  return [pathOf(el.contentWindow), boxOf({ left, top, right, bottom })];
}

// How far there is to scroll; a page that plays tricks with that spoils nothing of the rest.
function beyondScreen() {
  try {
    return workalike.beyond();
  } catch {
    return null;
  }
}

// The title and what lies beyond the screen; where wanted also everything that can be acted on, and the frames that
// must be asked themselves.
let looked = null;
workalike.look = (withElements) => {
  keepCaretHidden();
  const told = [titleOf(document), beyondScreen()];
  if (!withElements) return JSON.stringify(told);
  looked = marks();
  workalike.listens = new WeakMap();
  const shown = looked.kept.map(bounded);
  return JSON.stringify([...told, shown, looked.foreign.map(([, path]) => path).filter(Boolean)]);
};

// The same for a picture that is being taken: after the frame that it shows is drawn, while the browser encodes it.
workalike.lookWhenDrawn = async () => {
  await frame();
  await turn();
  return workalike.look(true);
};

// The same question to every document: only those that are meant answer.
workalike.lookIn = (paths) => {
  const path = pathOf(window);
  return path && paths.includes(path) ? JSON.stringify([path, marks()]) : null;
};

workalike.hitIn = (path, x, y) => (path === pathOf(window) ? workalike.hit(x * innerWidth, y * innerHeight) : null);

// Only the document with the focus itself knows what has it.
workalike.focusIn = () => (document.hasFocus() ? workalike.focus() : null);

workalike.textIn = (most) => {
  if (window === top || window.frameElement || innerWidth < 3 || innerHeight < 3) return null;
  return workalike.text(most);
};

// The last look once more, with what the frames have told in place of their own marks.
workalike.joined = (told) =>
  looked && JSON.stringify([titleOf(document), null, filled(looked, told, shows).slice(0, MOST_MARKS).map(bounded)]);

function filled({ kept, foreign }, told, keep) {
  const inner = new Map(
    foreign.map(([at, path, place]) => [at, told[path] ? within(path, place, kept[at][2], told, keep) : []]),
  );
  return kept.flatMap((each, at) => ((inner.get(at) || []).length ? inner.get(at) : [each]));
}

// What is in a frame, by its place in ours; `shown` is the part of the frame that can be seen.
function within(path, place, shown, told, keep) {
  const moved = filled(told[path], told, () => true).map(([role, name, box, ...rest]) => [
    role,
    name,
    cut(place, box, shown),
    ...rest,
  ]);
  return moved.filter(([, , box]) => box[2] * innerWidth >= 3 && box[3] * innerHeight >= 3 && keep(path, box));
}

function cut([x, y, wide, high], box, shown) {
  const left = Math.max(x + box[0] * wide, shown[0]),
    top = Math.max(y + box[1] * high, shown[1]);
  const right = Math.min(x + (box[0] + box[2]) * wide, shown[0] + shown[2]);
  const bottom = Math.min(y + (box[1] + box[3]) * high, shown[1] + shown[3]);
  return [left, top, right - left, bottom - top].map((value) => round(value, 1));
}

function shows(path, [x, y, wide, high]) {
  const el = elementAt((x + wide / 2) * innerWidth, (y + high / 2) * innerHeight);
  return Boolean(el && isForeign(el) && pathOf(el.contentWindow) === path);
}
