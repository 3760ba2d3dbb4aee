// The system's clipboard is one for all attempts in a browser. Each attempt gets its own: what is copied is told, and
// what is pasted comes from there.
let clipboard = '';

workalike.clip = (text) => {
  clipboard = text;
};

function selected(target) {
  const field = target && ['input', 'textarea'].includes(target.localName) ? target : null;
  if (!field) return String(getSelection());
  return isSecret(field) ? '' : field.value.slice(field.selectionStart || 0, field.selectionEnd || 0);
}

function onCopy(event) {
  if (!event.isTrusted) return;
  const target = event.composedPath()[0];
  atLast(
    event,
    (late) => {
      const text = late.defaultPrevented ? late.clipboardData.getData('text/plain') : selected(target);
      if (late.defaultPrevented) late.clipboardData.clearData();
      else if (late.type === 'cut' && text) document.execCommand('delete');
      late.preventDefault();
      if (text) tell({ clipboard: text });
    },
    true,
  );
}

function onPaste(event) {
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!clipboard) return;
  const data = new DataTransfer();
  data.setData('text/plain', clipboard);
  const ours = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  if (event.composedPath()[0].dispatchEvent(ours)) document.execCommand('insertText', false, clipboard);
}

listen('copy', onCopy);
listen('cut', onCopy);
listen('paste', onPaste);
listen('workalike-copy', (event) => tell({ clipboard: String(event.detail) }));
