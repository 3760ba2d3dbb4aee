// What a person could act on: visible, topmost, in the viewport; through open shadow roots and frames of the same site.
// That is what controls are made of, what the page listens to (see listeners.js), what the pointer turns into a hand
// over, and what scrolls. Frames of other sites are marked whole here, and filled in afterwards (see frames.js).
workalike.listens = new WeakMap();
const ACTIVE_TAGS = new Set([
  'a',
  'area',
  'button',
  'input',
  'select',
  'textarea',
  'summary',
  'video',
  'audio',
  'option',
]);
const ACTIVE_ROLES = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'combobox',
  'textbox',
  'searchbox',
  'slider',
  'spinbutton',
  'treeitem',
  'gridcell',
  'listbox',
  'scrollbar',
  'row',
  'columnheader',
  'rowheader',
  'cell',
  'togglebutton',
  'datepicker',
  'menu',
]);
const QUIET_ROLES = new Set(['row', 'cell', 'gridcell', 'columnheader', 'rowheader', 'menu', 'listbox']);
const ACTIVE_CURSORS = new Set([
  'pointer',
  'grab',
  'grabbing',
  'cell',
  'copy',
  'zoom-in',
  'zoom-out',
  'col-resize',
  'row-resize',
  'move',
]);
const RESIZES = /^[nesw]{1,4}-resize$/;
// What holds rows that one listener may serve; other elements do where their children are all of one class.
const LISTS = new Set(['ul', 'ol', 'dl', 'table', 'tbody']);
const MOST_MARKS = 500;
// What covers more of the viewport than this is the ground that other things stand on.
const LARGEST = 0.4;

// An element that plays tricks with its own properties is none to act on, and spoils nothing for the others.
function isActive(el, tag) {
  try {
    return actsUpon(el, tag);
  } catch {
    return false;
  }
}

function actsUpon(el, tag) {
  if (ACTIVE_TAGS.has(tag)) {
    if (tag === 'a' || tag === 'area')
      return el.hasAttribute('href') || el.hasAttribute('role') || el.hasAttribute('onclick');
    if (tag === 'video' || tag === 'audio') return el.controls;
    if (tag === 'option') return Boolean(listBoxOf(el));
    if (tag === 'select') return !isListBox(el);
    return !(tag === 'input' && el.type === 'hidden');
  }
  if (!el.hasAttributes()) return false;
  const role = el.getAttribute('role');
  if (role) {
    const first = role.trim().split(/\s+/)[0].toLowerCase();
    if (
      ACTIVE_ROLES.has(first) &&
      (!QUIET_ROLES.has(first) || el.hasAttribute('tabindex') || el.hasAttribute('onclick'))
    )
      return true;
  }
  if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown')) return true;
  const tabindex = el.getAttribute('tabindex');
  if (tabindex !== null && tabindex !== '-1' && tag !== 'body') return true;
  const editable = el.getAttribute('contenteditable');
  return (editable !== null && editable !== 'false') || el.getAttribute('draggable') === 'true';
}

// A list that stands open has its options to act on, not itself.
const isListBox = (select) => select.multiple || select.size > 1;
function listBoxOf(option) {
  const select = option.closest('select');
  return select && isListBox(select) ? select : null;
}

// Such an element can be acted on for what it is, and not only because the keyboard can reach it or it has some role.
const isControl = (el) => ACTIVE_TAGS.has(el.localName) || (el.isContentEditable && el.hasAttribute('contenteditable'));

// The frame a document is seen through: where its origin lies in the top viewport and what of it shows there.
const topView = () => ({ x: 0, y: 0, left: 0, top: 0, right: innerWidth, bottom: innerHeight });

function viewInto(frame, view) {
  const rect = frame.getBoundingClientRect();
  const x = view.x + rect.left + frame.clientLeft,
    y = view.y + rect.top + frame.clientTop;
  return {
    x,
    y,
    left: Math.max(view.left, x),
    top: Math.max(view.top, y),
    right: Math.min(view.right, x + frame.clientWidth),
    bottom: Math.min(view.bottom, y + frame.clientHeight),
  };
}

function documentIn(frame) {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}

// The innermost element at a place of the top viewport, through frames and open shadow roots.
function elementAt(x, y) {
  let root = document,
    found = null;
  for (;;) {
    const el = root.elementFromPoint(x, y);
    if (!el || el === found) return found;
    found = el;
    const inner = (el.localName === 'iframe' || el.localName === 'frame') && documentIn(el);
    if (inner) {
      const rect = el.getBoundingClientRect();
      x -= rect.left + el.clientLeft;
      y -= rect.top + el.clientTop;
      root = inner;
    } else if (el.shadowRoot) root = el.shadowRoot;
    else return found;
  }
}

const parentAcross = (node) =>
  parentOf(node) || node.host || (node.defaultView && node.defaultView.frameElement) || null;

function reaches(hit, el) {
  for (let node = hit; node; node = parentAcross(node)) if (node === el) return true;
  // a label stands for its field, and covers it in many designs
  const label = hit && hit.closest && hit.closest('label');
  return Boolean(label && label.control === el);
}

// Where an element shows, in the top viewport; null when nothing of it does.
function visibleBox(rect, view) {
  const left = Math.max(view.left, view.x + rect.left),
    top = Math.max(view.top, view.y + rect.top);
  const right = Math.min(view.right, view.x + rect.right),
    bottom = Math.min(view.bottom, view.y + rect.bottom);
  return right - left >= 3 && bottom - top >= 3 ? { left, top, right, bottom } : null;
}

// Where an element lies. An area of an image map is drawn nowhere itself: it lies on the picture that uses the map.
function rectOf(el) {
  if (tagOf(el) !== 'area') return el.getBoundingClientRect();
  const map = el.closest('map');
  const picture = map && rootOf(el).querySelector(`img[usemap="#${CSS.escape(map.name)}" i]`);
  if (!picture) return el.getBoundingClientRect();
  const { left, top, width, height } = picture.getBoundingClientRect();
  const [x, y, ...more] = el.coords.split(/[\s,]+/).map(Number);
  const place = (from, above, to, below) => new DOMRect(left + from, top + above, to - from, below - above);
  if (el.shape === 'default' || !more.length) return place(0, 0, width, height);
  if (el.shape === 'circle') return place(x - more[0], y - more[0], x + more[0], y + more[0]);
  const across = [x, ...more.filter((_, n) => n % 2 === 0)],
    down = [y, ...more.filter((_, n) => n % 2 === 1)];
  return place(Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down));
}

// Where to look for a part of an element that is its own: all of it, its halves, its edges.
const PARTS = [
  [0, 0, 1, 1],
  [0, 0, 0.5, 1],
  [0.5, 0, 1, 1],
  [0, 0, 1, 0.5],
  [0, 0.5, 1, 1],
  [0, 0, 1, 0.25],
  [0, 0.75, 1, 1],
  [0, 0, 0.2, 1],
  [0.8, 0, 1, 1],
];

function partOf({ left, top, right, bottom }, [from, above, to, below]) {
  const wide = right - left,
    high = bottom - top;
  return { left: left + wide * from, top: top + high * above, right: left + wide * to, bottom: top + high * below };
}

// The part of an element in whose middle a click goes to it, and neither to what covers it nor, if it can be helped, to
// something inside that is marked itself. What is covered altogether has none.
function freeBox(item, marked) {
  const { el, box: whole, view } = item;
  const boxes = [...el.getClientRects()].map((rect) => visibleBox(rect, view)).filter(Boolean);
  const tried = boxes.length > 1 ? [...boxes.slice(0, 3), whole] : [whole];
  let reached = null;
  for (const part of PARTS) {
    for (const box of tried) {
      const within = partOf(box, part);
      if (within.right - within.left < 3 || within.bottom - within.top < 3) continue;
      const hit = elementAt((within.left + within.right) / 2, (within.top + within.bottom) / 2);
      if (!reaches(hit, el)) continue;
      if (item.kind === 'scrolls') return whole;
      if (isOwn(hit, el, marked)) return within;
      reached ||= within;
    }
  }
  return (isControl(el) && reached) || outlineBox(item, marked);
}

// A shape that is not filled is met on its outline: the largest box around a place of that.
function outlineBox({ el, box, view }, marked) {
  const matrix = el.getPointAtLength && el.getScreenCTM();
  if (!matrix) return null;
  const places = Array.from({ length: 16 }, (_, n) => el.getPointAtLength((el.getTotalLength() * n) / 16))
    .map((point) => point.matrixTransform(matrix))
    .map(({ x, y }) => ({ x: view.x + x, y: view.y + y }))
    .filter(({ x, y }) => {
      const hit = elementAt(x, y);
      return reaches(hit, el) && isOwn(hit, el, marked);
    });
  const around = ({ x, y }) => {
    const wide = Math.max(2, Math.min(x - box.left, box.right - x)),
      high = Math.max(2, Math.min(y - box.top, box.bottom - y));
    return { left: x - wide, top: y - high, right: x + wide, bottom: y + high };
  };
  const area = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
  return places.map(around).sort((one, other) => area(other) - area(one))[0] || null;
}

function isOwn(hit, el, marked) {
  for (let node = hit; node && node !== el; node = parentAcross(node)) if (marked.has(node)) return false;
  return true;
}

function gather(root, view, found) {
  const { workalike: inner } = (root.defaultView || (root.ownerDocument && root.ownerDocument.defaultView)) ?? {};
  const listens = (inner && inner.listens) || workalike.listens;
  for (const el of root.querySelectorAll('*')) {
    const tag = el.localName;
    if (el.shadowRoot) gather(el.shadowRoot, view, found);
    if (tag === 'iframe' || tag === 'frame') {
      const inner = documentIn(el);
      const within = inner && viewInto(el, view);
      if (within && within.right > within.left && within.bottom > within.top) {
        found.frames.push([el.contentWindow, within]);
        gather(inner, within, found);
      } else if (!inner) {
        const box = visibleBox(el.getBoundingClientRect(), view);
        if (box) found.push({ el, box, view, kind: 'control', frame: true });
      }
      continue;
    }
    // most elements cannot be acted on, and asking where one lies costs most
    const kind = kindOf(el, tag, listens);
    if (!kind) continue;
    let box = visibleBox(rectOf(el), view);
    if (!box && kind === 'control' && (tag === 'input' || tag === 'a')) box = standIn(el, tag, view);
    if (box && !(kind !== 'control' && isGround(el, box))) found.push({ el, box, view, kind });
  }
}

// Why an element is marked, if it is: for itself, since the page listens to it, since the pointer says so, to scroll.
function kindOf(el, tag, listens) {
  if (isActive(el, tag)) return 'control';
  const heard = listens.get(el);
  // what tells its parts apart and holds controls is there for them, like an app's root; a dialog takes the focus
  // itself
  const sorts = heard && heard.includes('sorts');
  if ((sorts || (heard && heard.includes('press'))) && !(tag === 'label' && el.control)) {
    const parts = (sorts && partsOf(el)) || rowsOf(el, tag);
    if (!parts.length && (!sorts || el.hasAttribute('tabindex'))) return 'listens';
    if (!parts.length && !el.querySelector(CONTROLS)) return 'sorts';
    for (const part of parts) if (!listens.has(part)) listens.set(part, 'press');
  }
  if (heard && heard.includes('wheel')) return 'scrolls';
  const style = getComputedStyle(el);
  if (scrolls(el, style)) return 'scrolls';
  return hasActiveCursor(el, style) ? 'cursor' : null;
}

// The first element within that has more than one, or text of its own.
function holderOf(el) {
  let holder = el;
  while (childrenOf(holder).length === 1 && !ownText(holder)) holder = childrenOf(holder)[0];
  return holder;
}

const shownIn = (el) => [...childrenOf(el)].filter((child) => child.getClientRects().length);
const isOneTag = (els) => els.every((el) => tagOf(el) === tagOf(els[0]));

// The rows that a listener on their list serves: several children alike.
function rowsOf(el, tag) {
  const holder = holderOf(el);
  if (tagOf(holder) === 'tr') return [];
  const rows = shownIn(holder);
  if (rows.length < 2) return [];
  const isList = LISTS.has(tagOf(holder)) || LISTS.has(tag);
  const firstClass = (child) => (attributeOf(child, 'class') || '').trim().split(/\s+/)[0];
  const first = firstClass(rows[0]);
  if (!isList && (rows.length < 3 || !first)) return [];
  return isOneTag(rows) && (isList || rows.every((row) => firstClass(row) === first)) ? rows : [];
}

// The parts that a listener tells apart, where it does: the cells of a table, the shapes of a drawing, else the
// children, or theirs, where they are all of a kind and none is text or holds anything else to act on.
const CONTROLS = 'a[href], button, input, select, textarea';
const SHAPES = 'circle, ellipse, rect, path, polygon, line, polyline, text, image, use';
const PROSE = 'p, h1, h2, h3, h4, h5, h6, ul, ol, dl, table, form, article, section';
const isPart = (el) => !el.matches(`${PROSE}, ${CONTROLS}`) && !el.querySelector(`${PROSE}, ${CONTROLS}`);
function partsOf(el) {
  const holder = holderOf(el),
    tag = tagOf(holder);
  if (tag === 'tr') return null;
  if (LISTS.has(tag) && holder.querySelector('td')) return several(holder.querySelectorAll('td'));
  if (tag === 'svg') return several(holder.querySelectorAll(SHAPES));
  if (LISTS.has(tag) || ownText(holder)) return null;
  const children = shownIn(holder);
  const theirs = children.some(ownText) ? [] : children.flatMap(shownIn);
  return [theirs, children].find((parts) => parts.length > 1 && isOneTag(parts) && parts.every(isPart)) || null;
}

const several = (parts) => (parts.length > 1 ? [...parts] : null);

const ownText = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

// The page itself, and what covers most of it, holds other things: a listener there serves them.
function isGround(el, box) {
  const tag = tagOf(el);
  if (tag === 'html' || tag === 'body') return true;
  const area = (box.right - box.left) * (box.bottom - box.top);
  return tag !== 'canvas' && tag !== 'svg' && area > LARGEST * innerWidth * innerHeight;
}

const SCROLLED = new Set(['auto', 'scroll', 'overlay']);
function scrolls(el, { overflowX, overflowY }) {
  const down = SCROLLED.has(overflowY),
    across = SCROLLED.has(overflowX);
  if (!down && !across) return false;
  if (el.clientHeight < 20 || el.clientWidth < 20) return false;
  return (down && el.scrollHeight > el.clientHeight + 1) || (across && el.scrollWidth > el.clientWidth + 1);
}

// A field hidden behind its label, or a link whose only content floats, still shows by what stands for it.
function standIn(el, tag, view) {
  const shown = tag === 'input' ? el.labels && el.labels[0] : el.firstElementChild;
  return shown ? visibleBox(shown.getBoundingClientRect(), view) : null;
}

function hasActiveCursor(el, { cursor }) {
  if (!ACTIVE_CURSORS.has(cursor) && !RESIZES.test(cursor)) return false;
  const parent = elderOf(el);
  // the cursor is inherited: only the outermost element that has it counts
  return !parent || getComputedStyle(parent).cursor !== cursor;
}

function isShown(el) {
  return el.checkVisibility && tagOf(el) !== 'area'
    ? el.checkVisibility({ opacityProperty: false, visibilityProperty: true })
    : true;
}

// Drop wrappers around what the pointer points out, and parts of a control.
function dropNested(list) {
  const all = new Map(list.map((item) => [item.el, item]));
  const dropped = new Set();
  for (const { el, kind } of list) {
    if (kind === 'scrolls') continue;
    for (let node = parentAcross(el); node; node = parentAcross(node)) {
      const outer = all.get(node);
      if (!outer || outer.kind === 'scrolls') continue;
      if (outer.kind === 'cursor' || (outer.kind === 'sorts' && kind === 'cursor')) dropped.add(node);
      else if (outer.kind === 'control' && kind === 'cursor') dropped.add(el);
      else if (outer.kind === 'control' && kind !== 'control' && isWhole(node)) dropped.add(el);
    }
  }
  return list.filter((item) => !dropped.has(item.el));
}

// A button is one thing whatever it is made of; a link may hold something that does something else.
const isWhole = (el) => isControl(el) && el.localName !== 'a';

const round = (value, whole) => Math.round((value / whole) * 1e5) / 1e5;

function boxOf(box) {
  return [
    round(box.left, innerWidth),
    round(box.top, innerHeight),
    round(box.right - box.left, innerWidth),
    round(box.bottom - box.top, innerHeight),
  ];
}

function describe(el, box) {
  return [roleOf(el), nameOf(el), box && boxOf(box), valueOf(el), el.localName, statesOf(el)];
}

// A box to scroll is called by the beginning of what is in it.
const MOST_OF_BOX = 40;
function describeBox(el, box) {
  const [role, name, place, value, tag, states] = describe(el, box);
  const cut = name.length > MOST_OF_BOX ? `${name.slice(0, MOST_OF_BOX - 1)}…` : name;
  return [role, cut, place, value, tag, [...states, 'scrollable']];
}

// No mark lies over most of the page: of something that large its middle stands for it.
function bounded(described) {
  const [x, y, wide, high] = described[2];
  const part = Math.sqrt(LARGEST / (wide * high));
  if (part >= 1) return described;
  const middle = [x + (wide * (1 - part)) / 2, y + (high * (1 - part)) / 2, wide * part, high * part];
  return described.with(
    2,
    middle.map((value) => Math.floor(value * 1e5) / 1e5),
  );
}

// The rows of a list that stands open, wherever it does.
function listRows(frames) {
  return frames
    .flatMap(([inner, view]) => (inner.workalike ? inner.workalike.listRows(view) : []))
    .map(({ box, described }) => [described[0], tidy(described[1]), boxOf(box), ...described.slice(3)]);
}

// Everything that can be acted on, and which of it are frames of other sites.
let acted = new WeakSet();
function marks() {
  const found = Object.assign([], { frames: [[window, topView()]] });
  gather(document, topView(), found);
  const kept = listRows(found.frames),
    foreign = [];
  const items = dropNested(found);
  const marked = new Set(items.filter((item) => item.kind !== 'scrolls').map((item) => item.el));
  acted = new WeakSet();
  for (const item of items) {
    if (kept.length >= MOST_MARKS) break;
    if (!item.frame && !isShown(item.el) && !(item.el.labels && item.el.labels.length)) continue;
    const box = freeBox(item, marked);
    if (!box) continue;
    acted.add(item.el);
    const described = item.kind === 'scrolls' ? describeBox(item.el, box) : describe(item.el, box);
    if (item.frame) foreign.push([kept.length, ...frameOf(item.el, item.view)]);
    kept.push(described);
  }
  return { kept, foreign };
}

// The element at a place, or the one with the focus; the nearest ancestor that can be acted on stands for its parts.
function control(el) {
  for (let node = el; node; node = parentAcross(node)) {
    if (node.nodeType === 1 && (acted.has(node) || isActive(node, node.localName))) return node;
  }
  return el;
}

function viewOf(el) {
  const frames = [];
  for (let frame = el.ownerDocument.defaultView && el.ownerDocument.defaultView.frameElement; frame;) {
    frames.unshift(frame);
    const outer = frame.ownerDocument.defaultView;
    frame = outer && outer.frameElement;
  }
  return frames.reduce((view, frame) => viewInto(frame, view), topView());
}

function facts(el, secret) {
  if (!el || el.nodeType !== 1) return null;
  return [...describe(el, visibleBox(rectOf(el), viewOf(el))), selectorOf(el), secret];
}

function rowUnder(el, x, y) {
  const rows = listRows([[el.ownerDocument.defaultView, viewOf(el)]]);
  const fx = x / innerWidth,
    fy = y / innerHeight;
  return rows.find(([, , [left, top, wide, high]]) => fx >= left && fx < left + wide && fy >= top && fy < top + high);
}

function touchedAt(x, y) {
  const el = elementAt(x, y);
  const row = el && rowUnder(el, x, y);
  if (row) return [...row, '', false];
  if (el && isForeign(el)) return [...facts(el, false), frameOf(el, viewOf(el))];
  return facts(el && control(el), false);
}

workalike.hit = (x, y) => {
  watch();
  return JSON.stringify(touchedAt(x, y));
};

function focused() {
  let el = activeIn(document);
  for (;;) {
    const inner = el && (el.shadowRoot || documentIn(el));
    const active = inner && activeIn(inner);
    if (!active || active === el) return el;
    el = active;
  }
}

// Whether what is typed into an element must stay secret; null where it is not the element itself that gets it, but
// something inside that cannot be seen from here: a frame of another site, a closed shadow root.
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);
const HOSTS = new Set(
  'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);
function secrecy(el) {
  if (!el || isSecret(el)) return Boolean(el);
  if (FRAMES.has(el.localName)) return null;
  const able = el.tabIndex >= 0 || el.hasAttribute('tabindex') || el.isContentEditable;
  return able || !(HOSTS.has(el.localName) || el.localName.includes('-')) ? false : null;
}

workalike.focus = () => {
  watch();
  const el = focused();
  return JSON.stringify(facts(el, secrecy(el)));
};
