// What happens in the page and shows nowhere is told: a chooser about to open, windows that were blocked.
addEventListener('click', (event) => {
  const target = event.composedPath()[0];
  if (target && target.localName === 'input' && target.type === 'file' && !target.disabled) tell({ chooser: '' });
}, true);

let blocked = 0;
addEventListener('understudy-blocked', () => {
  if (!blocked++) setTimeout(() => { tell({ popups: `${blocked} more pop-ups were blocked` }); blocked = 0; });
}, true);

// A browser says in a passing bubble why it does not send a form.
let complained = false;
addEventListener('invalid', (event) => {
  if (complained) return;
  complained = true;
  setTimeout(() => { complained = false; });
  const field = event.target;
  tell({ invalid: `the form was not sent: ${nameOf(field) || 'a field'}: ${field.validationMessage}` });
}, true);
