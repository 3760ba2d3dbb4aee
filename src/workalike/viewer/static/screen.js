// A large screenshot with everything drawn on it, and on request the screen that came of it behind a curtain.
import { drawActions } from 'viewer/draw.js';
import { make } from 'viewer/page.js';

const SVG = 'http://www.w3.org/2000/svg';

export function screen(alt = 'Screenshot') {
  const before = make('img', { alt, decoding: 'async' });
  const after = make('img', { alt: '', hidden: true, decoding: 'async' });
  const curtain = make('div', { class: 'curtain', hidden: true });
  const missing = make('p', { class: 'missing', hidden: true }, 'There is no picture of this step.');
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 1000');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const frame = make('div', { class: 'frame' }, before, after, curtain, missing);
  frame.append(svg);
  const node = make('div', { class: 'stage' }, frame);
  const tell = (text) => {
    missing.textContent = text;
    missing.hidden = false;
    before.hidden = true;
  };
  before.addEventListener('error', () => tell('The picture cannot be read.'));
  before.addEventListener('load', () => {
    if (before.naturalWidth) frame.style.setProperty('--aspect', before.naturalWidth / before.naturalHeight);
  });

  // `share` of the width shows what came after; `boxes` are elements: [{box, chosen}].
  function show(url, observation, actions = [], { marks = true, boxes = [], next = null, share = 0, text = alt } = {}) {
    const [width, height] = observation.picture?.size ?? observation.size ?? [1600, 1000];
    frame.style.setProperty('--aspect', width / height);
    missing.hidden = true;
    before.hidden = false;
    before.alt = text;
    if (url) {
      if (before.getAttribute('src') !== url) before.src = url;
    } else {
      before.removeAttribute('src');
      tell('There is no picture of this step.');
    }
    uncover(next, share);
    drawActions(svg, marks ? actions : [], observation, boxes);
  }

  function uncover(next, share) {
    const shown = Boolean(next) && share > 0;
    after.hidden = curtain.hidden = !shown;
    if (!shown) return;
    if (after.getAttribute('src') !== next) after.src = next;
    const left = 100 - share * 100;
    after.style.clipPath = `inset(0 0 0 ${left}%)`;
    curtain.style.left = `${left}%`;
  }

  return { node, show };
}
