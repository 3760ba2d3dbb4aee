// A run: a table to sort and filter, a grid of tasks and attempts coloured by verdict; told anew as it goes on.
import {
  api,
  every,
  getJson,
  go,
  link,
  make,
  money,
  outcomeClass,
  outcomeMark,
  plural,
  replace,
  seconds,
  settled,
  words,
} from 'viewer/page.js';

const LIVE_MS = 1000;
const AT_ONCE = 200;
const LEVELS = ['easy', 'medium', 'hard'];

// One line of the table: an attempt with its task.
export function lines(run, verifier) {
  return run.attempts.map((attempt) => {
    const task = run.tasks[attempt.task];
    const outcome = attempt.verdicts[verifier] ?? null;
    return {
      ...attempt,
      outcome,
      process: attempt.process[verifier] ?? null,
      id: task.id,
      instruction: task.instruction,
      category: task.category ?? '',
      level: task.level ?? '',
    };
  });
}

const COLUMNS = [
  ['instruction', 'Task'],
  ['outcome', 'Verdict'],
  ['process', 'Process', 'number'],
  ['stop', 'Ended'],
  ['steps', 'Steps', 'number'],
  ['seconds', 'Time', 'number'],
  ['cost', 'Cost', 'number'],
  ['repeat', 'Attempt', 'number'],
  ['category', 'Category'],
  ['level', 'Level'],
];
const CHOICES = [
  ['category', 'category'],
  ['level', 'level'],
  ['outcome', 'verdict'],
  ['stop', 'end'],
];
const RANGES = [
  ['steps', 'steps'],
  ['seconds', 'seconds'],
  ['cost', 'dollars'],
];

function rank(value) {
  const level = LEVELS.indexOf(value);
  return level >= 0 ? level : value;
}

function compare(left, right) {
  if (left === right) return 0;
  if (left === null || left === undefined || left === '') return 1;
  if (right === null || right === undefined || right === '') return -1;
  const [one, other] = [rank(left), rank(right)];
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { numeric: true });
}

export async function show(main, route) {
  const [key] = route.args;
  const run = await getJson(api('run', key));
  const view = new RunView(main, key, run, route.query);
  let live = run.live;
  const stop = every(LIVE_MS, async () => {
    if (!live) return;
    try {
      const told = await getJson(api('run', key, { version: view.run.version }));
      if (told) {
        live = told.live;
        view.take(told);
      }
    } catch {
      live = false;
    }
  });
  return {
    title: run.place,
    crumbs: [[run.place, null]],
    keys: view.keys,
    close: stop,
    update: (to) => {
      if (to.args[0] !== key) return false;
      view.read(to.query);
      view.draw();
      return true;
    },
  };
}

class RunView {
  constructor(main, key, run, query) {
    this.key = key;
    this.cursor = -1;
    this.summary = make('div', {});
    this.search = make('input', {
      type: 'search',
      class: 'grow',
      placeholder: 'Search tasks',
      'aria-label': 'Search tasks',
    });
    this.search.addEventListener(
      'input',
      settled(120, () => this.changed()),
    );
    this.choices = Object.fromEntries(
      CHOICES.map(([name, text]) => [
        name,
        make('select', { 'aria-label': `Only this ${text}`, onchange: () => this.changed() }),
      ]),
    );
    this.ranges = Object.fromEntries(
      RANGES.flatMap(([name, text]) =>
        ['min', 'max'].map((end) => [
          `${end}_${name}`,
          make('input', {
            type: 'number',
            min: '0',
            step: 'any',
            placeholder: `${end} ${text}`,
            'aria-label': `${end === 'min' ? 'At least' : 'At most'} so many ${text}`,
            onchange: () => this.changed(),
          }),
        ]),
      ),
    );
    this.verifier = make('select', { 'aria-label': 'Verdicts by', onchange: () => this.changed() });
    this.room = make('div', {});
    const inside = make('a', { href: link('dataset', [key]) }, 'Search thoughts and typed text');
    this.views = ['table', 'grid'].map((name) =>
      make('button', { type: 'button', onclick: () => this.turnTo(name) }, name === 'table' ? 'Table' : 'Grid'),
    );
    main.append(
      this.summary,
      make('div', { class: 'bar' }, this.views, this.search, Object.values(this.choices), this.verifier, inside),
      make(
        'details',
        { class: 'ranges' },
        make('summary', { class: 'quiet' }, 'Steps, time and cost from … to …'),
        make('div', { class: 'bar' }, Object.values(this.ranges)),
      ),
      this.room,
      make('p', {}, make('a', { href: link('queue', [key]) }, 'Label queue')),
    );
    this.take(run, query);
  }

  get keys() {
    return {
      ArrowDown: [() => this.move(1), 'the next attempt'],
      ArrowUp: [() => this.move(-1), 'the attempt before'],
      Enter: [() => this.room.querySelectorAll('tbody a, .grid .cell')[this.cursor]?.click(), 'look at it'],
      g: [() => this.turnTo(this.view === 'grid' ? 'table' : 'grid'), 'table or grid'],
    };
  }

  // The run as it is now.
  take(run, query = null) {
    this.run = run;
    const options = (select, values, all) => {
      const chosen = select.value;
      select.replaceChildren(
        ...(all ? [make('option', { value: '' }, all)] : []),
        ...values.map((value) => make('option', { value }, words(value))),
      );
      select.value = chosen;
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    };
    options(this.verifier, run.verifiers, '');
    this.verifier.hidden = run.verifiers.length < 2;
    const all = lines(run, this.verifier.value);
    for (const [name, text] of CHOICES) {
      const values = [...new Set(all.map((line) => line[name] ?? ''))].filter((value) => value !== '').sort(compare);
      options(this.choices[name], values, `any ${text}`);
      this.choices[name].hidden = !values.length;
    }
    if (query) this.read(query);
    this.draw();
  }

  read(query) {
    this.view = query.get('view') ?? 'table';
    this.search.value = query.get('q') ?? '';
    const sort = query.get('sort') ?? '';
    this.down = sort.startsWith('-');
    this.sort = sort.replace('-', '');
    for (const [name, select] of Object.entries(this.choices)) select.value = query.get(name) ?? '';
    for (const [name, field] of Object.entries(this.ranges)) field.value = query.get(name) ?? '';
    if (query.get('verifier')) this.verifier.value = query.get('verifier');
  }

  query() {
    const chosen = Object.entries({ ...this.choices, ...this.ranges }).map(([name, field]) => [name, field.value]);
    return {
      view: this.view === 'table' ? '' : this.view,
      q: this.search.value,
      sort: this.sort ? `${this.down ? '-' : ''}${this.sort}` : '',
      verifier: this.verifier.selectedIndex > 0 ? this.verifier.value : '',
      ...Object.fromEntries(chosen),
    };
  }

  changed() {
    replace('run', [this.key], this.query());
    this.draw();
  }

  turnTo(view) {
    this.view = view;
    go('run', [this.key], this.query());
    this.draw();
  }

  found() {
    const wanted = this.search.value.trim().toLowerCase();
    const chosen = Object.entries(this.choices).filter(([, select]) => select.value !== '');
    const bounds = Object.entries(this.ranges).filter(([, field]) => field.value !== '');
    return lines(this.run, this.verifier.value).filter(
      (line) =>
        (!wanted || `${line.id} ${line.instruction}`.toLowerCase().includes(wanted)) &&
        chosen.every(([name, select]) => String(line[name] ?? '') === select.value) &&
        bounds.every(([name, field]) => {
          const value = line[name.slice(4)];
          if (value === null) return false;
          return name.startsWith('min') ? value >= Number(field.value) : value <= Number(field.value);
        }),
    );
  }

  draw() {
    const found = this.found();
    this.drawSummary(found);
    for (const button of this.views)
      button.setAttribute('aria-pressed', String(button.textContent.toLowerCase() === this.view));
    this.cursor = -1;
    this.room.replaceChildren(...(this.view === 'grid' ? this.grid(found) : this.table(found)));
  }

  drawSummary(found) {
    const { run } = this;
    const counts = new Map();
    for (const line of found) counts.set(line.outcome, (counts.get(line.outcome) ?? 0) + 1);
    const judged = found.filter((line) => line.outcome);
    const solved = counts.get('success') ?? 0;
    const cost = found.some((line) => line.cost === null) ? null : found.reduce((sum, line) => sum + line.cost, 0);
    const settings = ['benchmark', 'agent', 'model']
      .map((name) => run.settings[name])
      .filter(Boolean)
      .join(' · ');
    this.summary.replaceChildren(
      make('h1', {}, run.place, run.live ? make('span', { class: 'chip live' }, 'running now') : null),
      make(
        'p',
        { class: 'quiet' },
        `${settings} · ${plural(run.tasks.length, 'task')} · begun ${new Date(run.created).toLocaleString()}`,
      ),
      make(
        'p',
        { class: 'bar', id: 'tally' },
        make('strong', {}, plural(found.length, 'attempt')),
        found.length < run.attempts.length ? make('span', { class: 'quiet' }, `of ${run.attempts.length}`) : null,
        judged.length ? make('span', {}, `${Math.round((100 * solved) / judged.length)} % success`) : null,
        make(
          'span',
          { class: 'legend' },
          [...counts]
            .sort((a, b) => b[1] - a[1])
            .map(([outcome, count]) => make('span', {}, outcomeMark(outcome), ` ${count}`)),
        ),
        make(
          'span',
          { class: 'quiet' },
          seconds(found.reduce((sum, line) => sum + line.seconds, 0)),
          ` · ${cost === null ? 'cost unknown' : money(cost)}`,
        ),
      ),
      run.damaged.length
        ? make(
            'details',
            {},
            make('summary', { class: 'bad' }, `${plural(run.damaged.length, 'attempt')} cannot be read`),
            run.damaged.map((text) => make('p', {}, text)),
          )
        : '',
    );
  }

  table(found) {
    const used = COLUMNS.filter(
      ([name]) => name === 'instruction' || found.some((line) => line[name] !== null && line[name] !== ''),
    );
    const sorted = this.sort
      ? [...found].sort((a, b) => (this.down ? -1 : 1) * compare(a[this.sort], b[this.sort]))
      : found;
    const head = used.map(([name, title, kind]) =>
      make(
        'th',
        {
          scope: 'col',
          class: kind ?? null,
          'aria-sort': this.sort === name ? (this.down ? 'descending' : 'ascending') : null,
        },
        make(
          'button',
          { type: 'button', onclick: () => this.sortBy(name) },
          `${title}${this.sort === name ? (this.down ? ' ↓' : ' ↑') : ''}`,
        ),
      ),
    );
    const body = make(
      'tbody',
      {},
      sorted.slice(0, AT_ONCE).map((line) => this.row(line, used)),
    );
    const nodes = [make('div', { class: 'table' }, make('table', {}, make('thead', {}, make('tr', {}, head)), body))];
    if (sorted.length > AT_ONCE) nodes.push(this.more(sorted, body, used));
    if (!found.length)
      nodes.push(
        make(
          'p',
          { class: 'quiet' },
          this.run.attempts.length ? 'No attempt is like that.' : 'No attempt has begun yet.',
        ),
      );
    return nodes;
  }

  more(sorted, body, used) {
    let shown = AT_ONCE;
    const button = make('button', { type: 'button' }, `Show ${AT_ONCE} more of ${sorted.length - shown}`);
    button.addEventListener('click', () => {
      body.append(...sorted.slice(shown, shown + AT_ONCE).map((line) => this.row(line, used)));
      shown += AT_ONCE;
      button.textContent = `Show ${AT_ONCE} more of ${sorted.length - shown}`;
      if (shown >= sorted.length) button.remove();
    });
    return make('p', {}, button);
  }

  row(line, used) {
    const cells = {
      instruction: () =>
        make(
          'a',
          { href: link('trajectory', [this.key, line.ref]) },
          make('span', { class: 'two-lines' }, line.instruction || line.id),
        ),
      repeat: () => `${line.repeat}${line.try > 1 ? `.${line.try}` : ''}`,
      outcome: () => outcomeMark(line.outcome),
      process: () => (line.process === null ? '' : `${Math.round(line.process * 100)} %`),
      stop: () => words(line.stop ?? (this.run.live ? 'going on' : 'unfinished')),
      seconds: () => seconds(line.seconds),
      cost: () => money(line.cost),
      category: () => words(line.category),
    };
    return make(
      'tr',
      {},
      used.map(([name, , kind]) =>
        make(
          'td',
          { class: name === 'instruction' ? 'wide' : (kind ?? null) },
          cells[name]?.() ?? String(line[name] ?? ''),
        ),
      ),
    );
  }

  sortBy(name) {
    if (this.sort === name && this.down) this.sort = '';
    else {
      this.down = this.sort === name;
      this.sort = name;
    }
    this.changed();
  }

  grid(found) {
    const byTask = new Map();
    for (const line of found) byTask.set(line.task, [...(byTask.get(line.task) ?? []), line]);
    const marks = { success: '✓', failure: '✗', other: '!', none: '·' };
    const rows = [...byTask].flatMap(([task, held]) => {
      const { id, instruction } = this.run.tasks[task];
      const cells = held.map((line) => {
        const which = `${line.repeat}${line.try > 1 ? `.${line.try}` : ''}`;
        const came = words(line.outcome ?? line.stop ?? 'not judged');
        const name = `${id}, attempt ${which}: ${came}, ${plural(line.steps, 'step')}`;
        const kind = outcomeClass(line.outcome);
        return make(
          'a',
          { class: `cell ${kind}`, href: link('trajectory', [this.key, line.ref]), title: name, 'aria-label': name },
          marks[kind],
        );
      });
      return [
        make('span', { class: 'name', title: instruction }, id),
        make('span', { class: 'cells' }, cells),
        make('span', { class: 'ask quiet' }, instruction),
      ];
    });
    const legend = make(
      'p',
      { class: 'legend' },
      [
        ['success', 'success'],
        ['failure', 'failure'],
        ['other', 'refused, blocked or else'],
        ['none', 'not judged'],
      ].map(([kind, text]) =>
        make('span', {}, make('span', { class: `cell ${kind}`, 'aria-hidden': 'true' }, marks[kind]), ` ${text}`),
      ),
    );
    return [legend, make('div', { class: 'grid' }, rows)];
  }

  move(by) {
    const held = this.room.querySelectorAll('tbody a, .grid .cell');
    if (!held.length) return;
    this.cursor = Math.max(0, Math.min(held.length - 1, this.cursor + by));
    held[this.cursor].focus();
  }
}
