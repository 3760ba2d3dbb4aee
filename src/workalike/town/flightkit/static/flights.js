// What the pages with flights do by themselves.

import { calendar, read, short, write } from './calendar.js';
import { all } from './forms.js';
import { suggestValues } from './suggest.js';

// Suggestions for cities.
for (const place of all('[data-place]')) {
  const field = place.querySelector('input');
  suggestValues(field, place.querySelector('[data-options]'), ({ label, land }) => ({ label, hint: land }), {
    least: 1,
    entered: true,
    taken: () => field.dispatchEvent(new Event('change', { bubbles: true })),
    hidden: () => field.setAttribute('aria-expanded', 'false'),
  });
  field.addEventListener('focus', () => field.select());
}

// Panels under a button; only one is open.
const pops = all('.pop');
const shut = (except) => {
  for (const pop of pops) if (pop !== except) pop.querySelector('[data-panel]').hidden = true;
};
for (const pop of pops) {
  const panel = pop.querySelector('[data-panel]');
  pop.querySelector('[data-open]').addEventListener('click', () => {
    shut(pop);
    panel.hidden = !panel.hidden;
  });
  for (const done of all('[data-done]', pop))
    done.addEventListener('click', () => {
      panel.hidden = true;
    });
}
document.addEventListener('click', (event) => {
  if (event.target.isConnected && !event.target.closest('.pop')) shut();
});
const say = (pop, text) => {
  pop.querySelector('[data-text]').textContent = text;
  pop.querySelector('[data-open]').setAttribute('aria-label', `${pop.dataset.label}: ${text}`);
};

// The calendar: two months side by side; a day for one way, a first and a last one for a round trip.
for (const form of all('[data-finder]')) {
  const pop = form.querySelector('[data-dates]'),
    panel = pop.querySelector('[data-panel]');
  const depart = form.elements.depart,
    back = form.elements.return;
  let half = false;
  const single = () => form.elements.trip.value === 'single';
  const text = () => {
    if (!depart.value) return single() ? 'Choose a day' : 'Choose dates';
    if (single()) return short(read(depart.value));
    return `${short(read(depart.value))} – ${back.value ? short(read(back.value)) : 'return'}`;
  };
  const pick = (chosen) => {
    const day = write(chosen);
    if (single()) {
      depart.value = day;
      back.value = '';
      panel.hidden = true;
    } else if (!half || day < depart.value) {
      depart.value = day;
      back.value = '';
      half = true;
    } else {
      back.value = day;
      half = false;
      panel.hidden = true;
    }
    draw();
  };
  const shown = calendar(form, {
    chosen: () => [depart.value, back.value],
    pick,
    closed: (day) => write(day) <= form.dataset.today,
    dress: (button, day, full) => {
      if (full) button.title = 'Nonstop flights sold out';
    },
  });
  shown.show(read(depart.value));
  const turn = (by, name, mark) => {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'turn',
      textContent: mark,
    });
    button.setAttribute('aria-label', name);
    button.addEventListener('click', () => {
      shown.turn(by);
      draw();
    });
    return button;
  };
  const draw = () => {
    const months = Object.assign(document.createElement('div'), { className: 'months' });
    months.append(...shown.months());
    const foot = Object.assign(document.createElement('p'), {
      className: 'calendar-foot muted',
      textContent: shown.full.size ? 'Crossed out: nonstop flights sold out' : 'Choose your days',
    });
    panel.replaceChildren(turn(-1, 'Previous month', '‹'), turn(1, 'Next month', '›'), months, foot);
    say(pop, text());
  };
  form.addEventListener('change', async (event) => {
    if (event.target.name === 'trip') {
      if (single()) back.value = '';
      half = Boolean(depart.value) && !single();
      draw();
    }
    if (event.target.name === 'from' || event.target.name === 'to') {
      const query = new URLSearchParams({ from: form.elements.from.value, to: form.elements.to.value });
      const full = await (await fetch('/days?' + query)).json();
      shown.full.clear();
      for (const day of full) shown.full.add(day);
      draw();
    }
  });
  form.addEventListener('submit', () => {
    if (!back.value) back.disabled = true;
    for (const radio of all('[name=trip]', form)) radio.disabled = true;
  });
  draw();

  const people = form.querySelector('[data-people]');
  const tell = () => {
    const adults = Number(form.elements.adults.value),
      children = Number(form.elements.children.value);
    const parts = [`${adults} ${adults === 1 ? 'adult' : 'adults'}`];
    if (children) parts.push(`${children} ${children === 1 ? 'child' : 'children'}`);
    say(people, parts.join(', '));
  };
  for (const button of all('[data-by]', people)) {
    button.addEventListener('click', () => {
      const field = form.elements[button.dataset.of],
        other = form.elements[button.dataset.of === 'adults' ? 'children' : 'adults'];
      const least = button.dataset.of === 'adults' ? 1 : 0;
      const count = Number(field.value) + Number(button.dataset.by);
      if (count < least || count + Number(other.value) > 6) return;
      field.value = count;
      people.querySelector(`[data-count=${button.dataset.of}]`).textContent = count;
      tell();
    });
  }
  tell();
}

// No more seats than travellers.
for (const map of all('[data-seats]')) {
  const most = Number(map.dataset.seats);
  map.addEventListener('change', (event) => {
    const chosen = all('input:checked', map);
    if (chosen.length <= most) return;
    if (most === 1) {
      for (const each of chosen) if (each !== event.target) each.checked = false;
    } else event.target.checked = false;
  });
}
