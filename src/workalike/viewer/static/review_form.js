// The form of a review, of a recording or of a trajectory alike: who reviews, what is decided, and what is made of the
// task and of one step. Every edit is sent at once, on top of the one before, and can be undone.
import { api, getJson, make, postJson, say, words } from 'viewer/page.js';
import { personField } from 'viewer/person.js';

const QUALITIES = ['good', 'fair', 'poor'];

export const button = (text, title, onclick, more = {}) =>
  make('button', { type: 'button', title, onclick, ...more }, text);

// Enter ends a field, with Shift it begins a new line in it; Escape leaves it as it was.
export function leaveOn(field) {
  let before = '';
  field.addEventListener('focus', () => (before = field.value));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      field.blur();
    }
    if (event.key === 'Escape') field.value = before;
  });
}

export class ReviewForm {
  // `steps` have a place by which a review names them, a label and code; `instruction` is the task as it was captured.
  constructor(key, query, { steps, instruction }) {
    this.key = key;
    this.query = query;
    this.steps = steps;
    this.captured = instruction;
    this.index = 0;
    this.pending = Promise.resolve();
    this.person = personField('Reviewer');
    this.makeFields();
  }

  get instruction() {
    return this.review.task ?? this.captured;
  }

  get editKeys() {
    return {
      d: [() => this.toggleDeleted(), 'delete or restore the step'],
      e: [() => this.focus(this.label), 'call the step something else'],
      c: [() => this.focus(this.code), 'correct what the step does'],
      t: [() => this.focus(this.task), 'edit the task'],
      a: [() => this.decide('accepted'), 'accept'],
      x: [() => this.decide('rejected'), 'reject'],
      ...Object.fromEntries(
        QUALITIES.map((name, place) => [String(place + 1), [() => this.rate(name), `quality: ${name}`]]),
      ),
      n: [() => this.focus(this.note), 'write a note'],
      u: [() => this.back('undo'), 'undo (also Ctrl+Z)'],
      y: [() => this.back('redo'), 'redo (also Ctrl+Shift+Z)'],
    };
  }

  focus(field) {
    field.focus();
    field.select?.();
  }

  makeFields() {
    const pressed = { 'aria-pressed': 'false' };
    this.decisions = {
      accepted: button('Accept', 'Accept (a)', () => this.decide('accepted'), pressed),
      rejected: button('Reject', 'Reject (x)', () => this.decide('rejected'), pressed),
    };
    this.qualities = Object.fromEntries(
      QUALITIES.map((name, place) => [
        name,
        button(name, `Quality: ${name} (${place + 1})`, () => this.rate(name), pressed),
      ]),
    );
    this.note = make('textarea', { rows: '2', maxlength: '20000', 'aria-label': 'Note', placeholder: 'Why (n)' });
    this.note.addEventListener('change', () => this.edit('note', (review) => (review.note = this.note.value)));
    this.task = make('textarea', { rows: '3', maxlength: '20000', 'aria-label': 'Task' });
    this.task.addEventListener('change', () => this.editTask());
    this.label = make('input', { type: 'text', maxlength: '2000', 'aria-label': 'What the step is called' });
    this.label.placeholder = 'Call it something (e)';
    this.label.addEventListener('change', () => this.relabel());
    const plain = { spellcheck: 'false', 'aria-label': 'What the step does', class: 'code' };
    this.code = make('textarea', { rows: '2', maxlength: '20000', ...plain });
    this.code.addEventListener('change', () => this.recode());
    for (const field of [this.label, this.code, this.task, this.note]) leaveOn(field);
    this.which = make('h3', {});
    this.hit = make('p', { class: 'quiet text' });
    this.remove = button('Delete', 'Delete or restore the step (d)', () => this.toggleDeleted());
    this.reset = button('As captured', 'Take back all edits of this step', () => this.resetStep());
    this.undo = button('Undo', 'Undo the last edit (u)', () => this.back('undo'));
    this.redo = button('Redo', 'Redo what was undone (y)', () => this.back('redo'));
    this.history = make('ol', { class: 'quiet', reversed: true });
  }

  get decisionNode() {
    return make(
      'div',
      { class: 'verdict' },
      this.person.node,
      make(
        'div',
        { class: 'bar' },
        make('div', { class: 'choice', role: 'group', 'aria-label': 'Decision' }, Object.values(this.decisions)),
        make('div', { class: 'choice', role: 'group', 'aria-label': 'Quality' }, Object.values(this.qualities)),
      ),
      this.note,
    );
  }

  get stepNodes() {
    const buttons = make('div', { class: 'bar' }, this.remove, this.reset);
    return [make('h3', {}, 'Task'), this.task, this.which, this.hit, this.label, this.code, buttons];
  }

  get historyNode() {
    return make('details', { class: 'history-room' }, make('summary', {}, 'What was edited'), this.history);
  }

  // What the server says the review is now.
  take(told) {
    this.told = told;
    this.revision = told.revision;
    this.review = { steps: {}, regions: [], note: '', ...told.revision.review };
    this.fates = told.fates;
    this.codes = told.codes;
    this.undo.disabled = (told.revision.undo ?? null) === null;
    this.redo.disabled = (told.revision.redo ?? null) === null;
    this.task.value = this.instruction;
    this.note.value = this.review.note;
    for (const [name, node] of Object.entries(this.decisions)) {
      node.setAttribute('aria-pressed', String(this.review.decision === name));
    }
    for (const [name, node] of Object.entries(this.qualities)) {
      node.setAttribute('aria-pressed', String(this.review.quality === name));
    }
    this.history.replaceChildren(
      ...told.history.toReversed().map((each) => make('li', {}, `${each.what || 'edit'} · ${each.by} · ${each.time}`)),
    );
    this.fillStep();
  }

  // A step in a line of its heading; who derives from this knows more of it.
  heading(step) {
    return step.kind ? ` · ${words(step.kind)}` : '';
  }

  fillStep() {
    const step = this.steps[this.index];
    for (const field of [this.label, this.code, this.remove, this.reset]) field.disabled = !step;
    if (!step) {
      this.which.textContent = 'No step to edit here';
      this.hit.textContent = this.label.value = this.code.value = '';
      return;
    }
    const edit = this.review.steps[step.place];
    const fate = this.fates[this.index];
    this.which.textContent = `Step ${this.index + 1} of ${this.steps.length}${this.heading(step)}`;
    this.hit.textContent = step.hit ? `on ${step.hit.role} ${step.hit.name ?? ''}` : '';
    this.label.value = edit?.text ?? step.label ?? '';
    this.code.value = this.codes[step.place] ?? step.code ?? '';
    this.remove.textContent = fate === 'deleted' ? 'Restore' : 'Delete';
    this.remove.disabled = fate === 'trimmed';
    this.reset.disabled = !edit;
  }

  edit(what, change) {
    const by = this.person.need();
    if (by === null) return this.take(this.told);
    this.pending = this.pending.then(async () => {
      const review = structuredClone(this.review);
      change(review);
      await this.send('review', { by, base: this.revision.number, what, review });
    });
    return this.pending;
  }

  back(which) {
    const by = this.person.need();
    if (by === null) return;
    this.pending = this.pending.then(() => this.send(which, { by, base: this.revision.number }));
  }

  async send(name, value) {
    try {
      this.take(await postJson(api(name, this.key, this.query), value));
      say(name === 'review' ? `Kept: ${value.what}.` : name === 'undo' ? 'Undone.' : 'Redone.');
    } catch (error) {
      say(error.message);
      this.take(await getJson(api('review', this.key, this.query)));
    }
  }

  editStep(what, change) {
    const { index } = this;
    const step = this.steps[index];
    if (!step) return null;
    return this.edit(`${what} (step ${index + 1})`, (review) => {
      const edit = { ...review.steps[step.place] };
      change(edit);
      review.steps[step.place] = edit;
    });
  }

  toggleDeleted() {
    const fate = this.fates[this.index];
    if (fate === 'trimmed') return say('This step is trimmed off already.');
    const deleted = fate !== 'deleted';
    return this.editStep(deleted ? 'delete' : 'restore', (edit) => (edit.deleted = deleted));
  }

  relabel() {
    const text = this.label.value.trim();
    return this.editStep('relabel', (edit) => (edit.text = text));
  }

  async recode() {
    try {
      const actions = await postJson('/api/code', { code: this.code.value });
      await this.editStep('correct', (edit) => (edit.actions = actions));
    } catch (error) {
      say(error.message);
      this.fillStep();
    }
  }

  resetStep() {
    const step = this.steps[this.index];
    return this.edit(`as captured (step ${this.index + 1})`, (review) => delete review.steps[step.place]);
  }

  editTask() {
    const text = this.task.value.trim();
    return this.edit('task', (review) => {
      if (text && text !== this.captured) review.task = text;
      else delete review.task;
    });
  }

  decide(decision) {
    const same = this.review.decision === decision;
    return this.edit(same ? 'undecided' : decision, (review) => (review.decision = same ? null : decision));
  }

  rate(quality) {
    const same = this.review.quality === quality;
    return this.edit(same ? 'no quality' : `quality: ${quality}`, (review) => (review.quality = same ? null : quality));
  }
}
