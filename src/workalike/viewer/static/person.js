// Who labels or reviews: a name that this browser remembers.
import { make, say } from 'viewer/page.js';

const KEY = 'person';

export function remembered() {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

// A field for the name, and `need()`: the name, or null after asking for it.
export function personField(text, onchange = () => {}) {
  const input = make('input', {
    type: 'text',
    maxlength: '60',
    value: remembered(),
    autocomplete: 'off',
    required: true,
  });
  input.addEventListener('change', () => {
    try {
      localStorage.setItem(KEY, input.value.trim());
    } catch {
      say('The browser does not let a page remember your name.');
    }
    onchange(input.value.trim());
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') input.blur();
  });
  const need = () => {
    if (input.value.trim()) return input.value.trim();
    input.focus();
    say('Say who you are first.');
    return null;
  };
  return { node: make('label', { class: 'person' }, text, input), input, need };
}
