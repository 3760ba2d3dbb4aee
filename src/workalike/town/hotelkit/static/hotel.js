// What the hotel sites' pages do by themselves: suggestions, the calendar and guests.

import { after, dayButton, long, month, monthOf, read, short, write } from './calendar.js';
import { all } from './forms.js';
import { choice, suggest } from './suggest.js';

// Cities and houses under the field as one types.
for (const field of all('[data-where]')) {
  const values = {};
  const take = (row) => {
    field.value = values[row.getAttribute('aria-label')];
    hide();
  };
  const list = field.closest('.hunt-where').querySelector('[data-suggestions]');
  const hide = suggest(field, list, ({ name, value, kind }) => {
    values[name] = value;
    return choice(name, kind, take);
  });
}

// A calendar for two days, two months at a time.
for (const form of all('[data-hunt]')) {
  const box = form.querySelector('[data-calendar]'),
    months = form.querySelector('[data-months]');
  const today = read(form.dataset.today),
    last = after(today, Number(form.dataset.horizon));
  const full = new Set();
  const buttons = { in: form.querySelector('[data-day=in]'), out: form.querySelector('[data-day=out]') };
  const field = (name) => form.elements[name];
  let choosing = 'in',
    first = null;

  const label = () => {
    for (const [name, button] of Object.entries(buttons)) {
      const day = read(field(name).value);
      button.querySelector('b').textContent = day ? short(day) : 'Add date';
      button.setAttribute('aria-label', `${button.dataset.label}: ${day ? long(day) : 'not chosen'}`);
      button.classList.toggle('on', !box.hidden && choosing === name);
    }
    form.querySelector('[data-hint]').textContent = choosing === 'in' ? 'Choose the first day' : 'Choose the last day';
  };
  const pick = (day) => {
    const iso = write(day),
      arrive = field('in').value;
    if (choosing === 'out' && arrive && iso > arrive) {
      field('out').value = iso;
      box.hidden = true;
    } else {
      field('in').value = iso;
      if (field('out').value <= iso) field('out').value = '';
      choosing = 'out';
    }
    draw();
  };
  const cell = (day) => {
    const iso = write(day);
    const gone = full.has(iso) && !(choosing === 'out' && field('in').value && field('in').value < iso);
    const ends = [field('in').value, field('out').value];
    const button = dayButton(day, ends, day < today || day > last || gone, pick);
    if (full.has(iso)) {
      button.classList.add('full');
      button.setAttribute('aria-label', `${long(day)}, sold out`);
    }
    if (iso === form.dataset.today) button.setAttribute('aria-current', 'date');
    return button;
  };
  // A house's sold-out days come with the months that are shown.
  const ask = async () => {
    if (!form.dataset.full) return;
    const query = new URLSearchParams({ hotel: form.dataset.full, from: write(first) });
    for (const day of await (await fetch('/days?' + query)).json()) full.add(day);
    draw();
  };
  const draw = () => {
    label();
    if (box.hidden) return;
    const next = monthOf(first, 1);
    months.replaceChildren(month(first, cell), month(next, cell));
    form.querySelector("[data-turn='-1']").disabled = first <= today;
    form.querySelector("[data-turn='1']").disabled = next > last;
  };
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener('click', () => {
      const same = !box.hidden && choosing === name;
      choosing = name === 'out' && !field('in').value ? 'in' : name;
      const from = read(field(name).value) || read(field('in').value) || today;
      if (box.hidden) first = monthOf(from);
      box.hidden = same;
      draw();
      if (!same) ask();
    });
  }
  for (const turn of all('[data-turn]', form)) {
    turn.addEventListener('click', (event) => {
      event.stopPropagation();
      first = monthOf(first, Number(turn.dataset.turn));
      draw();
      ask();
    });
  }
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.hunt-days') && !box.hidden) {
      box.hidden = true;
      label();
    }
  });
  label();
}

// Guests and rooms.
for (const form of all('[data-hunt]')) {
  const button = form.querySelector('[data-people]'),
    panel = form.querySelector('[data-people-panel]');
  const many = (count, one, more) => `${count} ${count === '1' ? one : more}`;
  const label = () => {
    const { adults, children, rooms } = form.elements;
    const text = [
      many(adults.value, 'adult', 'adults'),
      many(children.value, 'child', 'children'),
      many(rooms.value, 'room', 'rooms'),
    ].join(', ');
    button.querySelector('b').textContent = text;
    button.setAttribute('aria-label', `${button.dataset.label}: ${text}`);
  };
  for (const row of all('[data-counter]', form)) {
    const field = row.querySelector('input'),
      shown = row.querySelector('output');
    for (const step of all('[data-by]', row)) {
      step.addEventListener('click', () => {
        field.value = Math.min(9, Math.max(Number(row.dataset.least), Number(field.value) + Number(step.dataset.by)));
        shown.textContent = field.value;
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
