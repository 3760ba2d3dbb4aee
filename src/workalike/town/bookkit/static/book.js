// What the pages do by themselves on which times are booked: suggestions, the calendar of one day, and who comes.

import { after, dayButton, long, month, monthOf, read, short, write } from './calendar.js';
import { all } from './forms.js';
import { choice, suggest } from './suggest.js';

// Cities and venues under the field as one types.
for (const field of all('[data-where]')) {
  const take = (row) => {
    field.value = row.getAttribute('aria-label');
    hide();
  };
  const list = field.closest('.hunt-where').querySelector('[data-suggestions]');
  const hide = suggest(field, list, ({ value, kind }) => choice(value, kind, take));
}

// A calendar for one day, two months at a time.
for (const form of all('[data-hunt]')) {
  const box = form.querySelector('[data-calendar]'),
    button = form.querySelector('[data-day]'),
    field = form.elements.day;
  const today = read(form.dataset.today),
    last = after(today, Number(form.dataset.horizon)),
    full = new Set();
  let first = null;
  const draw = () => {
    const day = read(field.value);
    button.querySelector('b').textContent = day ? short(day) : 'Any day';
    button.setAttribute('aria-label', `${button.dataset.label}: ${day ? long(day) : 'not chosen'}`);
    if (box.hidden) return;
    const next = monthOf(first, 1);
    form.querySelector('[data-months]').replaceChildren(month(first, cell), month(next, cell));
    form.querySelector("[data-turn='-1']").disabled = first <= today;
    form.querySelector("[data-turn='1']").disabled = next > last;
  };
  const pick = (day) => {
    field.value = write(day);
    box.hidden = true;
    draw();
  };
  const cell = (day) => {
    const made = dayButton(day, [field.value], day < today || day > last, pick);
    if (full.has(write(day))) {
      made.classList.add('full');
      made.setAttribute('aria-label', `${long(day)}, full`);
    }
    return made;
  };
  // A venue's full days come with the months that are shown.
  const ask = async () => {
    if (!form.dataset.full) return;
    const query = new URLSearchParams({ venue: form.dataset.full, from: write(first) });
    for (const day of await (await fetch('/days?' + query)).json()) full.add(day);
    draw();
  };
  button.addEventListener('click', () => {
    box.hidden = !box.hidden;
    first = monthOf(read(field.value) || today);
    draw();
    if (!box.hidden) ask();
  });
  for (const turn of all('[data-turn]', form)) {
    turn.addEventListener('click', (event) => {
      event.stopPropagation();
      first = monthOf(first, Number(turn.dataset.turn));
      draw();
      ask();
    });
  }
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.hunt-days')) box.hidden = true;
  });
  draw();
}

// Who comes.
for (const form of all('[data-hunt]')) {
  const button = form.querySelector('[data-people]'),
    panel = form.querySelector('[data-people-panel]'),
    rows = all('[data-counter]', form);
  const label = () => {
    const counts = rows.map((row) => [row.querySelector('input').value, row.querySelector('span').textContent]);
    const text = counts.map(([count, name]) => `${count} ${name.toLowerCase()}`).join(', ');
    button.querySelector('b').textContent = text;
    button.setAttribute('aria-label', `${button.dataset.label}: ${text}`);
  };
  for (const row of rows) {
    const field = row.querySelector('input');
    for (const step of all('[data-by]', row)) {
      step.addEventListener('click', () => {
        const count = Number(field.value) + Number(step.dataset.by);
        field.value = Math.min(Number(row.dataset.most), Math.max(0, count));
        row.querySelector('output').textContent = field.value;
        label();
      });
    }
  }
  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
  });
  form.querySelector('[data-people-done]').addEventListener('click', () => {
    panel.hidden = true;
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.hunt-guests')) panel.hidden = true;
  });
  label();
}
