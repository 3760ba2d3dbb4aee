// The oracle has no eyes: a page started for it reports what is visible, whenever that may have changed. Frames tell
// the page they stand in, which puts their elements where the frame stands.
const frames = new Map();
let due = false;
let page = performance.timeOrigin;

function here() {
  return JSON.parse(understudy.look(true))[1].map(([role, name, box, value, tag, states]) => ({ role, name, box, value, tag, states }));
}

function within(frame, elements) {
  const place = frame.getBoundingClientRect();
  const moved = ([x, y, wide, high]) => [
    (place.left + x * place.width) / innerWidth, (place.top + y * place.height) / innerHeight,
    wide * place.width / innerWidth, high * place.height / innerHeight,
  ];
  return elements.filter((each) => each.box).map((each) => ({ ...each, box: moved(each.box) }))
    .filter(({ box: [x, y, wide, high] }) => x >= 0 && y >= 0 && x + wide <= 1 && y + high <= 1);
}

function seen() {
  const all = here();
  for (const frame of document.querySelectorAll('iframe')) {
    const told = frames.get(frame.contentWindow);
    if (told) all.push(...within(frame, told));
  }
  return all;
}

function report() {
  due = false;
  if (window.top !== window) return window.parent.postMessage({ eyes: here() }, '*');
  window.name ||= `tab${Math.random().toString(36).slice(2)}`;
  const body = JSON.stringify({
    tab: window.name, page, url: location.href, title: document.title, size: [innerWidth, innerHeight],
    scale: devicePixelRatio, elements: seen(),
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
  frames.set(event.source, event.data.eyes);
  soon();
});
for (const name of ['scroll', 'input', 'change', 'focusin', 'focusout', 'resize', 'click', 'pointermove', 'transitionend']) {
  addEventListener(name, soon, { capture: true, passive: true });
}
for (const name of ['load', 'pageshow', 'focus', 'popstate']) addEventListener(name, soon);
document.addEventListener('visibilitychange', soon);
addEventListener('pagehide', () => {
  if (window.top === window && window.name) navigator.sendBeacon('/-/eyes', JSON.stringify({ left: window.name, page }));
});
addEventListener('pageshow', (event) => { page += event.persisted ? 1 : 0; });
new MutationObserver(soon).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
soon();
