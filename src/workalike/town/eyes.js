// The oracle has no eyes: a page started for it reports what is visible, whenever that may have changed. Frames tell
// the page they stand in what they show.
const told = {};
let due = false;
let page = performance.timeOrigin;
let number = 0;
let choosing = false;

function seen() {
  workalike.look(true);
  const [, , shown] = JSON.parse(workalike.joined(told));
  return shown.map(([role, name, box, value, tag, states]) => ({
    role,
    name,
    box,
    value,
    tag,
    states,
  }));
}

function report() {
  due = false;
  if (window.top !== window) return window.top.postMessage({ eyes: [pathOf(window), marks()] }, '*');
  window.name ||= `tab${Math.random().toString(36).slice(2)}`;
  const body = JSON.stringify({
    tab: window.name,
    page,
    number: ++number,
    url: location.href,
    title: document.title,
    size: [innerWidth, innerHeight],
    scale: devicePixelRatio,
    elements: seen(),
    ...(choosing && { dialog: { kind: 'file' } }),
  });
  fetch('/-/eyes', { method: 'POST', body, keepalive: body.length < 60000 }).catch(() => {});
}

function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => setTimeout(report, 0));
}

addEventListener('message', (event) => {
  if (!event.data || !Array.isArray(event.data.eyes)) return;
  const [path, shown] = event.data.eyes;
  told[path] = shown;
  soon();
});
for (const name of [
  'scroll',
  'input',
  'change',
  'focusin',
  'focusout',
  'resize',
  'click',
  'pointermove',
  'transitionend',
]) {
  addEventListener(name, soon, { capture: true, passive: true });
}
// A chooser for files is no part of a page: it opens when its field is clicked, by whomever, and keeps the page from
// hearing anything until it is over.
for (const name of ['pointerdown', 'keydown', 'change', 'cancel']) {
  addEventListener(name, () => (choosing = false), { capture: true, passive: true });
}
addEventListener('click', ({ target, defaultPrevented }) => {
  const opens = target instanceof HTMLInputElement && target.type === 'file' && !target.disabled;
  if (opens && !defaultPrevented) choosing = true;
});
for (const name of ['load', 'pageshow', 'focus', 'popstate']) addEventListener(name, soon);
document.addEventListener('visibilitychange', soon);
addEventListener('pagehide', () => {
  if (window.top === window && window.name)
    navigator.sendBeacon('/-/eyes', JSON.stringify({ left: window.name, page }));
});
addEventListener('pageshow', (event) => {
  page += event.persisted ? 1 : 0;
});
new MutationObserver(soon).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
soon();
