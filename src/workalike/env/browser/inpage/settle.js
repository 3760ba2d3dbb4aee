// Coming to rest: what an action set off in this page, seen without a fixed wait.
let watching = null;

function watch() {
  if (watching) return;
  const stir = () => {
    watching.stirs++;
  };
  watching = { stirs: 0, stir, observer: new MutationObserver(stir) };
  watching.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener('scroll', stir, { capture: true, passive: true });
}

function unwatch() {
  if (!watching) return;
  watching.observer.disconnect();
  removeEventListener('scroll', watching.stir, { capture: true });
  watching = null;
}

const turn = () =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
const frame = () =>
  new Promise((done) => {
    // a page that draws nothing fires no animation frame; a timer stands in
    const late = setTimeout(done, 50);
    requestAnimationFrame(() => {
      clearTimeout(late);
      done();
    });
  });

// The open shadow roots of this document: what moves in them is not told by the document. Looking for them takes time
// in a large page, so they are not looked for with every frame.
const LOOKED = 100;
let shadows = [],
  lookedAt = -LOOKED;
function shadowsIn(root) {
  const found = [];
  for (const el of root.querySelectorAll('*'))
    if (el.shadowRoot) found.push(el.shadowRoot, ...shadowsIn(el.shadowRoot));
  return found;
}
function rootsHere() {
  if (performance.now() - lookedAt >= LOOKED) {
    shadows = shadowsIn(document);
    lookedAt = performance.now();
  }
  return [document, ...shadows];
}

// Animations and transitions that end by themselves soon; endless ones are the page at rest.
function movingHere(within) {
  const animations = rootsHere().flatMap((root) => root.getAnimations());
  return animations.filter((animation) => {
    if (animation.playState !== 'running' || !animation.effect) return false;
    const timing = animation.effect.getComputedTiming();
    if (animation.timeline !== document.timeline) return false;
    const left = (timing.endTime - (animation.currentTime || 0)) / Math.abs(animation.playbackRate || 1);
    return left > 0 && left <= within;
  });
}

// Asks this document and those of the frames of this site.
function everywhere(ask) {
  const answers = [ask(workalike)];
  for (let n = 0; n < frames.length; n++) {
    try {
      if (frames[n].workalike) answers.push(ask(frames[n].workalike));
    } catch {
      /* a frame of another site */
    }
  }
  return answers;
}

workalike.movingHere = movingHere;
workalike.moving = (within) =>
  everywhere((each) => (each === workalike ? each.movingHere(within) : each.moving(within))).flat();

// How many milliseconds what the page has put off is still away, and whether its script draws an animation, here and in
// the frames of this site.
let putOff = { left: 0, drawing: false };
addEventListener(
  'workalike-due',
  (event) => {
    const [left, drawing] = String(event.detail).split(' ').map(Number);
    putOff = { left: left || 0, drawing: Boolean(drawing) };
  },
  true,
);
workalike.dueHere = () => {
  putOff = { left: 0, drawing: false };
  dispatchEvent(new CustomEvent('workalike-ask'));
  return putOff;
};
workalike.due = () => {
  const all = everywhere((each) => (each === workalike ? each.dueHere() : each.due()));
  return { left: Math.max(...all.map(({ left }) => left)), drawing: all.some(({ drawing }) => drawing) };
};

const pause = (time) => new Promise((done) => setTimeout(done, time));

// A script that draws changes something in every frame or two; one that has not for this long does something else.
const STILL = 150;

// Resolves when the page has taken in what was done to it: tasks run, mutations over, animations that end done. Layout
// that goes on costs at most `quiet`, an animation at most `most`. What the wheel does is drawn first and told later;
// `frames` says how many to wait for it.
workalike.rest = async (quiet, most, frames) => {
  const start = performance.now();
  const past = () => performance.now() - start;
  const stirs = () => (watching ? watching.stirs : 0);
  let seen = 0,
    stirred = 0,
    began = false;
  await turn();
  for (; frames > 0 && !stirs(); frames--) {
    await frame();
    await turn();
  }
  while (past() < most) {
    const animations = workalike.moving(most - past());
    const due = workalike.due();
    const stirring = stirs() !== seen;
    if (stirring || (due.drawing && !began)) stirred = past();
    began = due.drawing;
    const drawing = began && past() - stirred < STILL;
    const pending = (stirring || due.left > 0) && past() < quiet;
    if (!pending && !animations.length && !drawing) break;
    seen = stirs();
    const left = most - past();
    if (animations.length) await Promise.race([Promise.allSettled(animations.map((a) => a.finished)), pause(left)]);
    else if (due.left > 17) await pause(Math.min(due.left, quiet - past()));
    await frame();
    await turn();
  }
  unwatch();
  return past() < most;
};

const caretless = new CSSStyleSheet();
caretless.replaceSync('*, *::before, *::after { caret-color: transparent !important }');
function keepCaretHidden() {
  if (!document.adoptedStyleSheets.includes(caretless)) document.adoptedStyleSheets.push(caretless);
}
keepCaretHidden();

// Bring a place of the page (from its top left corner) into view, if it is not; returns how far the page is scrolled.
workalike.reveal = (x, y) => {
  const shown = x >= scrollX && x < scrollX + innerWidth && y >= scrollY && y < scrollY + innerHeight;
  if (!shown) scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
  return JSON.stringify([scrollX, scrollY]);
};

workalike.text = (most) => {
  const parts = [];
  let length = 0;
  const add = (root) => {
    const text = (root.innerText || '').trim();
    parts.push(text.slice(0, most - length));
    length += text.length;
    for (const inner of root.querySelectorAll('iframe')) {
      const doc = documentIn(inner);
      if (doc && bodyOf(doc) && length < most) add(bodyOf(doc));
    }
  };
  if (bodyOf(document)) add(bodyOf(document));
  return JSON.stringify([parts.filter(Boolean).join('\n\n'), length > most]);
};
