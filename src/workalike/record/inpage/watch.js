// Tells what a person does in a page. Runs in a world of its own, before the page's scripts and in every frame; only
// what the browser itself calls trusted counts. What is typed into a password field never leaves this file.
const saw = (...told) => globalThis.workalikeSaw(JSON.stringify(told));
const isTop = window === window.top;
const secretFields = new WeakSet();
const ACTED_ON =
  'a, area, button, input, select, textarea, summary, label, option, [role], [onclick], [contenteditable], [tabindex]';
const NAMES = { Control: 'ctrl', Shift: 'shift', Alt: 'alt', Meta: 'win', AltGraph: 'altgr', ' ': 'space' };
const SIDES = { 1: 'left', 2: 'right' };
const FIND_AFTER = 100;
const FIND_EVERY = 1000;
const SHIFTING = new Set(['shift', 'altgr', 'capslock']);

const when = (event) => performance.timeOrigin + event.timeStamp;
const place = (event) => [event.clientX, event.clientY, event.screenX, event.screenY, isTop];
const held = (event) =>
  [event.ctrlKey && 'ctrl', event.shiftKey && 'shift', event.altKey && 'alt', event.metaKey && 'win'].filter(Boolean);

// Closed shadow roots: no script sees into them, this one only once the recorder has shown it the root of a host it
// asked about. Until then what is typed there counts as secret. The body is not waited for: it has the
// keyboard by default.
const closedRoots = new WeakMap();
const withoutRoot = new WeakSet();
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);
const asked = (workalike.asked = new Map());
let questions = 0;

const mayBeClosed = (el) =>
  (HOSTS.has(el.localName) || el.localName.includes('-')) &&
  !el.shadowRoot &&
  !el.isContentEditable &&
  !closedRoots.has(el);

function ask(el) {
  if (!el || el.nodeType !== 1 || !mayBeClosed(el) || [...asked.values()].includes(el)) return;
  asked.set(++questions, el);
  saw('closed', performance.timeOrigin + performance.now(), questions);
}

workalike.opened = (host, root) => {
  for (const [number, el] of asked) if (el === host) asked.delete(number);
  if (!root) {
    withoutRoot.add(host);
    return;
  }
  closedRoots.set(host, root);
  root.addEventListener('focusin', onFocus, true);
  lookInto(root);
  ask(root.activeElement);
  lookSoon();
};

// What an event is about, within closed roots too: under the pointer, or where the keyboard is.
function target(event) {
  let el = event.composedPath()[0];
  for (let root; el && (root = closedRoots.get(el) || el.shadowRoot);) {
    const within =
      event instanceof MouseEvent ? root.elementFromPoint(event.clientX, event.clientY) : root.activeElement;
    if (!within || !root.contains(within)) break;
    el = within;
  }
  return el;
}

// A field that was secret once stays so, even when the page turns it into one that shows what was typed.
function secret(el) {
  if (!el || el.nodeType !== 1) return false;
  if (isSecret(el)) secretFields.add(el);
  if (mayBeClosed(el) && !withoutRoot.has(el)) {
    ask(el);
    return el !== document.body;
  }
  return secretFields.has(el);
}

function described(el) {
  const acted = el && el.nodeType === 1 ? el.closest(ACTED_ON) || el : el && el.parentElement;
  if (!acted || !acted.getBoundingClientRect) return null;
  const box = acted.getBoundingClientRect();
  return {
    role: roleOf(acted),
    name: nameOf(acted),
    tag: acted.localName,
    selector: selectorOf(acted),
    states: statesOf(acted),
    box: [box.left, box.top, box.width, box.height],
  };
}

function keyName(event) {
  const named = NAMES[event.key];
  if (!named) {
    if (event.location === 3 && /^[0-9]$/.test(event.key)) return 'num' + event.key;
    return event.key.length === 1 ? event.key.toLowerCase() : event.key;
  }
  return named === 'altgr' || named === 'space' ? named : named + (SIDES[event.location] || '');
}

// The text that keys have produced and no input event has accounted for yet.
let expected = '';

function onKey(event) {
  if (!event.isTrusted) return;
  const down = event.type === 'keydown';
  const composing = event.isComposing || ['Dead', 'Process', 'Unidentified'].includes(event.key);
  const commanded = event.ctrlKey !== event.altKey || event.metaKey;
  const text = down && !composing && event.key.length === 1 && !commanded ? event.key : '';
  const name = keyName(event);
  const shifting = SHIFTING.has(name.replace(/left|right/, ''));
  const hidden = secret(target(event)) && (composing || event.key.length === 1 || shifting);
  if (down) expected = text;
  // which key shifts is told even then, for it may be one of those that stop the recording; it is not written down
  if (hidden) saw('key', when(event), down, shifting ? name : '', '', [], event.repeat, true);
  else if (!composing || event.key === 'Dead')
    saw('key', when(event), down, name, text, held(event), event.repeat, false);
}

// Text that no key explains: an input method's commit, a dead key's letter, an on-screen keyboard.
function onText(event) {
  if (!event.isTrusted || !event.data) return;
  const explained = event.type === 'input' && event.inputType === 'insertText' && event.data === expected;
  expected = '';
  if (explained || (event.type === 'input' && event.inputType !== 'insertText')) return;
  if (secret(target(event))) saw('text', when(event), '', event.data.length);
  else saw('text', when(event), event.data, 0);
}

const BUTTONS = ['left', 'middle', 'right'];

function onButton(event) {
  if (!event.isTrusted || !(event.button in BUTTONS)) return;
  const down = event.type === 'mousedown';
  saw(
    'button',
    when(event),
    ...place(event),
    BUTTONS[event.button],
    down,
    held(event),
    down ? described(target(event)) : null,
  );
}

// Places are sent at most once a frame, and before anything else that happens there.
let moves = [];
let sending = false;

function sendMoves() {
  sending = false;
  if (moves.length) saw('moves', moves);
  moves = [];
}

function onMove(event) {
  if (!event.isTrusted) return;
  const all = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
  for (const each of all.length ? all : [event]) moves.push([when(each), ...place(each)]);
  if (!sending) requestAnimationFrame(sendMoves);
  sending = true;
}

function onWheel(event) {
  if (!event.isTrusted) return;
  const pixels = event.deltaMode === 1 ? 40 : event.deltaMode === 2 ? innerHeight : 1;
  saw(
    'wheel',
    when(event),
    ...place(event),
    event.deltaX * pixels,
    event.deltaY * pixels,
    held(event),
    described(target(event)),
  );
}

const first = (listener) => (event) => {
  sendMoves();
  listener(event);
};

addEventListener('pointermove', onMove, { capture: true, passive: true });
for (const type of ['mousedown', 'mouseup']) addEventListener(type, first(onButton), true);
for (const type of ['keydown', 'keyup']) addEventListener(type, first(onKey), true);
for (const type of ['input', 'compositionend']) addEventListener(type, onText, true);
addEventListener('wheel', first(onWheel), { capture: true, passive: true });

// Where password fields are, told whenever that changes; asked once a frame while there are any.
const roots = new Set();
const observer = new MutationObserver(() => {
  lookSoon();
  findRootsSoon();
});
let regions = null;
let looking = false;
let finding = null;

function lookInto(root) {
  if (roots.has(root)) return;
  roots.add(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['type'] });
  for (const el of root.querySelectorAll('*')) if (el.shadowRoot) lookInto(el.shadowRoot);
}

// Open shadow roots come without any notice, so they are looked for now and then, and soon after something has changed.
function findRoots() {
  finding = null;
  const before = roots.size;
  for (const root of [...roots]) {
    if (root !== document && !root.host.isConnected) roots.delete(root);
    else for (const el of root.querySelectorAll('*')) if (el.shadowRoot) lookInto(el.shadowRoot);
  }
  if (roots.size !== before) lookSoon();
}

function findRootsSoon() {
  finding ||= setTimeout(findRoots, FIND_AFTER);
}

function onFocus(event) {
  for (const each of event.composedPath()) if (each instanceof ShadowRoot) lookInto(each);
  const el = target(event);
  if (el && el.nodeType === 1) ask(el);
  lookSoon();
}

function lookForSecrets() {
  looking = false;
  const fields = [...roots]
    .flatMap((root) => [...root.querySelectorAll('input')])
    .filter(secret)
    .map((el) => el.getBoundingClientRect());
  const boxes = fields
    .filter((box) => box.width && box.height)
    .map((box) => [box.left, box.top, box.width, box.height]);
  const now = JSON.stringify([boxes, innerWidth, innerHeight]);
  if (now !== regions)
    saw('secrets', performance.timeOrigin + performance.now(), boxes, [innerWidth, innerHeight], isTop);
  regions = now;
  if (fields.length) lookSoon();
  if (isTop && (location.href !== page.url || document.title !== page.title)) tellPage();
}

function lookSoon() {
  if (!looking) requestAnimationFrame(lookForSecrets);
  looking = true;
}

let page = {};

function tellPage() {
  if (!isTop) return;
  page = { url: location.href, title: document.title };
  saw(
    'page',
    performance.timeOrigin + performance.now(),
    page.url,
    page.title,
    innerWidth,
    innerHeight,
    devicePixelRatio,
  );
}

if (isTop) saw('arrived', performance.timeOrigin + performance.now(), location.href);
lookInto(document);
setInterval(findRoots, FIND_EVERY);
addEventListener('focusin', onFocus, true);
for (const type of ['DOMContentLoaded', 'load', 'hashchange', 'popstate', 'resize', 'pageshow'])
  addEventListener(
    type,
    () => {
      tellPage();
      lookSoon();
    },
    true,
  );
document.addEventListener('visibilitychange', () =>
  saw('visible', performance.timeOrigin + performance.now(), !document.hidden),
);
lookSoon();
