// Pickers of dates, times and colours, drawn like the lists.
const COLOURS = {
  black: '#000000',
  grey: '#808080',
  silver: '#c0c0c0',
  white: '#ffffff',
  red: '#ff0000',
  maroon: '#800000',
  orange: '#ffa500',
  yellow: '#ffff00',
  olive: '#808000',
  lime: '#00ff00',
  green: '#008000',
  teal: '#008080',
  aqua: '#00ffff',
  blue: '#0000ff',
  navy: '#000080',
  purple: '#800080',
  fuchsia: '#ff00ff',
  pink: '#ffc0cb',
  brown: '#a52a2a',
};
const PICKED = new Set(['date', 'datetime-local', 'month', 'week', 'time', 'color']);
const two = (number) => String(number).padStart(2, '0');
const dayText = (day) => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;

function isoWeek(day) {
  const thursday = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 3 - ((day.getDay() + 6) % 7));
  const first = new Date(thursday.getFullYear(), 0, 4);
  const week = 1 + Math.round(((thursday - first) / 864e5 - 3 + ((first.getDay() + 6) % 7)) / 7);
  return `${thursday.getFullYear()}-W${two(week)}`;
}

// The value a day gives a field of this kind.
function valueFor(field, day) {
  switch (field.type) {
    case 'month':
      return dayText(day).slice(0, 7);
    case 'week':
      return isoWeek(day);
    case 'datetime-local':
      return `${dayText(day)}T${field.value.split('T')[1] || '12:00'}`;
    default:
      return dayText(day);
  }
}

const outside = (field, value) =>
  Boolean((field.min && value < field.min.slice(0, value.length)) || (field.max && value > field.max));

function dayShown(field) {
  const [year, month, day] = (field.type === 'week' ? '' : field.value).split('T')[0].split('-').map(Number);
  return year ? new Date(year, month - 1, day || 1) : new Date();
}

function openCalendar(field, year, month) {
  const language = document.documentElement.lang || navigator.language;
  const words = (day, style) => {
    try {
      return day.toLocaleDateString(language, style);
    } catch {
      return day.toLocaleDateString('en', style);
    }
  };
  const first = new Date(year, month, 1);
  const turned = (by) => () => openCalendar(field, by.getFullYear(), by.getMonth());
  const rows = [
    { text: '‹', name: 'Previous month', turn: turned(new Date(year, month - 1, 1)) },
    { text: words(first, { month: 'long', year: 'numeric' }), wide: true, off: true },
    { text: '›', name: 'Next month', turn: turned(new Date(year, month + 1, 1)) },
  ];
  for (let n = 0; n < 7; n++) rows.push({ text: words(new Date(2023, 0, 1 + n), { weekday: 'narrow' }), off: true });
  for (let n = 0; n < first.getDay(); n++) rows.push({ text: '', off: true });
  for (let day = first; day.getMonth() === first.getMonth(); day = new Date(year, month, day.getDate() + 1)) {
    const value = valueFor(field, day);
    rows.push({
      text: String(day.getDate()),
      name: words(day, { day: 'numeric', month: 'long', year: 'numeric' }),
      option: { value, selected: value === field.value || (!field.value && dayText(day) === dayText(new Date())) },
      off: outside(field, value),
    });
  }
  openList(field, rows, true);
}

function openPicker(field) {
  if (field.type === 'color')
    return openList(
      field,
      Object.entries(COLOURS).map(([name, value]) => ({ text: name, option: { value } })),
    );
  if (field.type === 'time') {
    const times = Array.from({ length: 48 }, (_, n) => `${two(Math.floor(n / 2))}:${n % 2 ? '30' : '00'}`);
    return openList(
      field,
      times.map((value) => ({ text: value, option: { value }, off: outside(field, value) })),
    );
  }
  const shown = dayShown(field);
  openCalendar(field, shown.getFullYear(), shown.getMonth());
}

// A date field opens by its sign at the end, a colour field anywhere.
function onSign(event, field) {
  if (field.type === 'color') return true;
  const rect = field.getBoundingClientRect();
  return getComputedStyle(field).direction === 'rtl' ? event.clientX - rect.left < 26 : rect.right - event.clientX < 26;
}

listen('click', (event) => {
  const field = event.composedPath()[0];
  if (
    !event.isTrusted ||
    !field ||
    field.localName !== 'input' ||
    !PICKED.has(field.type) ||
    field.disabled ||
    field.readOnly
  )
    return;
  if (onSign(event, field))
    atLast(event, (late) => {
      late.preventDefault();
      openPicker(field);
    });
});
listen('keydown', (event) => {
  const field = event.composedPath()[0];
  if (list || !field || field.localName !== 'input' || !PICKED.has(field.type) || field.disabled || field.readOnly)
    return;
  const opens =
    event.key === ' ' ||
    event.key === 'F4' ||
    (event.altKey && event.key === 'ArrowDown') ||
    (field.type === 'color' && event.key === 'Enter');
  if (opens)
    atLast(event, (late) => {
      late.preventDefault();
      openPicker(field);
    });
});
