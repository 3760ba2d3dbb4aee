// The lists a browser draws outside the page (of a select, a datalist, a calendar) take no clicks of ours, and not
// every browser shows them in a picture. This draws them inside the page instead, in a closed shadow root that works
// with mouse and keyboard.
let list = null;

const LIST_STYLE = `
  :host { all: initial; position: fixed; margin: 0; padding: 0; border: 0; background: none; overflow: visible;
    z-index: 2147483647; }
  div { position: fixed; box-sizing: border-box; overflow: auto; background: #fff; color: #111;
    border: 1px solid #767676; box-shadow: 0 2px 8px #0005; font: 14px/1.2 system-ui, sans-serif; scrollbar-width: thin;
    text-align: start; }
  p { margin: 0; padding: 4px 10px; min-height: 18px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
    cursor: default; }
  p.group { font-weight: bold; color: #444; } p.within { padding-inline-start: 24px; } p.off { color: #999; }
  p.active { background: #1a5fd0; color: #fff; }
  .grid { display: grid; grid-template-columns: repeat(7, 36px); padding: 6px; text-align: center; }
  .grid p { padding: 7px 0; } .grid .wide { grid-column: span 5; font-weight: bold; color: #111; }`;

const isDropDown = (el) => el && el.localName === 'select' && !el.multiple && el.size <= 1 && !el.disabled;
const drawsItself = (select) => getComputedStyle(select).appearance === 'base-select';

function rowsOfSelect(select) {
  const rows = [];
  for (const child of select.querySelectorAll('optgroup, option')) {
    if (child.hidden || getComputedStyle(child).display === 'none') continue;
    const group = child.parentElement.localName === 'optgroup' ? child.parentElement : null;
    const text = child.label || child.textContent.trim();
    if (child.localName === 'optgroup') rows.push({ text, group: true, off: true });
    else
      rows.push({
        text,
        option: child,
        within: Boolean(group),
        off: child.disabled || Boolean(group && group.disabled),
      });
  }
  return rows;
}

function rowsOfDatalist(input) {
  const typed = input.value.toLowerCase();
  const rows = [];
  for (const option of input.list ? input.list.options : []) {
    const text = option.value + (option.label && option.label !== option.value ? `  ${option.label}` : '');
    if (!option.disabled && option.value && text.toLowerCase().includes(typed) && option.value !== input.value)
      rows.push({ text, option });
    if (rows.length >= 50) break;
  }
  return rows;
}

// Inside an open modal dialog everything else is inert, so the list must live in there too.
function homeOf(el) {
  for (let node = el; node; node = node.parentNode || node.host) {
    if (node.localName === 'dialog' && node.open) return node;
  }
  return bodyOf(document) || document.documentElement;
}

function openList(field, rows, grid) {
  closeList();
  if (!rows.length) return;
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  root.innerHTML = `<style>${LIST_STYLE}</style><div></div>`;
  const box = root.lastElementChild;
  box.dir = getComputedStyle(field).direction;
  if (grid) box.className = 'grid';
  rows.forEach((row) => {
    row.el = document.createElement('p');
    row.el.textContent = row.text || ' ';
    row.el.className = [row.group && 'group', row.within && 'within', row.off && 'off', row.wide && 'wide']
      .filter(Boolean)
      .join(' ');
    box.append(row.el);
  });
  list = { field, host, root, box, rows, grid, active: -1, typed: '', typedAt: 0 };
  homeOf(field).append(host);
  if (host.showPopover) {
    host.popover = 'manual';
    host.showPopover();
  }
  place();
  activate(rows.findIndex((row) => row.option && row.option.selected && (grid || field.localName === 'select')));
}

function place() {
  const { field, box } = list;
  const rect = field.getBoundingClientRect();
  const below = innerHeight - rect.bottom,
    above = rect.top;
  const wanted = Math.min(box.scrollHeight + 2, 420);
  const down = below >= wanted || below >= above;
  const high = Math.max(60, Math.min(wanted, (down ? below : above) - 4));
  box.style.maxHeight = `${high}px`;
  box.style.minWidth = `${rect.width}px`;
  box.style.maxWidth = `${innerWidth - 8}px`;
  box.style.left = `${Math.max(0, Math.min(rect.left, innerWidth - Math.max(rect.width, box.offsetWidth) - 2))}px`;
  if (down) box.style.top = `${rect.bottom}px`;
  else box.style.bottom = `${innerHeight - rect.top}px`;
}

function closeList() {
  if (!list) return;
  list.host.remove();
  list = null;
}

function activate(index) {
  if (!list || index < 0 || index >= list.rows.length) return;
  if (list.rows[list.active]) list.rows[list.active].el.classList.remove('active');
  list.active = index;
  list.rows[index].el.classList.add('active');
  const { box } = list,
    el = list.rows[index].el;
  if (el.offsetTop < box.scrollTop) box.scrollTop = el.offsetTop;
  else if (el.offsetTop + el.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = el.offsetTop + el.offsetHeight - box.clientHeight;
}

function step(by) {
  let index = list.active;
  for (let left = Math.abs(by); left; left--) {
    let next = index + Math.sign(by);
    while (list.rows[next] && list.rows[next].off) next += Math.sign(by);
    if (!list.rows[next]) break;
    index = next;
  }
  activate(index);
}

function edge(fromEnd) {
  const rows = list.rows.map((row, index) => [row, index]).filter(([row]) => !row.off);
  if (rows.length) activate(rows[fromEnd ? rows.length - 1 : 0][1]);
}

// Take a row: the page gets the same events as from the browser's own list.
function choose(index) {
  const { field, rows } = list;
  const row = rows[index];
  if (!row || row.off) return;
  if (row.turn) return row.turn();
  closeList();
  if (field.localName === 'select') {
    if (row.option.selected) return;
    row.option.selected = true;
  } else field.value = row.option.value;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function typeAhead(key) {
  const now = performance.now();
  list.typed = now - list.typedAt < 1000 ? list.typed + key.toLowerCase() : key.toLowerCase();
  list.typedAt = now;
  const found = list.rows.findIndex((row) => !row.off && row.text.trim().toLowerCase().startsWith(list.typed));
  activate(found);
}

const LIST_KEYS = {
  ArrowDown: () => step(list.grid ? 7 : 1),
  ArrowUp: () => step(list.grid ? -7 : -1),
  PageDown: () => step(10),
  PageUp: () => step(-10),
  Home: () => edge(false),
  End: () => edge(true),
  Escape: closeList,
  Enter: () => (list.active >= 0 ? choose(list.active) : closeList()),
};

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const rowAt = (event) => {
  const el = list.root.elementFromPoint(event.clientX, event.clientY);
  return list.rows.findIndex((row) => row.el === el);
};

// Decide about an event after the page's own handlers, even one that keeps it from going on: on every node of its way
// stands a listener behind the page's, and the last one reached speaks (`always`, or unless the page has prevented it).
function atLast(event, decide, always) {
  const path = event.composedPath();
  const listener = (late) => {
    if (!late.cancelBubble && late.currentTarget !== path[path.length - 1]) return;
    for (const node of path) node.removeEventListener(event.type, listener);
    if (always || !late.defaultPrevented) decide(late);
  };
  for (const node of path) node.addEventListener(event.type, listener);
}

function onKey(event) {
  const target = event.composedPath()[0];
  if (!list) {
    const opens =
      event.key === ' ' || event.key === 'F4' || (event.altKey && ['ArrowDown', 'ArrowUp'].includes(event.key));
    if (opens && isDropDown(target) && !drawsItself(target)) {
      atLast(event, (late) => {
        late.preventDefault();
        openList(target, rowsOfSelect(target));
      });
    }
    return;
  }
  if (event.key === 'Tab') return closeList();
  if (event.ctrlKey || event.metaKey) return;
  const isSelect = list.field.localName === 'select';
  if (!isSelect && ['Home', 'End'].includes(event.key)) return;
  if (!isSelect && event.key === 'Enter' && list.active < 0) return closeList();
  if (list.grid && ['ArrowLeft', 'ArrowRight'].includes(event.key)) {
    swallow(event);
    return step(event.key === 'ArrowLeft' ? -1 : 1);
  }
  if (isSelect && event.key === ' ' && !list.typed) {
    swallow(event);
    return choose(list.active);
  }
  if (LIST_KEYS[event.key]) {
    swallow(event);
    LIST_KEYS[event.key]();
  } else if (isSelect && event.key.length === 1) {
    swallow(event);
    typeAhead(event.key);
  }
}

function onPress(event) {
  const target = event.composedPath()[0];
  if (list && event.target === list.host) {
    swallow(event);
    return;
  }
  const wasOpenFor = list && list.field;
  if (wasOpenFor) closeList();
  if (event.button !== 0) return;
  const select = target && target.closest && target.closest('select');
  if (isDropDown(select) && !drawsItself(select)) {
    atLast(event, (late) => {
      late.preventDefault();
      select.focus();
      if (wasOpenFor !== select) openList(select, rowsOfSelect(select));
    });
  } else if (target && target.localName === 'input' && target.list && !target.readOnly && !target.disabled) {
    openList(target, rowsOfDatalist(target));
  }
}

function onRelease(event) {
  if (!list || event.target !== list.host) return;
  swallow(event);
  if (event.type === 'click' || event.type === 'mouseup') {
    const index = rowAt(event);
    if (index >= 0 && event.type === 'mouseup') choose(index);
  }
}

function onMove(event) {
  if (!list || event.target !== list.host) return;
  swallow(event);
  const index = rowAt(event);
  if (index >= 0 && !list.rows[index].off) activate(index);
}

function onTyped(event) {
  const target = event.composedPath()[0];
  if (!event.isTrusted || !target || target.localName !== 'input' || !target.list) return;
  openList(target, rowsOfDatalist(target));
}

addEventListener('keydown', onKey, true);
for (const type of ['pointerdown', 'mousedown'])
  addEventListener(
    type,
    (event) => {
      if (type === 'mousedown') onPress(event);
      else if (list && event.target === list.host) event.stopImmediatePropagation();
    },
    true,
  );
for (const type of ['pointerup', 'mouseup', 'click', 'dblclick', 'contextmenu'])
  addEventListener(type, onRelease, true);
for (const type of ['pointermove', 'mousemove', 'mouseover', 'pointerover']) addEventListener(type, onMove, true);
addEventListener('input', onTyped, true);
addEventListener(
  'scroll',
  (event) => {
    if (list && event.target !== list.host) closeList();
  },
  true,
);
addEventListener(
  'blur',
  (event) => {
    if (list && event.target === list.field) closeList();
  },
  true,
);
addEventListener('resize', () => closeList(), true);

// The rows that show, as things to act on; `view` says where this document lies in the top viewport.
workalike.listRows = (view) => {
  if (!list) return [];
  const frame = list.box.getBoundingClientRect();
  const clip = {
    ...view,
    left: view.x + frame.left,
    right: view.x + frame.right,
    top: Math.max(view.top, view.y + frame.top),
    bottom: Math.min(view.bottom, view.y + frame.bottom),
  };
  return list.rows
    .filter((row) => !row.group && !(row.off && list.grid))
    .map((row) => [row, visibleBox(row.el.getBoundingClientRect(), clip)])
    .filter(([, box]) => box)
    .map(([row, box]) => ({
      box,
      described: [
        row.turn ? 'button' : 'option',
        row.name || row.text,
        box,
        null,
        'option',
        [row.off && 'disabled', row.option && row.option.selected && 'selected'].filter(Boolean),
      ],
    }));
};
