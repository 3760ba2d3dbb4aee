// What a person could act on: visible, topmost, in the viewport; through open shadow roots and frames of the same site.
// Frames of other sites are marked whole here, and filled in afterwards (see frames.js).
const ACTIVE_TAGS = new Set(['a', 'area', 'button', 'input', 'select', 'textarea', 'summary', 'video', 'audio', 'option']);
const ACTIVE_ROLES = new Set([
  'button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem', 'gridcell', 'listbox', 'scrollbar', 'row',
  'columnheader', 'rowheader', 'cell', 'togglebutton', 'datepicker', 'menu',
]);
const QUIET_ROLES = new Set(['row', 'cell', 'gridcell', 'columnheader', 'rowheader', 'menu', 'listbox']);
const ACTIVE_CURSORS = new Set([
  'pointer', 'grab', 'grabbing', 'cell', 'copy', 'zoom-in', 'zoom-out', 'col-resize', 'row-resize', 'ew-resize', 'ns-resize',
]);
const MOST_MARKS = 500;

// An element that plays tricks with its own properties is none to act on, and spoils nothing for the others.
function isActive(el, tag) {
  try { return actsUpon(el, tag); } catch { return false; }
}

function actsUpon(el, tag) {
  if (ACTIVE_TAGS.has(tag)) {
    if (tag === 'a' || tag === 'area') return el.hasAttribute('href') || el.hasAttribute('role') || el.hasAttribute('onclick');
    if (tag === 'video' || tag === 'audio') return el.controls;
    if (tag === 'option') return false;
    return !(tag === 'input' && el.type === 'hidden');
  }
  if (!el.hasAttributes()) return false;
  const role = el.getAttribute('role');
  if (role) {
    const first = role.trim().split(/\s+/)[0].toLowerCase();
    if (ACTIVE_ROLES.has(first) && (!QUIET_ROLES.has(first) || el.hasAttribute('tabindex') || el.hasAttribute('onclick'))) return true;
  }
  if (el.hasAttribute('onclick') || el.hasAttribute('onmousedown')) return true;
  const tabindex = el.getAttribute('tabindex');
  if (tabindex !== null && tabindex !== '-1' && tag !== 'body') return true;
  const editable = el.getAttribute('contenteditable');
  return editable !== null && editable !== 'false';
}

// The frame a document is seen through: where its origin lies in the top viewport and what of it shows there.
const topView = () => ({ x: 0, y: 0, left: 0, top: 0, right: innerWidth, bottom: innerHeight });

function viewInto(frame, view) {
  const rect = frame.getBoundingClientRect();
  const x = view.x + rect.left + frame.clientLeft, y = view.y + rect.top + frame.clientTop;
  return {
    x, y,
    left: Math.max(view.left, x), top: Math.max(view.top, y),
    right: Math.min(view.right, x + frame.clientWidth), bottom: Math.min(view.bottom, y + frame.clientHeight),
  };
}

function documentIn(frame) {
  try { return frame.contentDocument; } catch { return null; }
}

// The innermost element at a place of the top viewport, through frames and open shadow roots.
function elementAt(x, y) {
  let root = document, found = null;
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
  const left = Math.max(view.left, view.x + rect.left), top = Math.max(view.top, view.y + rect.top);
  const right = Math.min(view.right, view.x + rect.right), bottom = Math.min(view.bottom, view.y + rect.bottom);
  return right - left >= 3 && bottom - top >= 3 ? { left, top, right, bottom } : null;
}

function topmostBox(el, whole, view) {
  const boxes = [whole];
  const rects = el.getClientRects();
  if (rects.length > 1) for (const rect of rects) { const box = visibleBox(rect, view); if (box) boxes.unshift(box); }
  for (const box of boxes.slice(0, 4)) {
    const wide = box.right - box.left, high = box.bottom - box.top;
    for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
      if (reaches(elementAt(box.left + wide * fx, box.top + high * fy), el)) return box;
    }
  }
  return null;
}

function gather(root, view, found) {
  for (const el of root.querySelectorAll('*')) {
    const tag = el.localName;
    if (el.shadowRoot) gather(el.shadowRoot, view, found);
    if (tag === 'iframe' || tag === 'frame') {
      const inner = documentIn(el);
      const within = inner && viewInto(el, view);
      if (within && within.right > within.left && within.bottom > within.top) {
        found.frames.push([el.contentWindow, within]);
        gather(inner, within, found);
      }
      else if (!inner) { const box = visibleBox(el.getBoundingClientRect(), view); if (box) found.push({ el, box, view, frame: true }); }
      continue;
    }
    // most elements cannot be acted on, and asking where one lies costs most
    const active = isActive(el, tag);
    if (!active && !hasActiveCursor(el)) continue;
    let box = visibleBox(el.getBoundingClientRect(), view);
    if (!box && active && (tag === 'input' || tag === 'a')) box = standIn(el, tag, view);
    if (box) found.push({ el, box, view });
  }
}

// A field hidden behind its label, or a link whose only content floats, still shows by what stands for it.
function standIn(el, tag, view) {
  const shown = tag === 'input' ? el.labels && el.labels[0] : el.firstElementChild;
  return shown ? visibleBox(shown.getBoundingClientRect(), view) : null;
}

function hasActiveCursor(el) {
  const cursor = getComputedStyle(el).cursor;
  if (!ACTIVE_CURSORS.has(cursor)) return false;
  const parent = elderOf(el);
  // the cursor is inherited: only the outermost element that has it counts
  return !parent || getComputedStyle(parent).cursor !== cursor;
}

function isShown(el) {
  return el.checkVisibility ? el.checkVisibility({ opacityProperty: false, visibilityProperty: true }) : true;
}

// Drop wrappers around a single real control, and parts of a control.
function dropNested(list) {
  const all = new Set(list.map((item) => item.el));
  const inside = new Set();
  for (const item of list) {
    if (isActive(item.el, item.el.localName)) {
      for (let node = parentAcross(item.el); node; node = parentAcross(node)) {
        if (all.has(node) && !isActive(node, node.localName)) inside.add(node);
      }
    } else {
      for (let node = parentAcross(item.el); node; node = parentAcross(node)) {
        if (all.has(node) && isActive(node, node.localName)) { inside.add(item.el); break; }
      }
    }
  }
  return list.filter((item) => !inside.has(item.el));
}

const round = (value, whole) => Math.round((value / whole) * 1e5) / 1e5;

function boxOf(box) {
  return [round(box.left, innerWidth), round(box.top, innerHeight), round(box.right - box.left, innerWidth), round(box.bottom - box.top, innerHeight)];
}

function describe(el, box) {
  return [roleOf(el), nameOf(el), box && boxOf(box), valueOf(el), el.localName, statesOf(el)];
}

// The rows of a list that stands open, wherever it does.
function listRows(frames) {
  return frames.flatMap(([inner, view]) => (inner.workalike ? inner.workalike.listRows(view) : []))
    .map(({ box, described }) => [described[0], tidy(described[1]), boxOf(box), ...described.slice(3)]);
}

// Everything that can be acted on, and which of it are frames of other sites.
function marks() {
  const found = Object.assign([], { frames: [[window, topView()]] });
  gather(document, topView(), found);
  const kept = listRows(found.frames), foreign = [];
  for (const item of dropNested(found)) {
    if (kept.length >= MOST_MARKS) break;
    if (!item.frame && !isShown(item.el) && !(item.el.labels && item.el.labels.length)) continue;
    const box = topmostBox(item.el, item.box, item.view);
    if (!box) continue;
    const described = describe(item.el, box);
    if (item.frame) foreign.push([kept.length, ...frameOf(item.el, item.view)]);
    kept.push(described);
  }
  return { kept, foreign };
}

// The element at a place, or the one with the focus; the nearest ancestor that can be acted on stands for its parts.
function control(el) {
  for (let node = el; node; node = parentAcross(node)) {
    if (node.nodeType === 1 && isActive(node, node.localName)) return node;
  }
  return el;
}

function viewOf(el) {
  const frames = [];
  for (let frame = el.ownerDocument.defaultView && el.ownerDocument.defaultView.frameElement; frame; ) {
    frames.unshift(frame);
    const outer = frame.ownerDocument.defaultView;
    frame = outer && outer.frameElement;
  }
  return frames.reduce((view, frame) => viewInto(frame, view), topView());
}

function facts(el, secret) {
  if (!el || el.nodeType !== 1) return null;
  return [...describe(el, visibleBox(el.getBoundingClientRect(), viewOf(el))), selectorOf(el), secret];
}

function rowUnder(el, x, y) {
  const rows = listRows([[el.ownerDocument.defaultView, viewOf(el)]]);
  const fx = x / innerWidth, fy = y / innerHeight;
  return rows.find(([, , [left, top, wide, high]]) => fx >= left && fx < left + wide && fy >= top && fy < top + high);
}

workalike.hit = (x, y) => {
  watch();
  const el = elementAt(x, y);
  const row = el && rowUnder(el, x, y);
  if (row) return JSON.stringify([...row, '', false]);
  if (el && isForeign(el)) return JSON.stringify([...facts(el, false), frameOf(el, viewOf(el))]);
  return JSON.stringify(facts(el && control(el), false));
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
const HOSTS = new Set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
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
