// What every page is made with. Whatever came off a web page or out of a model is put in as text, never as markup.

// An element. Strings become text; `on…` attributes are listeners; what is null, undefined or false is left out.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(node.style, value);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

async function answered(reply) {
  if (!reply.ok) throw new Error((await reply.text()) || `the viewer answered ${reply.status}`);
  return reply.status === 204 ? null : reply.json();
}

// What the server says under an address; null where it has nothing to say. Its complaint is thrown as an Error.
export async function getJson(url) {
  let reply;
  try {
    reply = await fetch(url);
  } catch {
    throw new Error('The viewer does not answer any more: the command has ended.');
  }
  return answered(reply);
}

export async function postJson(url, value) {
  const headers = { 'content-type': 'application/json' };
  return answered(await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) }));
}

// The address of a page: its name, its arguments, and what else it is to know; null and '' are left out.
export function link(name, args = [], query = {}) {
  const path = [name, ...args].map((part) => encodeURIComponent(part)).join('/');
  const known = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') known.append(key, each);
    }
  }
  const asked = known.toString();
  return `#/${path}${asked ? `?${asked}` : ''}`;
}

export function go(name, args, query) {
  location.hash = link(name, args, query);
}

// The same page under another address, with nothing new in the history; for what changes with every key.
export function replace(name, args, query) {
  history.replaceState(null, '', link(name, args, query));
}

export const api = (name, key, query = {}) =>
  `/api/${name}/${encodeURIComponent(key)}?${new URLSearchParams(Object.entries(query).filter(([, v]) => v !== null))}`;

export const pictureUrl = (key, ref, name) =>
  `/picture/${encodeURIComponent(key)}?${new URLSearchParams({ ref, name })}`;

export const words = (name) => String(name ?? '').replaceAll('_', ' ');
export const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export function outcomeClass(outcome) {
  if (outcome === 'success') return 'success';
  if (outcome === 'failure') return 'failure';
  return outcome ? 'other' : 'none';
}

export function seconds(value) {
  if (value === null || value === undefined) return '';
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  const minutes = Math.floor(value / 60);
  return minutes < 120
    ? `${minutes} min ${Math.round(value % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function money(value) {
  if (value === null || value === undefined) return 'unknown';
  return value === 0 ? '$0' : value < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

// Do something again and again, never twice at once, less often where it takes long, and not while nobody looks.
// Returns what stops it.
export function every(milliseconds, work) {
  let timer = null;
  let stopped = false;
  const next = (took) => {
    if (!stopped) timer = setTimeout(turn, Math.max(milliseconds, 4 * took));
  };
  const turn = async () => {
    const began = performance.now();
    if (!document.hidden) await work();
    next(performance.now() - began);
  };
  next(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

let quiet = null;
// A word at the foot of the page, which screen readers speak, too.
export function say(text) {
  const status = document.getElementById('status');
  if (!status) return;
  status.textContent = text;
  clearTimeout(quiet);
  quiet = setTimeout(() => (status.textContent = ''), 4000);
}

const SHOWN = 4000;
// A text of any length: the beginning of a giant one, and a button for the rest.
export function longText(text, name = 'text') {
  const shown = String(text);
  if (shown.length <= SHOWN) return make('p', { class: name }, shown);
  const held = make('p', { class: name }, `${shown.slice(0, SHOWN)}…`);
  const more = make('button', { type: 'button' }, `Show all ${shown.length.toLocaleString('en')} characters`);
  more.addEventListener('click', () => {
    held.textContent = shown;
    more.remove();
  });
  return make('div', {}, held, more);
}

export const outcomeMark = (outcome) =>
  make('span', { class: `outcome ${outcomeClass(outcome)}` }, words(outcome || 'not judged'));

// Text for the clipboard, with a word that it is there.
export function copyButton(text, label = 'Copy') {
  return make(
    'button',
    {
      type: 'button',
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text());
          say('Copied.');
        } catch {
          say('The browser does not let a page copy here; select the text instead.');
        }
      },
    },
    label,
  );
}

// A function that waits until nobody has called it for a while.
export function settled(milliseconds, work) {
  let timer = null;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}
