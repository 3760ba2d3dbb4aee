// The first page: what there is to look at.
import { api, every, getJson, link, make, outcomeClass, outcomeMark, plural, seconds } from 'viewer/page.js';

const LOOK_MS = 3000;
const KINDS = [
  ['questions', 'Questions that wait for you', 'questions'],
  ['run', 'Runs', 'run'],
  ['dataset', 'Datasets', 'dataset'],
  ['demo', 'Demonstrations', 'trajectory'],
  ['recording', 'Recordings', 'review'],
];

function lines(each) {
  if (each.damaged) return [make('p', { class: 'bad' }, each.damaged)];
  if (each.kind === 'run') {
    const who = [each.agent, each.model].filter(Boolean).join(' · ');
    const when = each.created ? new Date(each.created).toLocaleString() : '';
    return [
      make('p', {}, [each.benchmark, who].filter(Boolean).join(': ') || 'an agent'),
      make('p', { class: 'quiet' }, when, each.live ? make('span', { class: 'chip live' }, 'running now') : null),
    ];
  }
  if (each.kind === 'dataset') {
    const size = each.size > 1e6 ? `${(each.size / 1e6).toFixed(0)} MB` : `${Math.ceil(each.size / 1e3)} KB`;
    const rows = each.rows === null ? '' : `${each.rows.toLocaleString('en')} trajectories, `;
    return [make('p', {}, `${rows}${plural(each.files, 'file')}, ${size}`)];
  }
  if (each.kind === 'questions') return [make('p', {}, `${plural(each.waiting, 'question')} to answer`)];
  const long =
    each.kind === 'demo'
      ? each.steps === null
        ? 'interrupted'
        : plural(each.steps, 'step')
      : each.seconds
        ? seconds(each.seconds)
        : 'cut off';
  return [
    make('p', { class: 'two-lines' }, each.instruction || 'no task told'),
    make('p', { class: 'quiet' }, long, each.outcome ? [' · ', outcomeMark(each.outcome)] : null),
    each.kind === 'recording' ? make('p', { class: 'quiet' }, each.decision ?? 'not reviewed yet') : null,
  ];
}

const card = (each, page) =>
  make(
    'a',
    { class: 'card', 'data-key': each.key, href: link(page, page === 'trajectory' ? [each.key, '0'] : [each.key]) },
    make('strong', {}, each.place),
    ...lines(each),
  );

function compareForm(runs) {
  const options = () => runs.map((run) => make('option', { value: run.key }, run.place));
  const first = make('select', { 'aria-label': 'The first run' }, options());
  const second = make('select', { 'aria-label': 'The second run' }, options());
  second.selectedIndex = 1;
  const open = () => (location.hash = link('compare', [first.value, second.value]));
  return make(
    'p',
    { class: 'bar' },
    make('span', {}, 'Two runs side by side:'),
    first,
    second,
    make('button', { type: 'button', onclick: open }, 'Compare'),
  );
}

// How each run came out: asked for one after the other, for a run that nobody has looked at yet is read first.
async function showScores(main, runs, isOpen) {
  for (const run of runs) {
    const card = main.querySelector(`[data-key="${CSS.escape(run.key)}"]`);
    const told = isOpen() && !run.damaged ? await getJson(api('score', run.key)).catch(() => null) : null;
    if (!told) continue;
    const solved = told.outcomes.success ?? 0;
    const judged = Object.values(told.outcomes).reduce((sum, count) => sum + count, 0);
    const parts = ['success', 'failure', 'other'].flatMap((kind) => {
      const names = Object.entries(told.outcomes).filter(([name]) => outcomeClass(name) === kind);
      const count = names.reduce((sum, [, one]) => sum + one, 0);
      // What there is none of has no part, for a part that nobody sees would still take its gap.
      return count ? [make('i', { class: kind, style: { width: `${(100 * count) / told.attempts}%` } })] : [];
    });
    const text = judged ? `, ${Math.round((100 * solved) / judged)} % success` : '';
    card.append(
      make('p', {}, `${plural(told.attempts, 'attempt')} at ${plural(told.tasks, 'task')}${text}`),
      make('div', { class: 'score' }, parts),
    );
  }
}

export async function show(main) {
  let open = true;
  const told = await getJson('/api/home');
  const { path, collections } = told;
  main.append(make('h1', {}, path));
  for (const [kind, title, page] of KINDS) {
    const found = collections.filter((each) => each.kind === kind);
    if (!found.length) continue;
    const cards = make(
      'div',
      { class: 'cards' },
      found.map((each) => card(each, page)),
    );
    main.append(make('section', {}, make('h2', {}, `${title} `, make('small', {}, String(found.length))), cards));
    if (kind === 'run' && found.length > 1) main.append(compareForm(found));
  }
  showScores(
    main,
    collections.filter((each) => each.kind === 'run'),
    () => open,
  );
  // What comes, begins or ends meanwhile appears.
  const stop = every(LOOK_MS, async () => {
    const now = await getJson('/api/home').catch(() => told);
    if (open && JSON.stringify(now) !== JSON.stringify(told)) window.dispatchEvent(new HashChangeEvent('hashchange'));
  });
  const close = () => {
    open = false;
    stop();
  };
  return { title: path, close };
}
