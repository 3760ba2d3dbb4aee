// What lies at a place, so that it can be told later whether it still does, and what lies beyond the screen.
const numbers = new WeakMap();
let numbered = 0;
function numberOf(el) {
  if (!numbers.has(el)) numbers.set(el, `${performance.timeOrigin}.${++numbered}`);
  return numbers.get(el);
}

// The words around an element, from the nearest outwards: of each part of the page that says more than the one within,
// until there are too many of them for a row or a card. `read` keeps what was read of parts that many elements share.
function around(el, read) {
  const texts = [];
  let said = textWithin(el);
  for (let node = parentAcross(el); node && said.length < LONGEST; node = parentAcross(node)) {
    if (node.nodeType !== 1 || tagOf(node) === 'html') continue; // whose title is no part of the page
    if (!read.has(node)) read.set(node, textWithin(node));
    if (read.get(node).length <= said.length) continue;
    said = read.get(node);
    texts.push(said);
  }
  return texts;
}

function liesAt(x, y, read) {
  const told = touchedAt(x, y);
  if (!told) return null;
  const el = control(elementAt(x, y));
  const [frame = null] = told.slice(8);
  return [...told.slice(0, 8), frame, numberOf(el), around(el, read)];
}

workalike.lies = (places) => {
  const read = new Map();
  return JSON.stringify(places.map(([x, y]) => liesAt(x, y, read)));
};

workalike.liesIn = (path, x, y) =>
  path === pathOf(window) ? JSON.stringify(liesAt(x * innerWidth, y * innerHeight, new Map())) : null;

const letsScroll = (overflow) => overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';

// What a wheel in the middle of the screen would move: the page, or a box that stands for it.
function scroller() {
  const page = document.scrollingElement || document.documentElement;
  for (let node = elementAt(innerWidth / 2, innerHeight / 2); node; node = parentAcross(node)) {
    if (node.nodeType !== 1 || node === page || node.ownerDocument !== document) continue;
    const { overflowX, overflowY } = getComputedStyle(node);
    const large = node.clientWidth * node.clientHeight * 2 >= innerWidth * innerHeight;
    const more = node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
    if (large && more && node !== bodyOf(document) && (letsScroll(overflowX) || letsScroll(overflowY))) return node;
  }
  return page;
}

const fixed = (el) => el && ['hidden', 'clip'].includes(getComputedStyle(el).overflowY);

// How far there is to scroll on each side, in screens: above, below, left, right.
workalike.beyond = () => {
  const box = scroller(),
    page = document.scrollingElement || document.documentElement;
  const still = box === page && (fixed(document.documentElement) || fixed(bodyOf(document)));
  const wide = box === page ? innerWidth : box.clientWidth,
    high = box === page ? innerHeight : box.clientHeight;
  const right = getComputedStyle(box).overflowX === 'hidden' ? 0 : box.scrollWidth - wide - Math.abs(box.scrollLeft);
  const sides = [
    [box.scrollTop, high],
    [box.scrollHeight - high - box.scrollTop, high],
    [Math.abs(box.scrollLeft), wide],
    [right, wide],
  ];
  return sides.map(([more, whole]) => (still || more < 2 ? 0 : Math.round((more / whole) * 100) / 100));
};
