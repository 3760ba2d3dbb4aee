// Runs in the page's own world, before each look: only there can one ask what listens, and what a framework has noted
// on its elements. Every element in view that a press or a wheel is listened for gets an event that nobody but our
// script hears. What a page makes of all this by redefining built-ins only keeps it from being marked.
const PRESSES = [
  'click',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'touchstart',
  'touchend',
  'dblclick',
  'contextmenu',
  'dragstart',
];
const WHEELS = ['wheel', 'mousewheel'];
// How React, Solid and Svelte note on an element what their listener further up does for it.
const NOTES = ['onClick', 'onMouseDown', 'onMouseUp', 'onPointerDown', 'onTouchStart', 'onDoubleClick', 'onDragStart'];
const MARKS_OF_FRAMEWORKS = ['$$click', '$$mousedown', '$$pointerdown', '__click', '__mousedown', '__pointerdown'];
const NATIVE = new Set(['button', 'input', 'select', 'textarea', 'option', 'script', 'style', 'head', 'meta', 'link']);

const told = new Map();
function note(el, kind) {
  if (!told.has(el)) told.set(el, new Set());
  told.get(el).add(kind);
}

// What floats or stands elsewhere leaves a box without height around it, which may listen for it all the same.
function isInView(el) {
  const { left, top, right, bottom } = el.getBoundingClientRect();
  return bottom >= 0 && right >= 0 && left <= innerWidth && top <= innerHeight && (right > left || bottom > top);
}

// What jQuery listens for on an element: its one listener there serves many, some of them further down.
function recordsOf(el) {
  const global = window.jQuery;
  const events = global && global._data && global._data(el, 'events');
  if (events) return events;
  const key = Object.keys(el).find((name) => /^jQuery\d+$/.test(name) && el[name] && el[name].events);
  return key && el[key].events;
}

// What a listener asks of the element that was pressed says what it serves, as a selector given to jQuery does. What it
// turns away (`if (target.closest('a')) return`) is none of that.
const QUOTED = '[\'"`]([^\'"`]+)[\'"`]';
const ASKS = [
  [`(?<!!\\s*[\\w.$]*)\\.(?:closest|matches)\\(\\s*${QUOTED}\\s*\\)(?!\\s*\\)\\s*return)`, (named) => named],
  [`(?<!!\\s*[\\w.$]*)\\.classList\\.contains\\(\\s*${QUOTED}\\s*\\)(?!\\s*\\)\\s*return)`, (named) => `.${named}`],
  [`\\.className\\s*===?\\s*${QUOTED}(?!\\s*\\)\\s*return)`, (named) => `.${named.trim().replace(/\s+/g, '.')}`],
  [`\\.(?:tag|node|local)Name\\s*===?\\s*${QUOTED}(?!\\s*\\)\\s*return)`, (named) => named],
  [`\\btarget\\.id\\s*===?\\s*${QUOTED}(?!\\s*\\)\\s*return)`, (named) => `#${named}`],
  [
    '\\btarget\\.dataset\\.(\\w+)',
    (named) => `[data-${named.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}]`,
  ],
].map(([pattern, selector]) => [new RegExp(pattern, 'g'), selector]);
// It may also tell the parts apart in a way that names none; one that only asks for the element itself does not.
const TARGET = /\b(?:target|srcElement|composedPath)\b|\[native code\]/;
const ITSELF = /\btarget\s*={2,3}|(?<![!=])={2,3}\s*\w+\.target\b(?!\.)|\)\s*\)\s*return\b/;
const LONGEST_SOURCE = 5000;
const sources = new Map();

function asked(handler) {
  const work = (handler && handler.value) || handler;
  if (typeof work !== 'function') return { selectors: [], sorts: false };
  if (!sources.has(work)) {
    const source = Function.prototype.toString.call(work).slice(0, LONGEST_SOURCE);
    const selectors = ASKS.flatMap(([pattern, selector]) =>
      [...source.matchAll(pattern)].map(([, named]) => selector(named)),
    );
    sources.set(work, { selectors, sorts: TARGET.test(source) && !ITSELF.test(source) });
  }
  return sources.get(work);
}

function all(el, selector) {
  try {
    return [...el.querySelectorAll(selector)];
  } catch {
    return []; // no selector after all
  }
}

function is(el, selector) {
  try {
    return el.matches(selector);
  } catch {
    return false;
  }
}

// Notes the elements that delegated listeners of jQuery serve; returns the handlers of all others.
function resolve(el, listeners) {
  const records = recordsOf(el);
  const rest = [];
  for (const type of PRESSES) {
    const handlers = [...((records && records[type]) || [])];
    for (const { selector } of handlers) if (selector) for (const row of all(el, selector)) note(row, 'press');
    for (const { selector, handler } of handlers) if (!selector) rest.push(handler);
    const others = [...(listeners[type] || [])].slice(handlers.length ? 1 : 0);
    for (const { listener } of others) rest.push(listener);
  }
  return rest;
}

// Notes the elements that handlers serve by what they ask. Controls are found without that, and tell nothing.
const CONTROLS = 'a[href], button, input, select, textarea, label, option';
function serve(el, handlers) {
  const selectors = handlers.flatMap((handler) => asked(handler).selectors);
  const served = selectors.flatMap((selector) => all(el, selector)).filter((row) => !row.matches(CONTROLS));
  for (const row of served) note(row, 'press');
  return { served: new Set(served).size, itself: selectors.some((selector) => is(el, selector)) };
}

// A listener serves the parts that it names; one that tells parts apart without naming several may serve any of them.
function noteHandled(el, handlers) {
  if (!handlers.length) return;
  const { served, itself } = serve(el, handlers);
  if (served < 2) note(el, !itself && handlers.some((handler) => asked(handler).sorts) ? 'sorts' : 'press');
}

// Where an element lies is asked last: that costs most, and few have anything that listens.
function examine(el) {
  const keys = Object.keys(el);
  const props = el[keys.find((key) => key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$'))];
  const isRoot = keys.some((key) => key.startsWith('__reactContainer$') || key === '_reactRootContainer');
  const listeners = isRoot ? {} : getEventListeners(el);
  const isListening = Object.keys(listeners).length > 0;
  const noted = [
    ...(props ? NOTES.map((name) => props[name]) : []),
    ...(keys.length ? MARKS_OF_FRAMEWORKS.map((name) => el[name]) : []),
  ].filter(Boolean);
  const isWheeled = (props && props.onWheel) || WHEELS.some((type) => listeners[type]);
  if (!(isListening || noted.length || isWheeled) || !isInView(el)) return;
  noteHandled(el, isListening ? [...resolve(el, listeners), ...noted] : noted);
  if (isWheeled) note(el, 'wheel');
}

// In a very large document, asking every element where it lies takes long: what lies out of view is passed over with
// all that is in it.
const MANY = 5000;
function gather(root) {
  const found = root.querySelectorAll('*');
  const isLarge = found.length > MANY;
  let passed = null;
  for (const el of found) {
    if (passed && passed.contains(el)) continue;
    if (el.shadowRoot) gather(el.shadowRoot);
    if (NATIVE.has(el.localName)) continue;
    try {
      if (isLarge && !isInView(el)) passed = el;
      else examine(el);
    } catch {
      /* it plays tricks with its own properties, and spoils nothing for the others */
    }
  }
}

for (const ground of [document, document.documentElement, document.body])
  if (ground) serve(ground, resolve(ground, getEventListeners(ground)));
gather(document);
for (const [el, kinds] of told) {
  el.dispatchEvent(new CustomEvent('workalike-listens', { composed: true, detail: [...kinds].join(' ') }));
}
