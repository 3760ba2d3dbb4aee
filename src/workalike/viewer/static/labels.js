// A label, given beside the steps of a trajectory. Whoever labels blind does not see the verdicts before.
import { LabelForm, others } from 'viewer/label_form.js';
import { api, getJson, link, make, postJson, say } from 'viewer/page.js';
import { personField } from 'viewer/person.js';

const BLIND = 'blind';

function wasBlind() {
  try {
    return localStorage.getItem(BLIND) === 'yes';
  } catch {
    return false;
  }
}

export async function panel({ key, ref, hideVerdicts }) {
  const room = make('div', { class: 'others-room' });
  const person = personField('Labeller', () => load());
  const blind = make('input', { type: 'checkbox', checked: wasBlind() });
  const form = new LabelForm(give);
  form.reason.placeholder = 'Why';
  const back = make('button', { type: 'button', onclick: takeBack, disabled: true }, 'Take it back');
  let seen = !blind.checked;

  function shown(said) {
    form.fill(said.mine ?? null);
    back.disabled = !said.mine;
    const covered = blind.checked && !said.mine;
    hideVerdicts(covered);
    if (!covered) seen = true;
    const hidden = make('p', { class: 'quiet' }, 'What others say is shown once you have given your label.');
    room.replaceChildren(make('h3', {}, 'Others'), said.mine ? others(said.others) : hidden);
  }

  async function load() {
    const labeller = person.input.value.trim();
    if (labeller) shown(await getJson(api('label', key, { ref, labeller })));
    else shown({ mine: null, others: [] });
  }

  async function send(name, value) {
    try {
      shown(await postJson(api(name, key, { ref }), value));
      return true;
    } catch (error) {
      say(error.message);
      return false;
    }
  }

  async function give() {
    const labeller = person.need();
    const label = form.value(!seen);
    if (labeller === null) return;
    if (label === null) say('Say first whether it passed.');
    else if (await send('label', { labeller, label })) say('The label is kept.');
  }

  async function takeBack() {
    const labeller = person.need();
    if (labeller !== null && (await send('unlabel', { labeller }))) say('The label is taken back.');
  }

  blind.addEventListener('change', () => {
    try {
      localStorage.setItem(BLIND, blind.checked ? 'yes' : 'no');
    } catch {
      say('The browser does not let a page remember this.');
    }
    load();
  });
  await load();
  const node = make(
    'div',
    { class: 'label-panel' },
    person.node,
    make('label', {}, blind, 'Hide the verdicts until I have labelled'),
    form.node,
    make('div', { class: 'bar' }, back, make('a', { href: link('queue', [key]) }, 'The queue')),
    room,
  );
  return { title: 'Label', node };
}
