// A recording under review: the video with the events drawn on it, the steps it comes to, and what is made of them. The
// recording itself stays as it is.
import { boxShape, drawActions, saying } from 'viewer/draw.js';
import { api, getJson, link, make, replace, say, words } from 'viewer/page.js';
import { lastBefore, player } from 'viewer/player.js';
import { ReviewForm, button } from 'viewer/review_form.js';

const SPEEDS = ['0.5', '1', '2', '4'];
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NUDGE = 0.01;
const SMALLEST = 0.005;

const clock = (time) => {
  const minutes = Math.floor(Math.max(0, time) / 60);
  return `${minutes}:${(Math.max(0, time) % 60).toFixed(1).padStart(4, '0')}`;
};

export async function show(main, route) {
  const [key, step] = route.args;
  const told = await getJson(api('review', key));
  if (!told.recording) throw new Error('This is no recording: a trajectory is reviewed on its own page.');
  const view = new ReviewView(main, key, told);
  view.onstep = (index) => replace('review', [key, String(index + 1)]);
  return {
    title: `Review: ${view.instruction.slice(0, 80)}`,
    crumbs: [
      ['Recordings', link('')],
      [told.recording.id.slice(0, 60), null],
    ],
    keys: view.keys,
    ready: () => view.go(Number(step ?? 1) - 1 || 0),
    update: (to) => {
      if (to.args[0] !== key) return false;
      view.go(Number(to.args[1] ?? 1) - 1 || 0);
      return true;
    },
    close: () => view.close(),
  };
}

class ReviewView extends ReviewForm {
  constructor(main, key, told) {
    super(key, {}, told.recording);
    this.recording = told.recording;
    this.draft = null;
    this.skips = false;
    this.onstep = () => {};
    this.player = player(key, told.recording, { draw: (time) => this.drawRegions(time) });
    this.player.onTime((time) => this.onTime(time));
    this.makeWatch(main);
    this.makeAside(main);
    this.take(told);
    this.listen();
  }

  get keys() {
    return {
      ' ': [() => this.player.toggle(), 'play or pause'],
      ArrowRight: [() => this.go(this.index + 1), 'the next step'],
      ArrowLeft: [() => this.go(this.index - 1), 'the step before'],
      ',': [() => this.player.seek(this.player.time - 0.1), 'a tenth of a second back'],
      '.': [() => this.player.seek(this.player.time + 0.1), 'a tenth of a second on'],
      i: [() => this.trim('trim_start'), 'cut off all before here'],
      o: [() => this.trim('trim_end'), 'cut off all after here'],
      w: [() => this.untrim(), 'take the whole recording again'],
      r: [() => this.startRegion(), 'hide a region of the screen'],
      ...this.editKeys,
    };
  }

  // The left side: the task, the video, the time line, the controls.
  makeWatch(main) {
    this.title = make('h1', { tabindex: '0' });
    this.where = make('p', { class: 'quiet where' });
    this.range = make('input', {
      type: 'range',
      min: String(this.player.start),
      max: String(this.player.end),
      step: '0.05',
      'aria-label': 'Time in the recording',
    });
    this.range.addEventListener('input', () => this.player.seek(Number(this.range.value)));
    this.line = make('div', { class: 'line', 'aria-hidden': 'true' });
    this.now = make('span', { class: 'place' });
    this.playing = button('Play', 'Play or pause (Space)', () => this.player.toggle(), { class: 'primary' });
    const speed = make(
      'select',
      { 'aria-label': 'Speed', onchange: () => this.player.speed(Number(speed.value)) },
      SPEEDS.map((each) => make('option', { value: each, selected: each === '1' }, `${each}×`)),
    );
    const skips = make('input', { type: 'checkbox', onchange: () => (this.skips = skips.checked) });
    const controls = make(
      'div',
      { class: 'controls' },
      this.playing,
      this.now,
      speed,
      make('label', {}, skips, 'Skip what is cut'),
      make('span', { class: 'grow' }),
      button('Start here', 'Cut off all before here (i)', () => this.trim('trim_start')),
      button('End here', 'Cut off all after here (o)', () => this.trim('trim_end')),
      button('Whole', 'Take the whole recording again (w)', () => this.untrim()),
      button('Hide a region', 'Draw a region that nobody may see (r)', () => this.startRegion()),
      this.undo,
      this.redo,
    );
    main.append(
      make(
        'section',
        { class: 'watch', 'aria-label': 'The recording' },
        make('div', { class: 'task' }, this.title, this.where),
        this.player.node,
        make('div', { class: 'timeline' }, this.line, this.range),
        controls,
      ),
    );
  }

  // The right side: what is decided, the step, all steps, the regions, how it came to this.
  makeAside(main) {
    this.list = make('ol', { class: 'review-steps', 'aria-label': 'Steps' });
    this.regions = make('ul', { class: 'regions' });
    this.account = make('p', { class: 'quiet' });
    main.append(
      make(
        'aside',
        { class: 'told review-told', 'aria-label': 'The review' },
        this.decisionNode,
        make(
          'div',
          { class: 'tab' },
          this.stepNodes,
          make('h3', {}, 'Steps'),
          this.list,
          this.account,
          make('h3', {}, 'Hidden regions'),
          this.regions,
          this.historyNode,
        ),
      ),
    );
  }

  take(told) {
    super.take(told);
    this.title.textContent = this.instruction || 'No task told';
    const counted = Object.entries(told.events).map(([name, count]) => `${count} ${name}`);
    this.account.textContent = `Events: ${counted.join(', ')}.`;
    this.fillList();
    this.fillLine();
    this.fillRegions();
    this.player.paint();
  }

  heading(step) {
    return ` · ${words(step.kind)} · ${clock(step.start)}`;
  }

  // What a step is called, or else what was done and on what.
  name(step) {
    const edit = this.review.steps[step.place];
    const called = edit?.text ?? step.label;
    if (called) return called;
    const actions = edit?.actions ?? step.actions;
    const done = actions.map((action) => `${words(action.do)} ${saying(action)}`.trim()).join(', ');
    return step.hit?.name ? `${done} “${step.hit.name}”` : done;
  }

  fillList() {
    const rows = this.steps.map((step, place) =>
      make(
        'li',
        { class: this.fates[place] },
        make(
          'button',
          { type: 'button', onclick: () => this.go(place), 'aria-current': String(place === this.index) },
          make('span', { class: 'quiet' }, `${place + 1} · ${clock(step.start)}`),
          make('span', { class: 'said' }, this.name(step)),
          this.fates[place] === 'kept' ? null : make('span', { class: 'chip' }, this.fates[place]),
          step.flags?.length ? make('span', { class: 'chip odd' }, words(step.flags.join(', '))) : null,
        ),
      ),
    );
    this.list.replaceChildren(...rows);
  }

  fillLine() {
    const { start, end } = this.player;
    const share = (time) => `${((time - start) / Math.max(0.001, end - start)) * 100}%`;
    const { trim_start: from = null, trim_end: to = null } = this.review;
    const cut = (left, right) =>
      make('i', { class: 'cut', style: { left: share(left), right: `calc(100% - ${share(right)})` } });
    this.line.replaceChildren(
      ...(from === null ? [] : [cut(start, from)]),
      ...(to === null ? [] : [cut(to, end)]),
      ...this.steps.map((step, place) =>
        make('i', {
          class: `tick ${this.fates[place]}${place === this.index ? ' here' : ''}`,
          style: { left: share(step.start) },
        }),
      ),
    );
  }

  fillRegions() {
    const number = (region, name, place) =>
      make('input', {
        type: 'number',
        step: '0.1',
        value: region[name] ?? '',
        placeholder: name === 'start' ? 'from the beginning' : 'to the end',
        'aria-label': `Region ${place + 1}, ${name} in seconds`,
        onchange: (event) =>
          this.edit(`region ${name}`, (review) => {
            const value = event.target.value;
            if (value === '') delete review.regions[place][name];
            else review.regions[place][name] = Number(value);
          }),
      });
    const rows = this.review.regions.map((region, place) =>
      make(
        'li',
        {},
        `${place + 1}`,
        number(region, 'start', place),
        number(region, 'end', place),
        button('Show again', `Remove region ${place + 1}`, () =>
          this.edit('show a region again', (review) => review.regions.splice(place, 1)),
        ),
      ),
    );
    this.regions.replaceChildren(
      ...(rows.length ? rows : [make('li', { class: 'quiet' }, 'None. Press r to draw one.')]),
    );
  }

  go(index) {
    if (!this.steps.length) return this.player.seek(this.player.start);
    this.player.pause();
    this.choose(Math.max(0, Math.min(index, this.steps.length - 1)));
    return this.player.seek(this.steps[this.index].start);
  }

  choose(index) {
    this.index = index;
    for (const [place, row] of [...this.list.children].entries()) {
      row.firstElementChild.setAttribute('aria-current', String(place === index));
    }
    this.list.children[index]?.scrollIntoView({ block: 'nearest' });
    this.fillStep();
    this.fillLine();
    this.onstep(index);
  }

  onTime(time) {
    this.range.value = String(time);
    this.range.setAttribute('aria-valuetext', clock(time));
    this.now.textContent = `${clock(time)} / ${clock(this.player.end)}`;
    this.playing.textContent = this.player.playing ? 'Pause' : 'Play';
    const { windows, pages } = this.recording.events;
    const [, title = ''] = windows[lastBefore(windows, time)] ?? [];
    const [, url = '', page = ''] = pages[lastBefore(pages, time)] ?? [];
    this.where.textContent = [title, page, url].filter(Boolean).join(' · ').slice(0, 300);
    if (this.player.playing) this.follow(time);
    this.drawStep();
  }

  // While it plays, the step goes along; what is left out can be skipped.
  follow(time) {
    const { trim_start: from = null, trim_end: to = null } = this.review;
    if (this.skips && from !== null && time < from) return this.player.seek(from);
    if (this.skips && to !== null && time > to) return this.player.pause();
    const at = lastBefore(this.steps, time, (step) => step.start);
    if (this.skips && at >= 0 && this.fates[at] === 'deleted' && time < this.steps[at].end) {
      return this.player.seek(this.steps[at].end + 0.01);
    }
    return at >= 0 && at !== this.index ? this.choose(at) : null;
  }

  drawStep() {
    const step = this.steps[this.index];
    const here = step && !this.player.playing && Math.abs(this.player.time - step.start) < 0.5;
    const actions = here ? (this.review.steps[step.place]?.actions ?? step.actions) : [];
    const taken = actions.map((action) => ({ action, hit: step?.hit }));
    drawActions(this.player.steps, taken, { size: this.player.size });
  }

  drawRegions(time) {
    const covering = ({ start = null, end = null }) =>
      (start === null || start <= time) && (end === null || time <= end);
    const shown = this.review?.regions.filter(covering).map((region) => boxShape(region.box, 'region')) ?? [];
    return this.draft ? [...shown, boxShape(this.draft, 'region draft')] : shown;
  }

  trim(name) {
    const outwards = name === 'trim_start' ? Math.floor : Math.ceil; // a step that begins right here stays
    const time = outwards(this.player.time * 1000) / 1000;
    const text = name === 'trim_start' ? `start at ${clock(time)}` : `end at ${clock(time)}`;
    this.edit(text, (review) => (review[name] = time));
  }

  untrim() {
    this.edit('the whole recording', (review) => {
      delete review.trim_start;
      delete review.trim_end;
    });
  }

  // A region is drawn with the pointer, or moved with the arrows and resized with Shift and the arrows.
  startRegion() {
    this.player.pause();
    this.draft = [0.4, 0.4, 0.2, 0.1];
    this.player.frame.classList.add('drawing');
    this.player.paint();
    say('Draw the region, or move it with the arrows (Shift: resize). Enter keeps it, Escape leaves it.');
  }

  endRegion(kept) {
    const box = this.draft;
    this.draft = null;
    this.player.frame.classList.remove('drawing');
    this.player.paint();
    if (kept && box[2] > SMALLEST && box[3] > SMALLEST)
      this.edit('hide a region', (review) => review.regions.push({ box }));
  }

  regionKey(event) {
    if (event.key === 'Enter' || event.key === 'Escape') this.endRegion(event.key === 'Enter');
    else if (MOVES[event.key]) {
      const [across, down] = MOVES[event.key].map((way) => way * NUDGE);
      let [x, y, width, height] = this.draft;
      if (event.shiftKey) [width, height] = [Math.max(NUDGE, width + across), Math.max(NUDGE, height + down)];
      else [x, y] = [x + across, y + down];
      this.draft = inside([x, y, width, height]);
      this.player.paint();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  listen() {
    const { frame } = this.player;
    const at = (event) => {
      const { left, top, width, height } = frame.getBoundingClientRect();
      return [(event.clientX - left) / width, (event.clientY - top) / height].map((part) =>
        Math.min(1, Math.max(0, part)),
      );
    };
    let from = null;
    frame.addEventListener('pointerdown', (event) => {
      if (!this.draft) return this.player.toggle();
      from = at(event);
      return frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener('pointermove', (event) => {
      if (!from || !this.draft) return;
      const to = at(event);
      const low = [0, 1].map((axis) => Math.min(from[axis], to[axis]));
      this.draft = [...low, ...[0, 1].map((axis) => Math.abs(from[axis] - to[axis]))];
      this.player.paint();
    });
    frame.addEventListener('pointerup', () => {
      if (from && this.draft) this.endRegion(true);
      from = null;
    });
    this.onkey = (event) => {
      const typing = event.target.closest?.('input:not([type=checkbox]):not([type=range]), textarea');
      if (this.draft && !typing) return this.regionKey(event);
      if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return null;
      event.preventDefault();
      return this.back(event.shiftKey ? 'redo' : 'undo');
    };
    document.addEventListener('keydown', this.onkey, true);
  }

  close() {
    document.removeEventListener('keydown', this.onkey, true);
    this.player.close();
  }
}

// A box that lies on the screen.
function inside([x, y, width, height]) {
  const [wide, high] = [Math.min(1, width), Math.min(1, height)];
  return [Math.min(Math.max(0, x), 1 - wide), Math.min(Math.max(0, y), 1 - high), wide, high];
}
