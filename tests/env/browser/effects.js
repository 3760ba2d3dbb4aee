// What the measurement keeps inside a page: which handlers a trusted event ran, and the state of every element, so that
// two looks can be compared. It is written without a view to how the environment finds what can be acted on.
(() => {
  const PRESSES = /^(click|dblclick|contextmenu|mouse(down|up)|pointer(down|up)|touch(start|end)|wheel|mousewheel)$/;
  const PLACES = /^(style|transform|d|points|c[xy]|r|[xy][12]?|width|height)$/;
  const numbers = new WeakMap();
  const wrapped = new WeakMap();
  const ran = new Set();
  let next = 0;

  const number = (element) => {
    if (!numbers.has(element)) numbers.set(element, next++);
    return numbers.get(element);
  };

  const all = (root, found = []) => {
    for (const element of root.querySelectorAll('*')) {
      found.push(element);
      if (element.shadowRoot) all(element.shadowRoot, found);
    }
    return found;
  };

  // A listener on the page itself, or on what fills most of it, serves other elements: that it ran says nothing.
  const isGround = (target) => {
    if (!(target instanceof Element) || target === document.body || target === document.documentElement) return true;
    const box = target.getBoundingClientRect();
    return box.width * box.height > 0.4 * innerWidth * innerHeight;
  };

  const note = (event, target) => {
    if (event.isTrusted && PRESSES.test(event.type) && !isGround(target)) ran.add(number(target));
  };

  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, ...rest) {
    if (!PRESSES.test(type) || !listener) return addEventListener.call(this, type, listener, ...rest);
    if (!wrapped.has(listener)) {
      wrapped.set(listener, function (event) {
        note(event, event.currentTarget);
        return typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event);
      });
    }
    return addEventListener.call(this, type, wrapped.get(listener), ...rest);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, ...rest) {
    const known = PRESSES.test(type) && listener && wrapped.get(listener);
    return removeEventListener.call(this, type, known || listener, ...rest);
  };
  for (const type of [
    'click',
    'mousedown',
    'mouseup',
    'pointerdown',
    'pointerup',
    'dblclick',
    'contextmenu',
    'wheel',
  ]) {
    const each = (event) => {
      for (const target of event.composedPath()) if (target[`on${type}`]) note(event, target);
    };
    addEventListener.call(window, type, each, { capture: true, passive: true });
  }

  const hash = (text) => {
    let sum = 5381;
    for (let at = 0; at < text.length; at++) sum = ((sum * 33) ^ text.charCodeAt(at)) >>> 0;
    return sum.toString(36);
  };

  const own = (element) => {
    const attributes = [...element.attributes].map(({ name, value }) => {
      return `${name}=${PLACES.test(name) ? value.replace(/[\d.]+/g, '#') : value}`;
    });
    const places = [...element.attributes].filter((one) => PLACES.test(one.name)).map((one) => one.value);
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data);
    const held = [element.value, element.checked, element.selected, element.open, element.indeterminate];
    const drawn = element instanceof HTMLCanvasElement ? hash(element.toDataURL()) : '';
    const parent = element.parentElement ?? element.getRootNode().host;
    return [
      hash([...attributes, ...text, ...held, drawn].join('\u0000')),
      hash(places.join('\u0000')),
      parent ? number(parent) : -1,
    ];
  };

  const deepest = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot?.elementFromPoint(x, y) && found.shadowRoot.elementFromPoint(x, y) !== found) {
      found = found.shadowRoot.elementFromPoint(x, y);
    }
    return found;
  };

  const boxOf = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left, top, width, height];
  };

  window.__effects = {
    begin: () => all(document).forEach(number),
    // Every element that lies topmost at some point of a grid, with those points.
    hits: (step) => {
      const hits = new Map();
      for (let y = step / 2; y < innerHeight; y += step) {
        for (let x = step / 2; x < innerWidth; x += step) {
          const element = deepest(x, y);
          if (!element) continue;
          if (!hits.has(element)) hits.set(element, []);
          hits.get(element).push([x, y]);
        }
      }
      return [...hits].map(([element, points]) => ({
        id: number(element),
        tag: element.localName,
        ground: element === document.body || element === document.documentElement,
        box: boxOf(element),
        points,
      }));
    },
    // The state of everything, and whose handlers have run since the last time.
    snapshot: () => {
      const elements = {};
      const scrolled = {};
      for (const element of all(document)) {
        elements[number(element)] = own(element);
        if (element.scrollTop || element.scrollLeft) {
          scrolled[number(element)] = [element.scrollTop, element.scrollLeft];
        }
      }
      const active = document.activeElement;
      const focus = active && active !== document.body ? number(active) : null;
      const handlers = [...ran];
      ran.clear();
      delete scrolled[number(document.scrollingElement ?? document.documentElement)];
      return { elements, scrolled, focus, url: location.href, ran: handlers };
    },
    // Wheeling over the page itself is no response, but what lies where is another thing until it is taken back.
    unscroll: () => {
      const moved = scrollX || scrollY;
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return Boolean(moved);
    },
    boxes: (ids) =>
      all(document)
        .filter((one) => ids.includes(number(one)))
        .map((one) => [number(one), boxOf(one)]),
  };
})();
