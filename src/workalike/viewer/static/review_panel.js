// The review of one trajectory, beside its steps: accept or reject it, leave steps out, call or correct them, put the
// task in other words. Exports apply it.
import { api, getJson, make } from 'viewer/page.js';
import { ReviewForm } from 'viewer/review_form.js';

export async function panel({ key, ref, trajectory }) {
  const steps = (trajectory.steps ?? []).map((step, place) => ({
    place,
    label: step.action_text ?? '',
    code: step.code ?? '',
    hit: step.actions?.[0]?.hit,
  }));
  const form = new ReviewForm(key, { ref }, { steps, instruction: trajectory.task.instruction });
  form.note.placeholder = 'Why';
  form.label.placeholder = 'Call it something';
  form.take(await getJson(api('review', key, { ref })));
  const node = make(
    'div',
    { class: 'review-panel' },
    form.decisionNode,
    form.stepNodes,
    make('div', { class: 'bar' }, form.undo, form.redo),
    form.historyNode,
  );
  return {
    title: 'Review',
    node,
    step: (index) => {
      form.index = index;
      form.fillStep();
    },
  };
}
