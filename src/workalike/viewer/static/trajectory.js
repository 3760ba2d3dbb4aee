// One trajectory, step by step: the screenshot with what was done drawn on it, and beside it all that is told of it.
import { elementNodes, exchangeNodes, treeNodes } from 'viewer/exchange.js';
import {
  api,
  every,
  getJson,
  link,
  make,
  money,
  outcomeMark,
  pictureUrl,
  plural,
  replace,
  say,
  seconds,
  words,
} from 'viewer/page.js';
import { screen } from 'viewer/screen.js';
import { describe, details, textOf } from 'viewer/step.js';
import { verdictNodes } from 'viewer/verdicts.js';

// Modules of panels that stand beside the steps; see `panel` there.
const PANELS = ['viewer/labels.js', 'viewer/review_panel.js'];
const LIVE_MS = 1000;

// Where a trajectory comes from while the viewer runs; a saved page has a source of its own.
const served = (key, ref) => ({
  load: () => getJson(api('trajectory', key, { ref })),
  picture: (name) => pictureUrl(key, ref, name),
  elements: (step) => getJson(api('elements', key, { ref, step })),
  tree: (step) => getJson(api('tree', key, { ref, step })),
  exchange: (step) => getJson(api('exchange', key, { ref, step })),
});

export async function show(main, route) {
  const [key, ref, step] = route.args;
  const source = served(key, ref);
  const told = await source.load();
  const view = new TrajectoryView(main, told, source, { query: route.query.get('q') ?? '' });
  await view.addPanels(PANELS);
  view.onstep = (index) => replace('trajectory', [key, ref, String(index + 1)], view.wanted ? { q: view.wanted } : {});
  view.go(Number(step ?? 1) - 1 || 0);
  const stop = told.live ? every(LIVE_MS, () => view.refresh()) : null;
  const sibling = async (name) => {
    const near = await getJson(api('neighbours', key, { ref }));
    if (near[name] === null) say(`There is no ${name} one.`);
    else location.hash = link('trajectory', [key, near[name]]);
  };
  const pages = { run: 'run', dataset: 'dataset' };
  const home = pages[told.kind] ? link(pages[told.kind], [key]) : null;
  return {
    title: told.trajectory.task.instruction.slice(0, 80) || told.trajectory.id,
    crumbs: [
      [told.place, home],
      [`${told.trajectory.task.id} ${told.kind === 'run' ? ref.split('/').at(-1) : ''}`.slice(0, 60), null],
    ],
    keys: {
      ...view.keys,
      ArrowDown: [() => sibling('next'), 'the next trajectory'],
      ArrowUp: [() => sibling('previous'), 'the previous trajectory'],
    },
    ready: () => view.ready(),
    update: (to) => {
      if (to.args[0] !== key || to.args[1] !== ref) return false;
      view.go(Number(to.args[2] ?? 1) - 1 || 0);
      return true;
    },
    close: () => {
      stop?.();
      view.close();
    },
  };
}

export class TrajectoryView {
  constructor(main, told, source, { saved = false, query = '' } = {}) {
    this.told = told;
    this.source = source;
    this.saved = saved;
    this.index = 0;
    this.marks = true;
    this.share = 0;
    this.wanted = query.trim().toLowerCase();
    this.boxes = [];
    this.panels = [];
    this.tab = 'step';
    this.turn = 0;
    this.onstep = () => {};
    this.screen = screen();
    this.task = make('div', { class: 'task' });
    this.strip = make('div', { class: 'strip', role: 'group', 'aria-label': 'All steps' });
    this.controls = this.makeControls();
    this.tabs = make('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What is told' });
    this.room = make('div', { class: 'tab', role: 'tabpanel', id: 'tab', tabindex: '0' });
    main.append(
      make(
        'section',
        { class: 'watch', 'aria-label': 'The screen' },
        this.task,
        this.screen.node,
        this.controls,
        this.strip,
      ),
      make('aside', { class: 'told', 'aria-label': 'What is told' }, this.tabs, this.room),
    );
    this.fill();
  }

  get keys() {
    return {
      ArrowRight: [() => this.go(this.index + 1), 'the next step'],
      ArrowLeft: [() => this.go(this.index - 1), 'the step before'],
      Home: [() => this.go(0), 'the first step'],
      End: [() => this.go(this.frames.length - 1), 'the last step'],
      ' ': [() => this.uncover(this.share > 0 ? 0 : 1), 'before or after the action'],
      m: [() => this.toggleMarks(), 'show or hide what was done'],
      n: [() => this.find(1), 'the next step with what is searched for'],
      ...Object.fromEntries(
        this.tabNames.map(([name, title], place) => [String(place + 1), [() => this.open(name), `show “${title}”`]]),
      ),
    };
  }

  get tabNames() {
    return [
      ['step', 'Step'],
      ['verdicts', 'Verdicts'],
      ['exchange', 'Exchange'],
      ['screen', 'Screen'],
      ...this.panels.map((panel, place) => [`panel-${place}`, panel.title]),
    ];
  }

  // All that depends on the trajectory as a whole.
  fill() {
    const { trajectory } = this.told;
    this.frames = [
      ...(trajectory.steps ?? []),
      ...(trajectory.final ? [{ observation: trajectory.final, ending: true, notices: trajectory.notices }] : []),
    ];
    this.texts = this.frames.map(textOf);
    this.fillTask();
    this.strip.replaceChildren(...this.frames.map((frame, index) => this.thumb(frame, index)));
    this.markMatches();
    this.fillTabs();
  }

  fillTask() {
    const { trajectory, verdicts } = this.told;
    const { task, stop } = trajectory;
    const usages = (trajectory.steps ?? []).map((step) => step.usage).filter(Boolean);
    const cost = usages.some((usage) => usage.cost === null)
      ? null
      : usages.reduce((sum, one) => sum + (one.cost ?? 0), 0);
    const last = this.frames.findLast((frame) => frame.observation.time !== undefined)?.observation.time;
    const ended = stop
      ? `${words(stop.reason)}${stop.detail ? ` (${stop.detail.slice(0, 200)})` : ''}`
      : this.told.live
        ? null
        : 'unfinished';
    const judged = this.hidden
      ? []
      : verdicts.map((verdict) => make('span', {}, outcomeMark(verdict.outcome), ` by ${verdict.verifier}`));
    const save = `/saved/${encodeURIComponent(this.told.key)}?${new URLSearchParams({ ref: this.told.ref })}`;
    const whole = `/whole/${encodeURIComponent(this.told.key)}?${new URLSearchParams({ ref: this.told.ref })}`;
    this.task.replaceChildren(
      make('h1', { tabindex: '0' }, task.instruction || trajectory.id),
      make(
        'p',
        { class: 'quiet' },
        task.category ? make('span', {}, task.category) : null,
        make('span', {}, plural((trajectory.steps ?? []).length, 'step')),
        last ? make('span', {}, seconds(last)) : null,
        usages.length ? make('span', {}, cost === null ? 'cost unknown' : money(cost)) : null,
        ended ? make('span', {}, ended) : null,
        this.told.live ? make('span', { class: 'chip live' }, 'going on') : null,
        judged,
        this.saved ? null : make('a', { href: save, download: 'trajectory.html' }, 'Save as one page'),
        this.saved ? null : make('a', { href: whole, download: 'trajectory.json' }, 'as JSON'),
      ),
    );
  }

  thumb(frame, index) {
    const ref = frame.observation.picture;
    const wrong = (frame.actions ?? []).some((taken) => taken.error) || frame.correct === false;
    const shown = ref
      ? make('img', { loading: 'lazy', decoding: 'async', src: this.source.picture(ref.name), alt: '' })
      : null;
    return make(
      'button',
      { type: 'button', onclick: () => this.go(index), class: wrong ? 'wrong' : null },
      make('span', { class: 'thumb' }, shown),
      make('span', { class: 'said' }, `${frame.ending ? 'end' : index + 1} ${describe(frame)}`),
    );
  }

  makeControls() {
    const button = (text, title, work) =>
      make('button', { type: 'button', title, 'aria-label': title, onclick: work }, text);
    this.place = make('span', { class: 'place' });
    this.slider = make('input', {
      type: 'range',
      min: '0',
      max: '100',
      value: '0',
      'aria-label': 'From before the action to after it',
    });
    this.slider.addEventListener('input', () => this.uncover(this.slider.value / 100));
    this.marksBox = make('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => this.toggleMarks(this.marksBox.checked),
    });
    this.search = make('input', {
      type: 'search',
      placeholder: 'Search the steps',
      'aria-label': 'Search the steps',
      value: this.wanted,
    });
    this.search.addEventListener('input', () => this.searchFor(this.search.value));
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.find(event.shiftKey ? -1 : 1);
    });
    this.matches = make('span', { class: 'quiet', role: 'status' });
    return make(
      'div',
      { class: 'controls' },
      button('←', 'The step before', () => this.go(this.index - 1)),
      this.place,
      button('→', 'The next step', () => this.go(this.index + 1)),
      make('label', {}, 'Before', this.slider, 'After'),
      make('label', {}, this.marksBox, 'What was done'),
      make('span', { class: 'grow' }),
      this.matches,
      this.search,
    );
  }

  go(index) {
    if (!this.frames.length) {
      this.room.replaceChildren(make('p', { class: 'quiet' }, 'It has no step yet.'));
      return;
    }
    this.index = Math.max(0, Math.min(index, this.frames.length - 1));
    this.share = 0;
    this.slider.value = 0;
    this.boxes = [];
    this.draw();
    for (const [place, button] of [...this.strip.children].entries()) {
      button.setAttribute('aria-current', String(place === this.index));
    }
    this.toCurrent();
    this.place.textContent = `${this.index + 1} / ${this.frames.length}`;
    for (const panel of this.panels) panel.step?.(this.index);
    this.onstep(this.index);
    this.open(this.tab);
  }

  // The strip follows the step; a page that is not in the document yet has nothing to scroll.
  toCurrent() {
    const button = this.strip.children[this.index];
    if (button) this.strip.scrollLeft = button.offsetLeft - this.strip.offsetLeft - this.strip.clientWidth / 2 + 58;
  }

  ready() {
    this.toCurrent();
  }

  draw() {
    const frame = this.frames[this.index];
    const address = (one) => (one?.observation.picture ? this.source.picture(one.observation.picture.name) : null);
    const next = address(this.frames[this.index + 1]);
    this.slider.disabled = !next;
    this.screen.show(address(frame), frame.observation, frame.actions ?? [], {
      marks: this.marks && this.share < 1,
      boxes: this.boxes,
      next,
      share: this.share,
      text: `The screen at step ${this.index + 1}: ${describe(frame)}`,
    });
  }

  uncover(share) {
    this.share = share;
    this.slider.value = share * 100;
    this.draw();
  }

  toggleMarks(shown = !this.marks) {
    this.marks = this.marksBox.checked = shown;
    this.draw();
  }

  searchFor(text) {
    this.wanted = text.trim().toLowerCase();
    this.markMatches();
    if (this.tab === 'step') this.open('step');
  }

  markMatches() {
    let count = 0;
    for (const [place, button] of [...this.strip.children].entries()) {
      const matching = Boolean(this.wanted) && this.texts[place].includes(this.wanted);
      button.classList.toggle('matching', matching);
      count += matching;
    }
    this.matches.textContent = this.wanted ? plural(count, 'step') : '';
  }

  find(direction) {
    const count = this.frames.length;
    for (let offset = 1; this.wanted && offset <= count; offset += 1) {
      const place = (this.index + direction * offset + count * offset) % count;
      if (this.texts[place].includes(this.wanted)) return this.go(place);
    }
    return say(this.wanted ? 'No step has that.' : 'There is nothing searched for.');
  }

  fillTabs() {
    const buttons = this.tabNames.map(([name, title]) =>
      make(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${name}`,
          'aria-controls': 'tab',
          'aria-selected': String(name === this.tab),
          onclick: () => this.open(name),
        },
        title,
      ),
    );
    this.tabs.replaceChildren(...buttons);
  }

  async open(name) {
    const mine = (this.turn += 1);
    const other = name !== this.tab;
    this.tab = name;
    for (const button of this.tabs.children) button.setAttribute('aria-selected', String(button.id === `tab-${name}`));
    this.room.setAttribute('aria-labelledby', `tab-${name}`);
    let nodes;
    try {
      nodes = await this.content(name);
    } catch (error) {
      nodes = [make('p', { class: 'error' }, error.message)];
    }
    if (mine !== this.turn) return;
    this.room.replaceChildren(...nodes);
    if (other || name === 'step') this.room.scrollTop = 0;
  }

  content(name) {
    const frame = this.frames[this.index];
    if (name === 'step') return [...details(frame, this.frames[this.index - 1]?.observation.time, this.wanted)];
    if (name === 'verdicts') return this.verdictTab();
    if (name === 'exchange') return this.exchangeTab();
    if (name === 'screen') return this.screenTab(frame);
    return [this.panels[Number(name.split('-')[1])].node];
  }

  verdictTab() {
    if (this.hidden) return [make('p', { class: 'quiet' }, 'The verdicts are hidden until you have given your label.')];
    return verdictNodes(this.told.verdicts, (step) => this.go(step));
  }

  async exchangeTab() {
    return exchangeNodes(await this.source.exchange(this.index), (name) => this.source.picture(name));
  }

  async screenTab(frame) {
    const elements = frame.observation.elements ? await this.source.elements(this.index) : [];
    const choose = (chosen) => {
      this.boxes = elements.flatMap((each, place) => (each.box ? [{ box: each.box, chosen: place === chosen }] : []));
      this.draw();
    };
    const tree = make('details', {}, make('summary', {}, 'Accessibility tree'));
    tree.addEventListener('toggle', async () => {
      if (tree.open) tree.replaceChildren(tree.firstElementChild, ...treeNodes(await this.source.tree(this.index)));
    });
    if (elements.length) choose(-1);
    return [make('h3', {}, 'Accessibility tree'), tree, make('h3', {}, 'Elements'), ...elementNodes(elements, choose)];
  }

  // Blind to the verifiers as long as somebody is to judge for themselves.
  hideVerdicts(hidden) {
    this.hidden = hidden;
    this.fillTask();
    if (this.tab === 'verdicts') this.open('verdicts');
  }

  async addPanels(modules) {
    for (const name of modules) {
      const { panel } = await import(name);
      const { key, ref, trajectory, verdicts } = this.told;
      const made = await panel({ key, ref, trajectory, verdicts, hideVerdicts: (hidden) => this.hideVerdicts(hidden) });
      if (made) this.panels.push(made);
    }
    this.fillTabs();
  }

  // What has been added since; who looks at the last step goes along.
  async refresh() {
    const told = await this.source.load().catch(() => null);
    if (!told || JSON.stringify(told) === JSON.stringify(this.told)) return;
    const following = this.index >= this.frames.length - 1;
    this.told = told;
    this.fill();
    this.go(following ? this.frames.length - 1 : this.index);
  }

  close() {
    for (const panel of this.panels) panel.close?.();
  }
}
