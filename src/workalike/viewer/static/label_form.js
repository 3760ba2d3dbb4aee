// What a person says of a trajectory: pass or fail, how good the way was, whether the agent declined, and why.
import { make } from 'viewer/page.js';
import { leaveOn } from 'viewer/review_form.js';

const ANSWERS = [
  ['p', 'Pass', true],
  ['f', 'Fail', false],
  ['c', 'Cannot tell', null],
];

export class LabelForm {
  constructor(give) {
    this.give = give;
    this.answers = ANSWERS.map(([key, text, value]) => ({
      value,
      node: make(
        'button',
        { type: 'button', 'aria-pressed': 'false', title: `${text} (${key})`, onclick: () => this.answer(value) },
        text,
      ),
    }));
    this.refused = make('input', { type: 'checkbox' });
    this.process = make('input', { type: 'number', min: '0', max: '1', step: '0.05', placeholder: 'none' });
    this.reason = make('textarea', { rows: '2', maxlength: '10000', 'aria-label': 'Reason', placeholder: 'Why (w)' });
    leaveOn(this.reason);
    leaveOn(this.process);
    this.submit = make('button', { type: 'button', class: 'primary', onclick: () => this.give() }, 'Give the label');
    this.node = make(
      'div',
      { class: 'label-form' },
      make(
        'div',
        { class: 'choice answers', role: 'group', 'aria-label': 'Outcome' },
        this.answers.map(({ node }) => node),
      ),
      make(
        'div',
        { class: 'besides' },
        make('label', { title: 'The agent declined the task (d)' }, this.refused, 'Declined'),
        make('label', { title: 'How good the way was (0 to 9, + and -)' }, 'Process, 0 to 1', this.process),
      ),
      this.reason,
      this.submit,
    );
    this.fill(null);
  }

  get keys() {
    const tenths = Array.from({ length: 10 }, (_, place) => [
      String(place),
      [() => this.score(place / 10), `the way was ${place / 10}`],
    ]);
    return {
      ...Object.fromEntries(ANSWERS.map(([key, text, value]) => [key, [() => this.answer(value), text.toLowerCase()]])),
      d: [() => (this.refused.checked = !this.refused.checked), 'the agent declined, or did not'],
      ...Object.fromEntries(tenths),
      '+': [() => this.score(Math.min(1, Number(this.process.value || 0) + 0.1)), 'the way was better by 0.1'],
      '-': [() => this.score(null), 'no score for the way'],
      w: [() => this.reason.focus(), 'write the reason'],
      Enter: [() => this.give(), 'give the label'],
    };
  }

  answer(value) {
    this.success = value;
    for (const each of this.answers) each.node.setAttribute('aria-pressed', String(each.value === value));
    this.submit.disabled = value === undefined;
  }

  score(value) {
    this.process.value = value === null ? '' : String(Math.round(value * 100) / 100);
  }

  // A label that was given before, or an empty form.
  fill(label) {
    this.answer(label ? (label.success ?? null) : undefined);
    this.refused.checked = label?.refused ?? false;
    this.score(label?.process ?? null);
    this.reason.value = label?.reason ?? '';
    this.submit.textContent = label ? 'Change the label' : 'Give the label';
  }

  // What the form says; null while nobody has said pass or fail.
  value(blind) {
    if (this.success === undefined) return null;
    const process = this.process.value === '' ? null : Number(this.process.value);
    return { success: this.success, process, refused: this.refused.checked, reason: this.reason.value, blind };
  }
}

// What others said of the same trajectory.
export const others = (labels) =>
  labels.length
    ? make(
        'ul',
        { class: 'others' },
        labels.map((label) =>
          make(
            'li',
            {},
            make('strong', {}, label.labeller),
            ` ${label.success === true ? 'pass' : label.success === false ? 'fail' : 'cannot tell'}`,
            label.process === undefined ? '' : `, the way ${label.process}`,
            label.refused ? ', declined' : '',
            label.reason ? make('span', { class: 'text' }, `: ${label.reason}`) : null,
          ),
        ),
      )
    : make('p', { class: 'quiet' }, 'Nobody else has labelled it yet.');
