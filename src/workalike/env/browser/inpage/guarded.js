// Runs first in every document of a live site: a script that submits a form, opens a window, or clicks a link that is
// not in the page sends no event; ask first, as an event would.
const asked = (address) =>
  dispatchEvent(new CustomEvent('workalike-open', { detail: String(address), cancelable: true }));
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () {
  if (this.dispatchEvent(new CustomEvent('workalike-submit', { bubbles: true, composed: true, cancelable: true })))
    submit.call(this);
};

window.open = new Proxy(window.open, {
  apply(open, self, given) {
    return asked(given[0] || '') ? Reflect.apply(open, self, given) : null;
  },
});

const click = HTMLElement.prototype.click;
HTMLElement.prototype.click = function () {
  if (!(this instanceof HTMLAnchorElement) || this.isConnected || asked(this.href)) click.call(this);
};
