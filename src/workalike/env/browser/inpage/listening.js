// Events are listened to for good: a page that writes itself anew (document.open) takes every listener off its window.
const heard = [];
function listen(type, handler) {
  heard.push([type, handler]);
  addEventListener(type, handler, true);
}
new MutationObserver(() => {
  for (const [type, handler] of heard) addEventListener(type, handler, true);
}).observe(document, { childList: true });
