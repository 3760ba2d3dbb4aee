// Actions drawn over a screenshot: a ring for a click, an arrow for a drag or scroll, a dashed box for what was hit, a
// label for what was typed; what has no place on the screen stands at its foot.
const SVG = 'http://www.w3.org/2000/svg';
const SIDE = 1000;
const MOST_WORDS = 60;

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const place = ([x, y]) => [x * SIDE, y * SIDE];

// The drawing is stretched over the picture, so a circle is an ellipse with its radii corrected for the aspect.
function ring([x, y], radius, aspect, names) {
  return names.map((name) => shape('ellipse', { cx: x, cy: y, rx: radius, ry: radius * aspect, class: name }));
}

function line(points, name) {
  return shape('polyline', { points: points.map((point) => point.join(',')).join(' '), class: name });
}

function arrow(points, aspect) {
  const [from, to] = points.slice(-2);
  const angle = Math.atan2((to[1] - from[1]) / aspect, to[0] - from[0]);
  const wings = [2.6, -2.6].map((turn) => [
    to[0] + 14 * Math.cos(angle + turn),
    to[1] + 14 * Math.sin(angle + turn) * aspect,
  ]);
  return [line(points, 'halo'), line(points, 'mark'), line([wings[0], to, wings[1]], 'mark')];
}

function drawOne(action, aspect, pointer) {
  const spot = spotOf(action) ?? pointer;
  if (action.do === 'drag') {
    const points = [action.start ?? pointer, ...action.path].filter(Boolean).map(place);
    return [...(points.length > 1 ? arrow(points, aspect) : []), ...ring(points[0], 5, aspect, ['spot'])];
  }
  if (action.do === 'scroll') {
    const from = place(spot ?? [0.5, 0.5]);
    const down = Math.sign(action.dy ?? 0);
    const right = Math.sign(action.dx ?? 0);
    return arrow([from, [from[0] + 60 * right, from[1] + 60 * down * aspect]], aspect);
  }
  if (!spot || !['click', 'move', 'mouse_down', 'mouse_up'].includes(action.do)) return [];
  const rings = Array.from({ length: action.count ?? 1 }, (_, index) =>
    ring(place(spot), 10 + 6 * index, aspect, ['halo', 'mark']),
  );
  return [...rings.flat(), ...ring(place(spot), 2.5, aspect, ['spot'])];
}

export function boxShape([x, y, width, height], name = 'hit') {
  return shape('rect', { x: x * SIDE, y: y * SIDE, width: width * SIDE, height: height * SIDE, class: name });
}

const spotOf = (action) => action.at ?? action.to ?? action.path?.at(-1) ?? null;

// What an action says in a few words: what was typed, which keys, which address.
export function saying(action) {
  const amount = (value) => Math.round(value * 100) / 100;
  switch (action.do) {
    case 'write':
      return action.text;
    case 'press':
      return action.keys.join(' ');
    case 'hotkey':
      return action.keys.join(' + ');
    case 'key_down':
      return `${action.key} ↓`;
    case 'key_up':
      return `${action.key} ↑`;
    case 'scroll':
      return [
        action.dy ? `${action.dy > 0 ? '↓' : '↑'} ${amount(Math.abs(action.dy))}` : '',
        action.dx ? `${action.dx > 0 ? '→' : '←'} ${amount(Math.abs(action.dx))}` : '',
      ]
        .join(' ')
        .trim();
    case 'click':
      return [
        action.button === 'left' || !action.button ? '' : action.button,
        action.count > 1 ? `×${action.count}` : '',
        ...(action.modifiers ?? []),
      ]
        .filter(Boolean)
        .join(' ');
    case 'wait':
      return action.seconds ? `${action.seconds} s` : '';
    default:
      return String(action.url ?? action.query ?? action.question ?? action.fact ?? action.answer ?? action.text ?? '');
  }
}

const short = (text) => (text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text);

function label(text, spot) {
  const node = document.createElement('span');
  node.className = spot ? 'drawn' : 'drawn low';
  node.textContent = text;
  if (spot) {
    node.style.left = `${Math.min(Math.max(spot[0], 0), 1) * 100}%`;
    node.style.top = `${Math.min(Math.max(spot[1], 0.04), 1) * 100}%`;
    if (spot[0] > 0.7) node.classList.add('left');
    if (spot[1] < 0.12) node.classList.add('below');
  }
  return node;
}

// `svg` lies over the picture in a frame; the labels are put beside it there.
export function drawActions(svg, taken, observation, boxes = []) {
  const aspect = observation.size ? observation.size[0] / observation.size[1] : 1.6;
  const frame = svg.parentElement;
  for (const old of frame.querySelectorAll('.drawn, .badges')) old.remove();
  const shapes = boxes.map(({ box, chosen }) => boxShape(box, chosen ? 'element chosen' : 'element'));
  const foot = document.createElement('div');
  foot.className = 'badges';
  let pointer = observation.pointer ?? null;
  for (const [index, { action, hit }] of taken.entries()) {
    if (hit?.box) shapes.push(boxShape(hit.box));
    shapes.push(...drawOne(action, aspect, pointer));
    const pointing = ['click', 'move', 'drag', 'scroll', 'mouse_down', 'mouse_up'].includes(action.do);
    const typing = action.do === 'write' && (hit?.box || pointer);
    const spot = pointing ? (spotOf(action) ?? pointer) : typing ? (hit?.box?.slice(0, 2) ?? pointer) : null;
    const number = taken.length > 1 ? `${index + 1} ` : '';
    const said =
      pointing && action.do !== 'scroll'
        ? saying(action)
        : `${pointing ? '' : `${action.do.replaceAll('_', ' ')} `}${saying(action)}`;
    const text = `${number}${short(said)}`.trim();
    if (text) (spot ? frame : foot).append(label(text, spot));
    pointer = spotOf(action) ?? pointer;
  }
  svg.replaceChildren(...shapes);
  if (foot.childElementCount) frame.append(foot);
}
