// Two runs side by side: where they differ, and one attempt of each step against step.
import { api, getJson, go, link, make, outcomeMark, pictureUrl, plural, replace, words } from 'viewer/page.js';
import { lines } from 'viewer/run.js';
import { screen } from 'viewer/screen.js';
import { describe, details } from 'viewer/step.js';

export async function show(main, route) {
  const keys = route.args.slice(0, 2);
  const [first, second] = await Promise.all(keys.map((key) => getJson(api('run', key))));
  const pair = route.query.get('pair');
  const crumbs = [[`${first.place} and ${second.place}`, pair ? link('compare', keys) : null]];
  if (pair)
    return { ...(await sideBySide(main, keys, [first, second], route, pair)), crumbs: [...crumbs, [pair, null]] };
  listed(main, keys, first, second, route.query.get('all') === '1');
  return { title: 'Two runs', crumbs };
}

// The attempts at the same repeat of the same task; of several tries the last.
export function pairs(first, second) {
  const held = (run) => new Map(lines(run, run.verifiers[0]).map((line) => [`${line.id} #${line.repeat}`, line]));
  const [ones, others] = [held(first), held(second)];
  return [...new Set([...ones.keys(), ...others.keys()])].map((name) => ({
    name,
    one: ones.get(name) ?? null,
    other: others.get(name) ?? null,
  }));
}

const differs = ({ one, other }) => (one?.outcome ?? null) !== (other?.outcome ?? null) || !one || !other;

function listed(main, keys, first, second, all) {
  const found = pairs(first, second);
  const different = found.filter(differs);
  const both = found.filter(({ one, other }) => one && other);
  const wins = (mine, theirs) =>
    both.filter((pair) => pair[mine].outcome === 'success' && pair[theirs].outcome !== 'success').length;
  const cell = (line) =>
    line
      ? [outcomeMark(line.outcome), make('span', { class: 'quiet' }, ` ${plural(line.steps, 'step')}`)]
      : make('span', { class: 'quiet' }, 'not there');
  const rows = (all ? found : different).map(({ name, one, other }) =>
    make(
      'tr',
      {},
      make(
        'td',
        { class: 'wide' },
        one && other
          ? make('a', { href: link('compare', keys, { pair: name }) }, (one ?? other).instruction || name)
          : (one ?? other).instruction || name,
        make('p', { class: 'snippet quiet' }, name),
      ),
      make('td', {}, cell(one)),
      make('td', {}, cell(other)),
    ),
  );
  main.append(
    make('h1', {}, 'Where two runs differ'),
    make(
      'p',
      {},
      `They share ${plural(both.length, 'attempt')}. ${first.place} alone succeeds at ${wins('one', 'other')}, ` +
        `${second.place} alone at ${wins('other', 'one')}.`,
    ),
    make(
      'p',
      { class: 'bar' },
      make(
        'label',
        {},
        make('input', {
          type: 'checkbox',
          checked: all,
          onchange: (event) => go('compare', keys, { all: event.target.checked ? '1' : '' }),
        }),
        ' also where they agree',
      ),
      make('span', { class: 'quiet' }, `${plural(different.length, 'difference')} of ${found.length}`),
    ),
    make(
      'div',
      { class: 'table' },
      make(
        'table',
        {},
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            ['Task', first.place, second.place].map((text) => make('th', { scope: 'col' }, text)),
          ),
        ),
        make('tbody', {}, rows),
      ),
    ),
  );
}

class Side {
  constructor(key, line, told) {
    this.key = key;
    this.told = told;
    const { trajectory } = told;
    this.frames = [
      ...(trajectory.steps ?? []),
      ...(trajectory.final ? [{ observation: trajectory.final, ending: true }] : []),
    ];
    this.screen = screen();
    this.under = make('div', { class: 'under' });
    const href = link('trajectory', [key, line.ref]);
    this.node = make(
      'section',
      { class: 'side', 'aria-label': told.place },
      make(
        'div',
        { class: 'under' },
        make('a', { href }, told.place),
        ' ',
        outcomeMark(line.outcome),
        make('span', { class: 'quiet' }, ` ${plural((trajectory.steps ?? []).length, 'step')}`),
      ),
      this.screen.node,
      this.under,
    );
  }

  go(index) {
    const frame = this.frames[index];
    if (!frame) {
      this.screen.show(null, {}, []);
      this.under.replaceChildren(
        make(
          'p',
          { class: 'quiet' },
          `It had ended by then${this.told.trajectory.stop ? `: ${words(this.told.trajectory.stop.reason)}` : ''}.`,
        ),
      );
      return;
    }
    const ref = frame.observation.picture;
    this.screen.show(
      ref ? pictureUrl(this.key, this.told.ref, ref.name) : null,
      frame.observation,
      frame.actions ?? [],
      { text: `Step ${index + 1}: ${describe(frame)}` },
    );
    this.under.replaceChildren(...details(frame, this.frames[index - 1]?.observation.time, ''));
  }
}

// The first step at which the two do not do the same.
export function parting(one, other) {
  const said = (frame) => JSON.stringify((frame?.actions ?? []).map(({ action }) => action));
  const most = Math.max(one.length, other.length);
  for (let place = 0; place < most; place += 1) if (said(one[place]) !== said(other[place])) return place;
  return null;
}

async function sideBySide(main, keys, runs, route, name) {
  const found = pairs(...runs).find((pair) => pair.name === name);
  if (!found?.one || !found.other) throw new Error('One of the two runs has no such attempt.');
  const held = [found.one, found.other];
  const told = await Promise.all(held.map((line, place) => getJson(api('trajectory', keys[place], { ref: line.ref }))));
  const sides = told.map((each, place) => new Side(keys[place], held[place], each));
  const count = Math.max(...sides.map((side) => side.frames.length));
  const parts = parting(sides[0].frames, sides[1].frames);
  const place = make('span', { class: 'place' });
  let index = 0;
  const to = (next) => {
    index = Math.max(0, Math.min(count - 1, next));
    for (const side of sides) side.go(index);
    place.textContent = `Step ${index + 1} of ${count}`;
    replace('compare', keys, { pair: name, step: index + 1 });
  };
  main.append(
    make('h1', {}, told[0].trajectory.task.instruction || name),
    make(
      'p',
      { class: 'bar' },
      make('button', { type: 'button', onclick: () => to(index - 1) }, '← Before'),
      place,
      make('button', { type: 'button', onclick: () => to(index + 1) }, 'Next →'),
      parts === null
        ? make('span', { class: 'quiet' }, 'They do the same at every step.')
        : make('button', { type: 'button', onclick: () => to(parts) }, `To where they part (step ${parts + 1})`),
    ),
    make(
      'div',
      { class: 'sides' },
      sides.map((side) => side.node),
    ),
  );
  to((Number(route.query.get('step')) || 1) - 1);
  return {
    title: 'Step against step',
    keys: {
      ArrowRight: [() => to(index + 1), 'the next step of both'],
      ArrowLeft: [() => to(index - 1), 'the step before'],
      ...(parts === null ? {} : { d: [() => to(parts), 'where they part'] }),
    },
  };
}
