// What pages of these sites do by themselves: suggestions, and documents that are handed over.

import { all } from './forms.js';
import { suggestValues } from './suggest.js';

for (const field of all('[data-suggest]')) {
  const list = field.closest('.ask-part').querySelector('[data-suggestions]');
  suggestValues(field, list, (text) => ({ label: text, hint: '' }));
}

// A document is sent as soon as it is chosen; its name then stands beside the button.
for (const field of all('[data-upload]')) {
  field.addEventListener('change', async () => {
    const [file] = field.files;
    if (!file) return;
    const said = document.querySelector('[data-uploaded]');
    const reply = await fetch(field.dataset.upload + '?name=' + encodeURIComponent(file.name), {
      method: 'POST',
      body: file,
    });
    const { name, problem } = await reply.json();
    said.textContent = name ? `${name} is attached` : problem;
  });
}
