// The queue: one case after the other that too few people have labelled, each shown without what verifiers and others
// say of it. Everything is done with the keys.
import { LabelForm, others } from 'viewer/label_form.js';
import { api, getJson, link, make, pictureUrl, plural, postJson, say } from 'viewer/page.js';
import { personField } from 'viewer/person.js';
import { TrajectoryView } from 'viewer/trajectory.js';

const source = (key, ref, labeller) => ({
  load: () => getJson(api('case', key, { ref, labeller })),
  picture: (name) => pictureUrl(key, ref, name),
  elements: (step) => getJson(api('elements', key, { ref, step })),
  tree: (step) => getJson(api('tree', key, { ref, step })),
  exchange: (step) => getJson(api('exchange', key, { ref, step })),
});

export async function show(main, route) {
  const queue = new Queue(main, route.args[0]);
  const { name, kind, counts, enough } = await getJson(api('labels', queue.key));
  queue.count(counts, enough);
  if (queue.person.input.value.trim()) await queue.deal();
  else queue.rest('Say who you are, and the first case is dealt.');
  return {
    title: `Label ${name}`,
    crumbs: [
      [name, kind === 'demo' ? link('') : link(kind, [queue.key])],
      ['Label queue', null],
    ],
    get keys() {
      return queue.keys;
    },
    ready: () => queue.ready(),
    close: () => queue.view?.close(),
  };
}

class Queue {
  constructor(main, key) {
    this.key = key;
    this.ref = null;
    this.before = null;
    this.view = null;
    this.revealed = false;
    this.uncovered = new Set(); // what was seen with its verdicts is not labelled blind any more
    this.busy = false;
    this.person = personField('Labeller', () => this.deal());
    this.form = new LabelForm(() => this.give());
    this.reveal = make('input', { type: 'checkbox' });
    this.skip = make('button', { type: 'button', onclick: () => this.deal(this.ref) }, 'Skip');
    this.back = make(
      'button',
      { type: 'button', onclick: () => this.takeBack(), disabled: true },
      'Take the last back',
    );
    this.progress = make('p', { class: 'quiet', role: 'status' });
    this.said = make('div', { class: 'others-room' });
    this.case = make('div', { class: 'case page-trajectory' });
    this.panel = make(
      'section',
      { class: 'label-panel', 'aria-label': 'Your label' },
      this.person.node,
      this.form.node,
      make('label', {}, this.reveal, 'Then show what verifiers and others say'),
      make(
        'div',
        { class: 'bar' },
        this.skip,
        this.back,
        make('a', { href: `/labels/${encodeURIComponent(key)}`, download: 'labels.csv' }, 'Labels as CSV'),
      ),
      this.said,
      this.progress,
    );
    main.append(this.case);
  }

  get keys() {
    return {
      ...(this.ref ? this.view.keys : {}),
      ...(this.ref ? this.form.keys : {}),
      s: [() => this.deal(this.ref), 'skip this case'],
      z: [() => this.takeBack(), 'take the last label back'],
    };
  }

  ready() {
    this.view?.ready();
    if (!this.person.input.value.trim()) this.person.input.focus();
  }

  count({ cases, enough, labellers }, wanted) {
    const mine = labellers[this.person.input.value.trim()] ?? 0;
    const rest = `${enough} of ${plural(cases, 'case')} ${enough === 1 ? 'has' : 'have'} ${wanted} labels`;
    this.progress.textContent = `${rest}; you have given ${mine}.`;
  }

  // Nothing to label: a word, and the form out of the way.
  rest(text) {
    this.ref = null;
    this.view?.close();
    this.view = null;
    this.form.fill(null);
    this.skip.disabled = true;
    const told = make('aside', { class: 'told' }, make('div'), make('div'), this.panel);
    this.case.replaceChildren(make('section', { class: 'watch done' }, make('h1', {}, text)), told);
  }

  // One thing at a time: a key that is held down does not label twice.
  async alone(work) {
    if (this.busy) return;
    this.busy = true;
    try {
      await work();
    } catch (error) {
      say(error.message);
    } finally {
      this.busy = false;
    }
  }

  deal(skip = null) {
    return this.alone(() => this.next(skip));
  }

  async next(skip = null) {
    const labeller = this.person.need();
    if (labeller === null) return;
    const dealt = await postJson(api('deal', this.key), { labeller, skip });
    if (dealt.ref === null) this.rest('There is nothing left for you to label.');
    else await this.open(dealt.ref, null);
    this.count(dealt.counts, dealt.enough);
  }

  async open(ref, label) {
    const from = source(this.key, ref, this.person.input.value.trim());
    const told = await from.load();
    const room = make('div');
    this.view?.close();
    this.ref = ref;
    this.revealed = false;
    this.view = new TrajectoryView(room, told, from, { saved: true });
    this.view.hideVerdicts(!told.labels.mine);
    this.case.replaceChildren(...room.children);
    this.case.querySelector('.told').append(this.panel);
    this.form.fill(label);
    this.said.replaceChildren();
    this.skip.disabled = false;
    this.view.go(0);
    this.view.ready();
  }

  give() {
    if (this.revealed) return this.deal();
    return this.alone(async () => {
      const labeller = this.person.need();
      const label = this.form.value(!this.uncovered.has(this.ref));
      if (labeller === null || this.ref === null) return;
      if (label === null) {
        say('Say first whether it passed: p, f or c.');
        return;
      }
      const said = await postJson(api('label', this.key, { ref: this.ref }), { labeller, label });
      this.before = this.ref;
      this.back.disabled = false;
      say('The label is kept.');
      if (this.reveal.checked) await this.uncover(said);
      else await this.next();
    });
  }

  // What was hidden, now that the label is given; Enter goes on.
  async uncover(said) {
    const told = await this.view.source.load();
    this.revealed = true;
    this.uncovered.add(this.ref);
    this.view.told = told;
    this.view.fill();
    this.view.hideVerdicts(false);
    this.view.open('verdicts');
    this.form.submit.textContent = 'Next case';
    this.said.replaceChildren(make('h3', {}, 'Others'), others(said.others));
  }

  takeBack() {
    return this.alone(async () => {
      const labeller = this.person.need();
      if (labeller === null || this.before === null) return;
      const { mine } = await getJson(api('label', this.key, { ref: this.before, labeller }));
      await postJson(api('unlabel', this.key, { ref: this.before }), { labeller });
      const ref = this.before;
      this.before = null;
      this.back.disabled = true;
      await this.open(ref, mine);
      say('The label is taken back: give it anew, or skip.');
    });
  }
}
