// What happens in the page and shows nowhere is told: a chooser about to open, windows that were blocked, a key that
// reaches a password field (the focus may move while a text is being typed).
function tellSecret(event) {
  const el = event.composedPath()[0];
  if (event.isTrusted && el && el.nodeType === 1 && isSecret(el)) tell({ secret: '' });
}
for (const type of ['keydown', 'input']) listen(type, tellSecret);

listen('click', (event) => {
  const target = event.composedPath()[0];
  if (target && target.localName === 'input' && target.type === 'file' && !target.disabled) tell({ chooser: '' });
});

// Which elements the page listens to is said by a script in the page's own world (see listeners.js).
listen('workalike-listens', (event) => {
  const el = event.composedPath()[0];
  if (el && el.nodeType === 1) workalike.listens.set(el, String(event.detail));
});

let blocked = 0;
listen('workalike-blocked', () => {
  if (!blocked++)
    setTimeout(() => {
      tell({ popups: `${blocked} more pop-ups were blocked` });
      blocked = 0;
    });
});

// A browser says in a passing bubble why it does not send a form.
let complained = false;
listen('invalid', (event) => {
  if (complained) return;
  complained = true;
  setTimeout(() => {
    complained = false;
  });
  const field = event.target;
  tell({ invalid: `the form was not sent: ${nameOf(field) || 'a field'}: ${field.validationMessage}` });
});
