// Days and months for the calendars of all sites. A day is midnight in UTC, so that no time zone moves it.

const DAY = 86400000;
const NAMES = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const word = (day, options) => day.toLocaleDateString('en-US', { timeZone: 'UTC', ...options });

export const read = (iso) => (iso ? new Date(iso + 'T00:00:00Z') : null);
export const write = (day) => day.toISOString().slice(0, 10);
export const long = (day) => word(day, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
export const short = (day) => word(day, { weekday: 'short', month: 'short', day: 'numeric' });
const after = (day, count) => new Date(day.getTime() + count * DAY);
const monthOf = (day, by = 0) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + by, 1));

// One month: its name, the days of the week, and what `cell` makes of each day.
function month(first, cell) {
  const box = Object.assign(document.createElement('div'), { className: 'month' });
  const grid = Object.assign(document.createElement('div'), { className: 'days' });
  const title = word(first, { month: 'long', year: 'numeric' });
  box.append(Object.assign(document.createElement('h3'), { textContent: title }), grid);
  for (const name of NAMES) grid.append(Object.assign(document.createElement('span'), { textContent: name }));
  for (let blank = 0; blank < first.getUTCDay(); blank++) grid.append(document.createElement('i'));
  for (let day = first; day.getUTCMonth() === first.getUTCMonth(); day = after(day, 1)) grid.append(cell(day));
  return box;
}

// The button of one day between `ends`, the first and the last that are chosen; `pick` hears of a click.
function dayButton(day, ends, disabled, pick) {
  const iso = write(day);
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: day.getUTCDate(),
    disabled,
  });
  button.setAttribute('aria-label', long(day));
  if (ends.includes(iso)) {
    button.classList.add('on');
    button.setAttribute('aria-pressed', 'true');
  } else if (ends[0] && ends[1] && iso > ends[0] && iso < ends[1]) button.classList.add('between');
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    pick(day);
  });
  return button;
}

// Two months at a time, in a form that says what day it is and how far one may look ahead. `chosen` gives the first
// and the last day that are chosen, `pick` hears of a click, `dress` does what else a day's button needs, that of a
// full one above all, and `closed` tells further days that cannot be had.
export function calendar(form, { chosen, pick, dress, closed = () => false }) {
  const today = read(form.dataset.today);
  const last = after(today, Number(form.dataset.horizon));
  const full = new Set();
  let first = monthOf(today);
  const cell = (day) => {
    const isFull = full.has(write(day));
    const button = dayButton(day, chosen(), day < today || day > last || closed(day, isFull), pick);
    button.classList.toggle('full', isFull);
    dress(button, day, isFull);
    return button;
  };
  return {
    full,
    show: (day) => {
      first = monthOf(day || today);
    },
    turn: (by) => {
      first = monthOf(first, by);
    },
    months: () => [month(first, cell), month(monthOf(first, 1), cell)],
    from: () => write(first),
    begins: () => first <= today,
    ends: () => monthOf(first, 1) > last,
  };
}

// The same in a box of its form, which opens at a day, turns by its buttons and shuts at a click elsewhere. The full
// days of the `thing` that the form is about come with the months that are shown; `drawn` hears of every change, and
// whether the box is open.
export function calendarBox(form, thing, options, drawn) {
  const box = form.querySelector('[data-calendar]');
  const shown = calendar(form, options);
  const draw = () => {
    drawn(!box.hidden);
    if (box.hidden) return;
    form.querySelector('[data-months]').replaceChildren(...shown.months());
    form.querySelector("[data-turn='-1']").disabled = shown.begins();
    form.querySelector("[data-turn='1']").disabled = shown.ends();
  };
  const ask = async () => {
    if (!form.dataset.full) return;
    const query = new URLSearchParams({ [thing]: form.dataset.full, from: shown.from() });
    for (const day of await (await fetch('/days?' + query)).json()) shown.full.add(day);
    draw();
  };
  const put = (hidden) => {
    box.hidden = hidden;
    draw();
  };
  for (const turn of form.querySelectorAll('[data-turn]')) {
    turn.addEventListener('click', (event) => {
      event.stopPropagation();
      shown.turn(Number(turn.dataset.turn));
      draw();
      ask();
    });
  }
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.hunt-days') && !box.hidden) put(true);
  });
  draw();
  return {
    draw,
    isOpen: () => !box.hidden,
    shut: () => put(true),
    open: (day) => {
      if (box.hidden) shown.show(day);
      put(false);
      ask();
    },
  };
}
