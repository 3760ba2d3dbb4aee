// Runs first in every document of a live site: a script that submits a form or opens a window sends no event; ask first,
// as an event would.
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () {
  if (this.dispatchEvent(new CustomEvent('understudy-submit', { bubbles: true, composed: true, cancelable: true }))) submit.call(this);
};

window.open = new Proxy(window.open, {
  apply(open, self, given) {
    const asked = new CustomEvent('understudy-open', { detail: String(given[0] || ''), cancelable: true });
    return dispatchEvent(asked) ? Reflect.apply(open, self, given) : null;
  },
});
