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
for (const type of ['pointerdown', 'keydown']) listen(type, (event) => { if (event.isTrusted) opened = 0; });
window.open = new Proxy(window.open, {
  apply(open, self, given) {
    if (++opened <= MOST_WINDOWS) return Reflect.apply(open, self, given);
    dispatchEvent(new CustomEvent('workalike-blocked'));
    return null;
  },
});

// What an input event puts off for a moment (a search that waits for the end of typing, say) belongs to it. Timers and
// frames asked for while one is handled, or by such a timer in turn, are remembered until they have come.
const MOST_DELAY = 450;
const due = new Map();
let handling = 0;
let releasing = false;
const later = window.setTimeout;
function handle(event) {
  if (!event.isTrusted) return;
  handling = 8;
  if (releasing) return;
  releasing = true;
  later(() => { handling = 0; releasing = false; });
}
for (const type of ['keydown', 'keyup', 'input', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'change', 'mousemove', 'submit']) {
  listen(type, handle);
}

function remembering(ask, delayOf) {
  return new Proxy(ask, {
    apply(target, self, [work, ...given]) {
      const delay = delayOf(given[0]);
      if (!handling || typeof work !== 'function' || !(delay > 0 && delay <= MOST_DELAY)) return Reflect.apply(target, self, [work, ...given]);
      const depth = handling - 1;
      const done = function (...told) {
        due.delete(key);
        const before = handling;
        handling = depth;
        try { return Reflect.apply(work, this, told); } finally { handling = before; }
      };
      const key = { until: performance.now() + delay };
      key.id = Reflect.apply(target, self, [done, ...given]);
      due.set(key, key.id);
      return key.id;
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

window.setTimeout = remembering(window.setTimeout, (delay) => Number(delay) || 0);
window.requestAnimationFrame = remembering(window.requestAnimationFrame, () => 17);
window.clearTimeout = forgetting(window.clearTimeout);
window.cancelAnimationFrame = forgetting(window.cancelAnimationFrame);
listen('workalike-ask', () => {
  const now = performance.now();
  const left = Math.max(0, ...[...due.keys()].map((key) => key.until - now));
  dispatchEvent(new CustomEvent('workalike-due', { detail: due.size ? Math.max(1, left) : 0 }));
});
