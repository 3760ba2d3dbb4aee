// Runs first in every document, in the page's own world. A document that no server of the web served ends here,
// before any of it is read.
if (!['http:', 'https:', 'about:', 'chrome-error:'].includes(location.protocol)) window.stop();

// What a page copies by script goes to the attempt's own clipboard.
if (window.Clipboard) {
  Clipboard.prototype.writeText = new Proxy(Clipboard.prototype.writeText, {
    apply(_, __, [text]) {
      dispatchEvent(new CustomEvent('workalike-copy', { detail: String(text) }));
      return Promise.resolve();
    },
  });
}

// As in any browser, a page opens only so many windows for one thing the user did.
const MOST_WINDOWS = 4;
let opened = 0;
for (const type of ['pointerdown', 'keydown'])
  listen(type, (event) => {
    if (event.isTrusted) opened = 0;
  });
window.open = new Proxy(window.open, {
  apply(open, self, given) {
    if (++opened <= MOST_WINDOWS) return Reflect.apply(open, self, given);
    dispatchEvent(new CustomEvent('workalike-blocked'));
    return null;
  },
});

// What an input event puts off for a moment (a search that waits for the end of typing, say) belongs to it. Timers and
// frames asked for while one is handled, or by such a timer in turn, are remembered until they have come. Those that
// come with every frame draw an animation: they are told apart, and remembered for longer.
const MOST_DELAY = 450;
const MOST_IN_TURN = 8;
const MOST_DRAWN = 3000;
const FRAME = 17;
const FRAMES = 40;
// Timers that follow one another mostly end; an interval of this length is rather a clock.
const STEPS = 60;
const due = new Map();
let handling = null;
let releasing = false;
const later = window.setTimeout;
function handle(event) {
  if (!event.isTrusted) return;
  handleFor({ turns: MOST_IN_TURN, began: performance.now() });
}

// Until the browser turns to something else.
function handleFor(chain) {
  handling = chain;
  if (releasing) return;
  releasing = true;
  later(() => {
    handling = null;
    releasing = false;
  });
}
for (const type of [
  'keydown',
  'keyup',
  'input',
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'change',
  'mousemove',
  'submit',
]) {
  listen(type, handle);
}

const isOver = ({ began }) => performance.now() - began > MOST_DRAWN;

// Whether something asked for belongs to the input that is being handled, and whether it is drawing.
function belongs(delay) {
  if (!handling || !(delay > 0 && delay <= MOST_DELAY)) return null;
  if (handling.turns > 0) return { drawing: false };
  return delay <= STEPS && !isOver(handling) ? { drawing: true } : null;
}

function within(chain, work, self, given) {
  const before = handling;
  handling = chain;
  try {
    return Reflect.apply(work, self, given);
  } finally {
    handling = before;
  }
}

// What was asked for at another time is not what the input set off, even where it comes while that is handled.
const apart = (work) =>
  typeof work === 'function'
    ? function (...told) {
        return within(null, work, this, told);
      }
    : work;

function remembering(ask, delayOf) {
  return new Proxy(ask, {
    apply(target, self, [work, ...given]) {
      const delay = delayOf(given[0]);
      const known = typeof work === 'function' && belongs(delay);
      if (!known) return Reflect.apply(target, self, [apart(work), ...given]);
      const chain = { turns: handling.turns - 1, began: handling.began };
      const done = function (...told) {
        due.delete(key);
        return within(chain, work, this, told);
      };
      const key = { until: performance.now() + delay, drawing: known.drawing };
      key.id = Reflect.apply(target, self, [done, ...given]);
      due.set(key, key.id);
      return key.id;
    },
  });
}

// Work that is done again and again with every frame is an animation until it is cleared.
function repeating(ask) {
  return new Proxy(ask, {
    apply(target, self, [work, ...given]) {
      const id = Reflect.apply(target, self, [apart(work), ...given]);
      if (handling && (Number(given[0]) || 0) <= FRAMES)
        due.set({ until: performance.now() + MOST_DRAWN, drawing: true }, id);
      return id;
    },
  });
}

function forgetting(cancel) {
  return new Proxy(cancel, {
    apply(target, self, given) {
      for (const [key, id] of due) if (id === given[0]) due.delete(key);
      return Reflect.apply(target, self, given);
    },
  });
}

// What is made of an answer belongs to what asked for it: our word comes before those that the page puts after it.
const afterwards = Promise.prototype.then;
function answering(ask) {
  return new Proxy(ask, {
    apply(target, self, given) {
      const chain = handling;
      const answer = Reflect.apply(target, self, given);
      const answered = () => isOver(chain) || handleFor(chain);
      if (chain) Reflect.apply(afterwards, answer, [answered, answered]);
      return answer;
    },
  });
}

window.fetch = answering(window.fetch);
for (const name of ['arrayBuffer', 'blob', 'json', 'text'])
  Response.prototype[name] = answering(Response.prototype[name]);
XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
  apply(target, self, given) {
    const chain = handling;
    if (chain)
      self.addEventListener(
        'readystatechange',
        () => self.readyState === 4 && !isOver(chain) && handleFor(chain),
        true,
      );
    return Reflect.apply(target, self, given);
  },
});
window.setTimeout = remembering(window.setTimeout, (delay) => Number(delay) || 0);
window.setInterval = repeating(window.setInterval);
window.requestAnimationFrame = remembering(window.requestAnimationFrame, () => FRAME);
window.clearTimeout = forgetting(window.clearTimeout);
window.clearInterval = forgetting(window.clearInterval);
window.cancelAnimationFrame = forgetting(window.cancelAnimationFrame);
listen('workalike-ask', () => {
  const now = performance.now();
  for (const key of due.keys()) if (key.drawing && key.until < now - FRAMES) due.delete(key);
  const waits = [...due.keys()].filter((key) => !key.drawing);
  const left = waits.length ? Math.max(1, ...waits.map((key) => key.until - now)) : 0;
  dispatchEvent(new CustomEvent('workalike-due', { detail: `${left} ${due.size > waits.length ? 1 : 0}` }));
});
