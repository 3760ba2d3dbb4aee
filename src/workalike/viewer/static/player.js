// A recording's video with its events drawn on it. The clock is the page's own, so that stretches without frames,
// pauses and changes of resolution pass like everything else; the video follows it. Where the browser cannot play the
// video, stills are shown instead.
import { make } from 'viewer/page.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIDE = 1000;
const DRIFT = 0.25;
const LONGEST_TICK = 0.2; // a page that was held up goes on where it was, and leaves nothing out
const RING = 0.7;
const TYPED = 1.6;

export function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// The place of the last entry whose first value is at most `time`; -1 where there is none.
export function lastBefore(entries, time, of = (entry) => entry[0]) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(entries[middle]) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The video's own second at a time of the recording.
function ownTime({ anchors }, time) {
  if (!anchors.length) return 0;
  const place = Math.max(
    0,
    lastBefore(anchors, time, (anchor) => anchor[1]),
  );
  const [own, since] = anchors[place];
  const limit = place + 1 < anchors.length ? anchors[place + 1][0] - 0.001 : Infinity;
  return Math.max(0, Math.min(own + time - since, limit));
}

function ring([x, y], size, aspect, name, opacity) {
  const radii = { rx: size, ry: size * aspect };
  return shape('ellipse', { cx: x * SIDE, cy: y * SIDE, ...radii, class: name, opacity });
}

const path = (points, name) =>
  shape('polyline', { points: points.map(([x, y]) => `${x * SIDE},${y * SIDE}`).join(' '), class: name });

// What a person did around a time, drawn: where the pointer is, recent presses, a drag under way, the wheel.
export function drawEvents({ pointer, presses, wheel }, time, aspect) {
  const shapes = [];
  const at = lastBefore(pointer, time);
  const pressed = lastBefore(presses, time);
  if (pressed >= 0 && presses[pressed][4]) {
    const from = lastBefore(pointer, presses[pressed][0]);
    const way = pointer.slice(Math.max(0, from), at + 1).map(([, x, y]) => [x, y]);
    if (way.length > 1) shapes.push(path(way, 'halo'), path(way, 'mark'));
  }
  for (let place = pressed; place >= 0 && time - presses[place][0] < RING; place -= 1) {
    const [when, x, y, button, down] = presses[place];
    if (!down) continue;
    const age = (time - when) / RING;
    const name = button === 'left' ? 'mark' : 'mark other-button';
    shapes.push(ring([x, y], 8 + 14 * age, aspect, name, String(1 - age * 0.8)));
  }
  for (let place = lastBefore(wheel, time); place >= 0 && time - wheel[place][0] < RING; place -= 1) {
    const [, x, y, dx, dy] = wheel[place];
    const end = [x + 0.05 * Math.sign(dx), y + 0.05 * Math.sign(dy) * aspect];
    shapes.push(path([[x, y], end], 'halo'), path([[x, y], end], 'mark'), ring(end, 4, aspect, 'spot', '1'));
  }
  if (at >= 0) shapes.push(ring(pointer[at].slice(1), 5, aspect, 'pointer', '1'));
  return shapes;
}

// What was typed just now, as one would read it.
export function typedAt(keys, time) {
  const shown = [];
  for (let place = lastBefore(keys, time); place >= 0 && shown.length < 40; place -= 1) {
    const [when, text, writes] = keys[place];
    const limit = shown.length ? shown[0].when : time;
    if (limit - when > TYPED) break;
    shown.unshift({ when, text: writes ? text : ` ⟨${text}⟩ ` });
  }
  return shown
    .map((each) => each.text)
    .join('')
    .trim();
}

export function player(key, recording, { draw }) {
  const { segments, events } = recording;
  const start = segments[0]?.start ?? 0;
  const ends = [start, ...segments.map((segment) => segment.end), ...events.pointer.slice(-1).map(([time]) => time)];
  const end = Math.max(...ends);
  const layer = () =>
    shape('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const [marks, steps] = [layer(), layer()];
  const typed = make('p', { class: 'typed', 'aria-hidden': 'true' });
  const video = make('video', { muted: true, playsinline: true, preload: 'auto', 'aria-label': 'The recorded screen' });
  video.muted = true;
  const still = make('img', { alt: 'The recorded screen', hidden: true });
  const frame = make('div', { class: 'frame film' }, video, still, steps, marks, typed);
  const node = make('div', { class: 'stage' }, frame);
  const state = { time: start, playing: false, speed: 1, segment: -1, stills: false, last: null, wanted: null };
  const listeners = [];
  let ticking = null;

  const segmentAt = (time) =>
    Math.max(
      0,
      lastBefore(segments, time, (segment) => segment.start),
    );

  function toStills() {
    if (state.stills) return;
    state.stills = true;
    video.hidden = true;
    still.hidden = false;
    showStill();
  }

  function showStill() {
    const asked = state.time.toFixed(2);
    if (state.wanted !== null || still.dataset.time === asked) return;
    state.wanted = asked;
    still.onload = still.onerror = () => {
      state.wanted = null;
      still.dataset.time = asked;
      if (state.time.toFixed(2) !== asked) showStill();
    };
    still.src = `/still/${encodeURIComponent(key)}?time=${asked}`;
  }

  function load(number) {
    state.segment = number;
    const [width, height] = segments[number].size;
    frame.style.setProperty('--aspect', String(width / height));
    if (!state.stills) video.src = `/video/${encodeURIComponent(key)}?segment=${number}`;
  }

  function follow() {
    if (!segments.length) return;
    const number = segmentAt(state.time);
    if (number !== state.segment) load(number);
    if (state.stills) return showStill();
    const own = ownTime(segments[number], state.time);
    const apart = Math.abs(video.currentTime - own);
    if (state.playing) {
      video.playbackRate = state.speed;
      if (video.paused && video.readyState >= 2 && !video.ended) video.play().catch(toStills);
      if (apart > DRIFT * Math.max(1, state.speed) && !video.seeking) video.currentTime = own;
    } else {
      if (!video.paused) video.pause();
      if (apart > 0.001 && !video.seeking) video.currentTime = own;
    }
  }

  function paint() {
    const [width, height] = segments[Math.max(0, state.segment)]?.size ?? [16, 10];
    const aspect = width / height;
    marks.replaceChildren(...drawEvents(events, state.time, aspect), ...draw(state.time, aspect, state.playing));
    typed.textContent = typedAt(events.keys, state.time);
    for (const listener of listeners) listener(state.time);
  }

  function tick(now) {
    if (!state.playing) return;
    const passed = state.last === null ? 0 : Math.min(LONGEST_TICK, (now - state.last) / 1000);
    state.last = now;
    const waits = !state.stills && (video.seeking || video.readyState < 2) && !video.ended && video.error === null;
    if (!waits) state.time = Math.min(end, state.time + passed * state.speed);
    follow();
    paint();
    if (state.time >= end) pause();
    else ticking = requestAnimationFrame(tick);
  }

  function play() {
    if (state.time >= end) state.time = start;
    state.playing = true;
    state.last = null;
    cancelAnimationFrame(ticking);
    ticking = requestAnimationFrame(tick);
    paint();
  }

  function pause() {
    state.playing = false;
    cancelAnimationFrame(ticking);
    follow();
    paint();
  }

  function seek(time) {
    state.time = Math.max(start, Math.min(end, time));
    follow();
    paint();
  }

  video.addEventListener('error', toStills);
  video.addEventListener('seeked', () => state.playing || follow());
  video.addEventListener('loadeddata', follow);
  return {
    node,
    frame,
    steps,
    start,
    end,
    seek,
    play,
    pause,
    paint,
    toggle: () => (state.playing ? pause() : play()),
    onTime: (listener) => listeners.push(listener),
    speed: (value) => (state.speed = value),
    get size() {
      return segments[Math.max(0, state.segment)]?.size ?? [16, 10];
    },
    get time() {
      return state.time;
    },
    get playing() {
      return state.playing;
    },
    close: () => {
      state.playing = false;
      cancelAnimationFrame(ticking);
      video.removeAttribute('src');
      video.load();
    },
  };
}
