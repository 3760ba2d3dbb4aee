// Runs first in every document of a live site: a script that submits a form sends no event; ask first, as an event would.
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () {
  if (this.dispatchEvent(new CustomEvent('understudy-submit', { bubbles: true, composed: true, cancelable: true }))) submit.call(this);
};
