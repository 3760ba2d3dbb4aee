// Runs first in every document, in the page's own world. A document that no server of the web served ends here,
// before any of it is read.
if (!['http:', 'https:', 'about:', 'chrome-error:'].includes(location.protocol)) window.stop();

// As in any browser, a page opens only so many windows for one thing the user did.
const MOST_WINDOWS = 4;
let opened = 0;
for (const type of ['pointerdown', 'keydown']) addEventListener(type, (event) => { if (event.isTrusted) opened = 0; }, true);
window.open = new Proxy(window.open, {
  apply(open, self, given) {
    if (++opened <= MOST_WINDOWS) return Reflect.apply(open, self, given);
    dispatchEvent(new CustomEvent('understudy-blocked'));
    return null;
  },
});
