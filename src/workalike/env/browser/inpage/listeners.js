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

// Notes the elements that delegated listeners serve; returns whether one listens for the element itself.
function resolve(el, listeners) {
  const records = recordsOf(el);
  let own = false;
  for (const type of PRESSES) {
    const handlers = (records && records[type]) || [];
    for (const { selector } of handlers)
      if (selector) for (const row of el.querySelectorAll(selector)) note(row, 'press');
    const others = (listeners[type] || []).length - (handlers.length ? 1 : 0);
    own ||= others > 0 || [...handlers].some(({ selector }) => !selector);
  }
  return own;
}

// Where an element lies is asked last: that costs most, and few have anything that listens.
function examine(el) {
  const keys = Object.keys(el);
  const props = el[keys.find((key) => key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$'))];
  const isRoot = keys.some((key) => key.startsWith('__reactContainer$') || key === '_reactRootContainer');
  const listeners = isRoot ? {} : getEventListeners(el);
  const isListening = Object.keys(listeners).length > 0;
  const isPressed =
    (props && NOTES.some((name) => props[name])) || (keys.length && MARKS_OF_FRAMEWORKS.some((name) => el[name]));
  const isWheeled = (props && props.onWheel) || WHEELS.some((type) => listeners[type]);
  if (!(isListening || isPressed || isWheeled) || !isInView(el)) return;
  if ((isListening && resolve(el, listeners)) || isPressed) note(el, 'press');
  if (isWheeled) note(el, 'wheel');
}

// In a very large document, asking every element where it lies takes long: what lies out of view is passed over with
// all that is in it.
const MANY = 5000;
function gather(root) {
  const all = root.querySelectorAll('*');
  const isLarge = all.length > MANY;
  let passed = null;
  for (const el of all) {
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

for (const ground of [document, document.documentElement, document.body]) if (ground) resolve(ground, {});
gather(document);
for (const [el, kinds] of told) {
  el.dispatchEvent(new CustomEvent('workalike-listens', { composed: true, detail: [...kinds].join(' ') }));
}
