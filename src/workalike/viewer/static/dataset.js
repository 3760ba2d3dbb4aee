// A dataset: search, filter, distributions to click on, and the command line that keeps what was chosen.
import {
  api,
  copyButton,
  every,
  getJson,
  go,
  link,
  make,
  outcomeMark,
  plural,
  postJson,
  replace,
  say,
  settled,
  words,
} from 'viewer/page.js';

const TYPING_MS = 180;
const PAGE = 50;
const FEW = 8;
const trajectories = (count) => `${count.toLocaleString('en')} ${count === 1 ? 'trajectory' : 'trajectories'}`;

export async function show(main, route) {
  const [key] = route.args;
  const told = await getJson(api('dataset', key));
  if (!told.index.ready) return indexing(main, key, told);
  const view = new DatasetView(main, key, told, route.query);
  await view.load();
  return {
    title: told.place,
    crumbs: [[told.place, null]],
    keys: view.keys,
    update: async (to) => {
      if (to.args[0] !== key) return false;
      view.read(to.query);
      await view.load();
      return true;
    },
  };
}

// The index is made once; meanwhile there is a bar to watch.
function indexing(main, key, told) {
  const bar = make('progress', { max: '1', value: '0', 'aria-label': 'How much has been read' });
  const text = make('p', { class: 'quiet', role: 'status' });
  const started = Date.now();
  main.append(
    make('h1', {}, told.place),
    make('p', {}, 'Its words are being put into an index, which is done once and kept in your cache folder.'),
    bar,
    text,
  );
  const stop = every(300, async () => {
    const { index } = await getJson(api('dataset', key));
    if (index.failed) text.textContent = index.failed;
    else if (index.ready) window.dispatchEvent(new HashChangeEvent('hashchange'));
    else if (index.total) {
      const share = index.done / index.total;
      bar.value = share;
      const left = ((Date.now() - started) / 1000) * (1 / share - 1);
      text.textContent =
        `${Math.round(share * 100)} % of ${(index.total / 1e6).toFixed(0)} MB` +
        (share > 0.05 ? `, about ${Math.ceil(left)} s to go` : '');
    }
  });
  return { title: told.place, crumbs: [[told.place, null]], close: stop };
}

class DatasetView {
  constructor(main, key, told, query) {
    this.key = key;
    this.told = told;
    this.flagged = new Map();
    this.turn = 0;
    this.cursor = -1;
    this.box = make('input', {
      type: 'search',
      class: 'grow',
      placeholder: 'Search instructions, thoughts and typed text',
      'aria-label': 'Search instructions, thoughts and typed text',
      maxlength: '500',
    });
    this.filter = make('input', {
      type: 'text',
      class: 'grow',
      placeholder: "efficiency_score >= 7 and system == 'ubuntu'",
      'aria-label': 'Filter, as for dataset filter',
      spellcheck: 'false',
    });
    this.sort = make('select', { 'aria-label': 'Sort by' });
    this.chips = make('div', { class: 'bar' });
    this.count = make('p', { role: 'status' });
    this.list = make('tbody', {});
    this.facets = make('div', {});
    const narrow = window.matchMedia('(max-width: 860px)').matches;
    const aside = make(
      'aside',
      { 'aria-label': 'Distributions' },
      make('details', { open: !narrow }, make('summary', {}, 'Distributions'), this.facets),
    );
    this.pager = make('div', { class: 'bar' });
    this.command = make('section', { class: 'command', 'aria-label': 'Command line' });
    const sorts = [
      ['', 'in order'],
      ...told.sortable.flatMap((name) => [
        [name, `${words(name)} ↑`],
        [`-${name}`, `${words(name)} ↓`],
      ]),
    ];
    this.sort.append(...sorts.map(([value, text]) => make('option', { value }, text)));
    this.box.addEventListener(
      'input',
      settled(TYPING_MS, () => this.changed()),
    );
    this.filter.addEventListener('change', () => this.changed());
    this.sort.addEventListener('change', () => this.changed());
    main.append(
      make('h1', {}, told.place, make('small', { class: 'quiet' }, ` ${trajectories(told.rows)}`)),
      told.unread
        ? make(
            'details',
            {},
            make('summary', { class: 'bad' }, `${told.unread} could not be read`),
            told.examples.map((text) => make('p', { class: 'quiet' }, text)),
          )
        : '',
      make('div', { class: 'bar' }, this.box, this.sort, make('a', { href: link('queue', [key]) }, 'Label queue')),
      make('div', { class: 'bar' }, make('span', { class: 'quiet' }, 'Filter'), this.filter),
      this.chips,
      make(
        'div',
        { class: 'split' },
        aside,
        make('div', {}, this.count, make('div', { class: 'table found' }, this.table()), this.pager, this.command),
      ),
    );
    this.read(query);
  }

  table() {
    const head = ['Flag', 'Instruction', 'Steps'].map((text) => make('th', { scope: 'col' }, text));
    this.judged = make('th', { scope: 'col' }, 'Verdict');
    head.push(this.judged);
    return make('table', {}, make('thead', {}, make('tr', {}, head)), this.list);
  }

  get keys() {
    return {
      ArrowDown: [() => this.move(1), 'the next row'],
      ArrowUp: [() => this.move(-1), 'the row before'],
      Enter: [() => this.list.children[this.cursor]?.querySelector('a')?.click(), 'look at it'],
      f: [() => this.list.children[this.cursor]?.querySelector('input')?.click(), 'flag it'],
      n: [() => this.turnPage(1), 'the next page'],
      p: [() => this.turnPage(-1), 'the page before'],
    };
  }

  read(query) {
    this.parts = query.getAll('part');
    this.box.value = query.get('q') ?? '';
    this.filter.value = query.get('where') ?? '';
    this.sort.value = query.get('sort') ?? '';
    this.first = Number(query.get('from') ?? 0) || 0;
  }

  // What is filtered by: what was typed, and what was clicked on.
  get where() {
    const asked = [this.filter.value.trim(), ...this.parts].filter(Boolean);
    return asked.length < 2 ? (asked[0] ?? '') : asked.map((each) => `(${each})`).join(' and ');
  }

  address(from = this.first) {
    const query = {
      q: this.box.value,
      where: this.filter.value,
      part: this.parts,
      sort: this.sort.value,
      from: from || '',
    };
    return ['dataset', [this.key], query];
  }

  changed() {
    this.first = 0;
    replace(...this.address());
    this.load();
  }

  turnPage(by) {
    const first = this.first + by * PAGE;
    if (first >= 0 && first < this.total) go(...this.address(first));
  }

  async load() {
    const mine = (this.turn += 1);
    const sort = this.sort.value;
    const asked = { q: this.box.value, where: this.where };
    try {
      const found = await getJson(
        api('rows', this.key, {
          ...asked,
          from: this.first,
          sort: sort.replace('-', ''),
          down: sort.startsWith('-') ? '1' : '0',
        }),
      );
      if (mine !== this.turn) return;
      this.showRows(found);
      const facets = await getJson(api('facets', this.key, asked));
      if (mine === this.turn) this.showFacets(facets);
      await this.showCommand();
    } catch (error) {
      if (mine === this.turn) this.count.replaceChildren(make('span', { class: 'bad' }, error.message));
    }
  }

  showRows({ total, undecided, rows }) {
    this.total = total;
    this.cursor = -1;
    const undecidedText = undecided ? `, ${undecided.toLocaleString('en')} could not be decided` : '';
    this.count.textContent =
      total === this.told.rows
        ? `All ${trajectories(total)}`
        : `${trajectories(total)} of ${this.told.rows.toLocaleString('en')}${undecidedText}`;
    this.judged.hidden = !rows.some((row) => row.outcome);
    this.list.replaceChildren(...rows.map((row) => this.row(row)));
    const last = Math.min(this.first + PAGE, total);
    this.pager.replaceChildren(
      ...(total > PAGE
        ? [
            make('button', { type: 'button', disabled: this.first === 0, onclick: () => this.turnPage(-1) }, 'Before'),
            make(
              'span',
              { class: 'quiet' },
              `${(this.first + 1).toLocaleString('en')} to ${last.toLocaleString('en')}`,
            ),
            make('button', { type: 'button', disabled: last >= total, onclick: () => this.turnPage(1) }, 'Next'),
          ]
        : []),
    );
    this.chips.replaceChildren(
      ...this.parts.map((part) =>
        make(
          'span',
          { class: 'chip' },
          part,
          make('button', { type: 'button', 'aria-label': `Leave out ${part}`, onclick: () => this.toggle(part) }, '×'),
        ),
      ),
    );
  }

  row(row) {
    const flag = make('input', {
      type: 'checkbox',
      checked: this.flagged.has(row.ref),
      'aria-label': `Flag ${row.instruction.slice(0, 60) || row.id}`,
    });
    flag.addEventListener('change', () => {
      if (flag.checked) this.flagged.set(row.ref, row.id);
      else this.flagged.delete(row.ref);
      this.showCommand();
    });
    const [found] = row.snippets;
    const step = found && found.step !== null ? [String(found.step + 1)] : [];
    const query = found ? { q: found.found.toLowerCase() } : {};
    return make(
      'tr',
      {},
      make('td', {}, flag),
      make(
        'td',
        { class: 'wide' },
        make('a', { href: link('trajectory', [this.key, row.ref, ...step], query) }, row.instruction || row.id),
        found
          ? make(
              'p',
              { class: 'snippet' },
              found.step === null ? '' : `step ${found.step + 1}: `,
              `…${found.before}`,
              make('mark', {}, found.found),
              `${found.after}…`,
            )
          : null,
      ),
      make('td', { class: 'number' }, String(row.steps)),
      row.outcome ? make('td', {}, outcomeMark(row.outcome)) : null,
    );
  }

  move(by) {
    const rows = this.list.children;
    if (!rows.length) return;
    this.cursor = Math.max(0, Math.min(rows.length - 1, this.cursor + by));
    rows[this.cursor].querySelector('a').focus();
  }

  toggle(part) {
    this.parts = this.parts.includes(part) ? this.parts.filter((each) => each !== part) : [...this.parts, part];
    this.first = 0;
    go(...this.address());
  }

  showFacets(facets) {
    const open = new Set([...this.facets.querySelectorAll('details[open]')].map((each) => each.dataset.field));
    this.facets.replaceChildren(...facets.map(({ field, values }) => this.facet(field, values, open)));
  }

  facet(field, values, open) {
    const most = Math.max(1, ...values.map((value) => value.count));
    const buttons = values.map((value) => {
      const share = make('span', { class: 'share' }, make('i', { style: { width: `${(100 * value.count) / most}%` } }));
      return make(
        'button',
        {
          type: 'button',
          'aria-pressed': String(this.parts.includes(value.where)),
          onclick: () => this.toggle(value.where),
          title: value.where,
        },
        make('span', {}, value.name || '(empty)'),
        make('span', { class: 'quiet' }, value.count.toLocaleString('en')),
        share,
      );
    });
    const rest = buttons.slice(FEW);
    return make(
      'div',
      { class: 'facet' },
      make('h3', {}, words(field)),
      buttons.slice(0, FEW),
      rest.length
        ? make(
            'details',
            { 'data-field': field, open: open.has(field) },
            make('summary', { class: 'quiet' }, `${rest.length} more`),
            rest,
          )
        : null,
    );
  }

  async showCommand() {
    const flagged = [...this.flagged.values()];
    if (!flagged.length && !this.where && !this.box.value.trim()) {
      this.command.hidden = true;
      return;
    }
    const keep = flagged.length ? (this.keep ?? 'flagged') : 'found';
    const { command } = await postJson(api('command', this.key), {
      q: this.box.value,
      where: this.where,
      flagged,
      keep,
    });
    const choice = make(
      'select',
      { 'aria-label': 'Which rows to keep' },
      [
        ['flagged', 'only the flagged'],
        ['unflagged', 'all that was found but the flagged'],
        ['found', 'all that was found'],
      ].map(([value, text]) => make('option', { value, selected: value === keep }, text)),
    );
    choice.addEventListener('change', () => {
      this.keep = choice.value;
      this.showCommand();
    });
    this.command.hidden = false;
    this.command.replaceChildren(
      make(
        'div',
        { class: 'bar' },
        make('strong', {}, flagged.length ? `${plural(flagged.length, 'row')} flagged; keep` : 'Keep what was found:'),
        flagged.length ? choice : null,
        make('span', { class: 'grow' }),
        flagged.length ? make('button', { type: 'button', onclick: () => this.clearFlags() }, 'Clear flags') : null,
        copyButton(() => command, 'Copy the command'),
      ),
      make('pre', { tabindex: '0' }, command),
    );
  }

  clearFlags() {
    this.flagged.clear();
    for (const box of this.list.querySelectorAll('input')) box.checked = false;
    this.showCommand();
    say('No row is flagged.');
  }
}
