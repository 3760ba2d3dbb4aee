// What the pages do by themselves on which times are booked: suggestions, the calendar of one day, and who comes.

import { calendarBox, long, read, short, write } from './calendar.js';
import { all, people } from './forms.js';
import { suggestValues } from './suggest.js';

// Cities and venues under the field as one types.
for (const field of all('[data-where]')) {
  const list = field.closest('.hunt-where').querySelector('[data-suggestions]');
  suggestValues(field, list, ({ value, kind }) => ({ label: value, hint: kind }));
}

for (const form of all('[data-hunt]')) {
  const button = form.querySelector('[data-day]'),
    field = form.elements.day;
  const options = {
    chosen: () => [field.value],
    dress: (made, day, full) => {
      if (full) made.setAttribute('aria-label', `${long(day)}, full`);
    },
    pick: (day) => {
      field.value = write(day);
      box.shut();
    },
  };
  const box = calendarBox(form, 'venue', options, () => {
    const day = read(field.value);
    button.querySelector('b').textContent = day ? short(day) : 'Any day';
    button.setAttribute('aria-label', `${button.dataset.label}: ${day ? long(day) : 'not chosen'}`);
  });
  button.addEventListener('click', () => (box.isOpen() ? box.shut() : box.open(read(field.value))));

  people(form, () => {
    const rows = all('[data-counter]', form);
    const counts = rows.map((row) => [row.querySelector('input').value, row.querySelector('span').textContent]);
    return counts.map(([count, name]) => `${count} ${name.toLowerCase()}`).join(', ');
  });
}
