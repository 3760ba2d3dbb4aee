// Suggestions under a field as one types. `row` makes the element for one that was found; `first` takes the first of
// them when Enter is pressed; `hidden` hears when the list is put away.

export function suggest(field, list, row, { least = 2, first = null, hidden = () => {} } = {}) {
  const hide = () => {
    list.hidden = true;
    hidden();
  };
  field.addEventListener('input', async () => {
    const asked = field.value;
    if (asked.trim().length < least) return hide();
    const found = await (await fetch('/suggest?q=' + encodeURIComponent(asked))).json();
    if (field.value !== asked || document.activeElement !== field) return;
    list.replaceChildren(...found.map(row));
    list.hidden = found.length === 0;
    field.setAttribute('aria-expanded', String(found.length > 0));
  });
  field.addEventListener('blur', () => setTimeout(hide, 150));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    if (event.key !== 'Enter' || list.hidden) return;
    const option = list.querySelector('[role=option]');
    if (first && option) {
      event.preventDefault();
      first(option);
    }
    hide();
  });
  return hide;
}

// A row that leads somewhere.
export function link(text, href) {
  const made = Object.assign(document.createElement('a'), { href, textContent: text });
  made.setAttribute('role', 'option');
  return made;
}

// Suggestions that are taken over into the field: `told` gives the label of each, a hint behind it, and the value where
// that is another one. `taken` hears of it, `entered` says that Enter takes the first.
export function suggestValues(field, list, told, { entered = false, taken = () => {}, ...options } = {}) {
  const values = new WeakMap();
  const take = (row) => {
    field.value = values.get(row);
    hide();
    taken();
  };
  const row = (found) => {
    const { label, hint, value = label } = told(found);
    const made = choice(label, hint, take);
    values.set(made, value);
    return made;
  };
  const hide = suggest(field, list, row, { ...options, first: entered ? take : null });
}

// A row that is taken over, with a word of explanation behind it.
function choice(label, hint, take) {
  const made = Object.assign(document.createElement('button'), { type: 'button' });
  made.setAttribute('role', 'option');
  made.setAttribute('aria-label', label);
  made.append(
    Object.assign(document.createElement('b'), { textContent: label }),
    Object.assign(document.createElement('small'), { textContent: hint }),
  );
  made.addEventListener('mousedown', (event) => {
    event.preventDefault();
    take(made);
  });
  return made;
}
