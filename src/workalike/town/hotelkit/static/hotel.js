// What the hotel sites' pages do by themselves: suggestions, the calendar and guests.

import { calendarBox, long, read, short, write } from './calendar.js';
import { all, people } from './forms.js';
import { suggestValues } from './suggest.js';

// Cities and houses under the field as one types.
for (const field of all('[data-where]')) {
  const list = field.closest('.hunt-where').querySelector('[data-suggestions]');
  suggestValues(field, list, ({ name, value, kind }) => ({ label: name, hint: kind, value }));
}

for (const form of all('[data-hunt]')) {
  // A calendar for two days.
  const buttons = { in: form.querySelector('[data-day=in]'), out: form.querySelector('[data-day=out]') };
  const field = (name) => form.elements[name];
  let choosing = 'in';
  const options = {
    chosen: () => [field('in').value, field('out').value],
    closed: (day, full) => full && !(choosing === 'out' && field('in').value && field('in').value < write(day)),
    dress: (button, day, full) => {
      if (full) button.setAttribute('aria-label', `${long(day)}, sold out`);
      if (write(day) === form.dataset.today) button.setAttribute('aria-current', 'date');
    },
    pick: (day) => {
      const iso = write(day);
      const arrive = field('in').value;
      if (choosing === 'out' && arrive && iso > arrive) {
        field('out').value = iso;
        box.shut();
      } else {
        field('in').value = iso;
        if (field('out').value <= iso) field('out').value = '';
        choosing = 'out';
        box.draw();
      }
    },
  };
  const label = (open) => {
    for (const [name, button] of Object.entries(buttons)) {
      const day = read(field(name).value);
      button.querySelector('b').textContent = day ? short(day) : 'Add date';
      button.setAttribute('aria-label', `${button.dataset.label}: ${day ? long(day) : 'not chosen'}`);
      button.classList.toggle('on', open && choosing === name);
    }
    form.querySelector('[data-hint]').textContent = choosing === 'in' ? 'Choose the first day' : 'Choose the last day';
  };
  const box = calendarBox(form, 'hotel', options, label);
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener('click', () => {
      const same = box.isOpen() && choosing === name;
      choosing = name === 'out' && !field('in').value ? 'in' : name;
      if (same) box.shut();
      else box.open(read(field(name).value) || read(field('in').value));
    });
  }

  const many = (count, one, more) => `${count} ${count === '1' ? one : more}`;
  people(form, () => {
    const { adults, children, rooms } = form.elements;
    return [
      many(adults.value, 'adult', 'adults'),
      many(children.value, 'child', 'children'),
      many(rooms.value, 'room', 'rooms'),
    ].join(', ');
  });
}
