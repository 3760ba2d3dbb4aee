// Days and months for the calendars of all sites. A day is midnight in UTC, so that no time zone moves it.

const DAY = 86400000;
const NAMES = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const word = (day, options) => day.toLocaleDateString('en-US', { timeZone: 'UTC', ...options });

export const read = (iso) => (iso ? new Date(iso + 'T00:00:00Z') : null);
export const write = (day) => day.toISOString().slice(0, 10);
export const long = (day) => word(day, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
export const short = (day) => word(day, { weekday: 'short', month: 'short', day: 'numeric' });
export const after = (day, count) => new Date(day.getTime() + count * DAY);
export const monthOf = (day, by = 0) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + by, 1));

// One month: its name, the days of the week, and what `cell` makes of each day.
export function month(first, cell) {
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
export function dayButton(day, ends, disabled, pick) {
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
