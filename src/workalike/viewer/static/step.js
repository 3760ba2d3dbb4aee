// What is told of one step: what was done, thought and said, what it took.
import { saying } from 'viewer/draw.js';
import { longText, make, money, plural, seconds, words } from 'viewer/page.js';

const TEXTS = [
  ['observation_text', 'Observation'],
  ['thought', 'Thought'],
  ['action_text', 'Action'],
  ['reflection', 'Reflection'],
];

// A text in which what is searched for stands out.
export function marked(text, wanted) {
  if (!wanted) return longText(text);
  const low = text.toLowerCase();
  const parts = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0 && parts.length < 400; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), make('mark', {}, text.slice(at, at + wanted.length)));
    from = at + wanted.length;
  }
  return parts.length ? make('p', { class: 'text' }, parts, text.slice(from)) : longText(text);
}

export const describe = (frame) => {
  if (frame.ending) return 'the end';
  const done = (frame.actions ?? []).map(({ action }) => `${words(action.do)} ${saying(action)}`.trim());
  return done.join(', ').slice(0, 120) || 'nothing done';
};

// All the words of a step, to search in.
export const textOf = (frame) =>
  [
    ...TEXTS.map(([name]) => frame[name]),
    frame.reply,
    ...(frame.actions ?? []).flatMap(({ action, result, error }) => [saying(action), result, error]),
    ...(frame.notices ?? []).map((notice) => notice.text),
    frame.observation.url,
    frame.observation.title,
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();

function takenNode(taken, index, many) {
  const { action, hit, result, error, start, end } = taken;
  const said = saying(action);
  const on = hit
    ? ` on ${hit.role}${hit.name ? ` “${hit.name.slice(0, 200)}”` : ''}${hit.unsure ? ' (unsure)' : ''}`
    : '';
  const spot = action.at ?? action.to ?? action.path?.at(-1);
  const where = spot ? `at ${spot.map((one) => one.toFixed(3)).join(', ')}` : '';
  const took = start !== undefined && end !== undefined ? `took ${seconds(end - start)}` : '';
  return make(
    'div',
    { class: 'taken' },
    make('strong', {}, `${many ? `${index + 1}. ` : ''}${words(action.do)}`),
    on,
    said ? make('span', { class: 'typed' }, said.length > 4000 ? `${said.slice(0, 4000)}…` : said) : null,
    make('small', {}, [where, took].filter(Boolean).join(' · ')),
    result ? longText(result, 'text quiet') : null,
    error ? longText(error, 'text error') : null,
  );
}

// Kinds of text that somebody does not want to read; they stay shut from step to step.
const shut = new Set();

function folding(title, inner) {
  const held = make('details', { class: 'said', open: !shut.has(title) }, make('summary', {}, title), inner);
  held.addEventListener('toggle', () => (held.open ? shut.delete(title) : shut.add(title)));
  return held;
}

function* section(title, text, wanted) {
  if (text) yield folding(title, marked(String(text), wanted));
}

function judged(frame) {
  const marks = [];
  if (frame.correct === true) marks.push(make('span', { class: 'chip' }, 'correct'));
  if (frame.correct === false) marks.push(make('span', { class: 'chip bad' }, 'not correct'));
  if (frame.redundant) marks.push(make('span', { class: 'chip' }, 'redundant'));
  if (frame.value !== undefined && frame.value !== null) {
    marks.push(make('span', { class: 'chip' }, `step value ${frame.value} of 10`));
  }
  return marks.length ? make('p', { class: 'bar' }, marks) : null;
}

function facts(frame, previous) {
  const seen = frame.observation;
  const size = seen.size ? `${seen.size[0]} × ${seen.size[1]}${seen.scale > 1 ? ` at ${seen.scale}×` : ''}` : '';
  const usage = frame.usage;
  const passed =
    seen.time !== undefined && previous !== undefined ? `, ${seconds(seen.time - previous)} after the last` : '';
  const tokens = usage
    ? `${(usage.input_tokens ?? 0).toLocaleString('en')} in, ${(usage.output_tokens ?? 0).toLocaleString('en')} out`
    : '';
  const rows = [
    ['Page', seen.title],
    ['Address', seen.url],
    ['Window', seen.window],
    ['Screen', size],
    ['Tabs', seen.tabs?.length > 1 ? plural(seen.tabs.length, 'tab') : ''],
    ['Seen at', seen.time !== undefined ? `${seconds(seen.time)}${passed}` : ''],
    ['Tokens', tokens],
    ['Cost', usage ? money(usage.cost === undefined ? 0 : usage.cost) : ''],
  ].filter(([, value]) => value);
  return make(
    'dl',
    { class: 'facts' },
    rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

export function* details(frame, previous, wanted) {
  const seen = frame.observation;
  if (frame.ending) yield make('p', { class: 'text' }, 'What the screen showed after the last action.');
  const done = frame.actions ?? [];
  yield* done.map((taken, index) => takenNode(taken, index, done.length > 1));
  const mark = judged(frame);
  if (mark) yield mark;
  for (const [name, title] of TEXTS) yield* section(title, frame[name], wanted);
  if (seen.dialog) yield* section(`Open ${seen.dialog.kind}`, seen.dialog.message, wanted);
  if (frame.code) {
    yield folding('Code', make('pre', { tabindex: '0' }, frame.code.slice(0, 20000)));
  }
  yield* section('Reply', frame.reply, wanted);
  const notices = (frame.notices ?? []).map((notice) => `${words(notice.kind)}: ${notice.text}`);
  yield* section('Noticed', notices.join('\n'), wanted);
  yield make('h3', {}, 'Where and when');
  yield facts(frame, previous);
}
