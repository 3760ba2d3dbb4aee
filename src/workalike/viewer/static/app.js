// The frame round every page: which page an address means, the keys, light and dark.
import { make, say } from 'viewer/page.js';

const PAGES = {
  '': 'viewer/home.js',
  run: 'viewer/run.js',
  dataset: 'viewer/dataset.js',
  trajectory: 'viewer/trajectory.js',
  compare: 'viewer/compare.js',
  questions: 'viewer/by_hand.js',
  review: 'viewer/review.js',
  queue: 'viewer/queue.js',
};

const main = document.getElementById('main');
let shown = { name: null, page: {} };
let turn = 0;

function routeOf(hash) {
  const [path, asked = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: parts[0], args: parts.slice(1), query: new URLSearchParams(asked) };
}

function crumbs(list) {
  const items = list.map(([text, href]) => (href ? make('a', { href }, text) : make('span', {}, text)));
  document.getElementById('crumbs').replaceChildren(...items);
}

function complain(error) {
  main.replaceChildren(
    make('section', { class: 'complaint' }, make('h1', {}, 'That cannot be shown'), make('p', {}, error.message)),
  );
  crumbs([]);
}

async function show() {
  const route = routeOf(location.hash);
  if (location.hash === '#main') return;
  if (shown.name === route.name && shown.page.update && (await shown.page.update(route))) return;
  const mine = (turn += 1);
  shown.page.close?.();
  shown = { name: route.name, page: {} };
  main.replaceChildren(make('p', { class: 'loading quiet' }, 'Loading …'));
  try {
    const module = await import(Object.hasOwn(PAGES, route.name) ? PAGES[route.name] : PAGES['']);
    const room = make('div', { class: `page page-${route.name || 'home'}` });
    const page = (await module.show(room, route)) ?? {};
    if (mine !== turn) {
      page.close?.();
      return;
    }
    shown = { name: route.name, page };
    main.replaceChildren(room);
    document.title = page.title ? `${page.title} · Workalike` : 'Workalike';
    crumbs(page.crumbs ?? []);
    page.ready?.();
  } catch (error) {
    if (mine === turn) complain(error);
  }
}

const OWN_KEYS = {
  '?': [showKeys, 'what the keys do'],
  '/': [toSearch, 'to the search'],
  h: [() => (location.hash = '#/'), 'the first page'],
};

function toSearch() {
  const field = main.querySelector('input[type=search]');
  if (field) {
    field.focus();
    field.select();
  } else say('There is nothing to search on this page.');
}

function showKeys() {
  const dialog = document.getElementById('keys');
  if (dialog.open) return dialog.close();
  const rows = Object.entries({ ...(shown.page.keys ?? {}), ...OWN_KEYS }).map(([key, [, text]]) =>
    make('tr', {}, make('th', { scope: 'row' }, make('kbd', {}, key === ' ' ? 'Space' : key)), make('td', {}, text)),
  );
  const close = make('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const table = make('table', {}, make('tbody', {}, rows));
  dialog.replaceChildren(make('h2', { id: 'keys-title' }, 'Keys'), table, close);
  return dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.(
    'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select',
  );
  if (typing && event.key === 'Escape') event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const open = document.getElementById('keys').open;
  const [work] = (open ? null : shown.page.keys?.[event.key]) ?? OWN_KEYS[event.key] ?? [];
  if (!work || (open && event.key !== '?')) return;
  if (event.target.matches?.('input[type=range]') && event.key.startsWith('Arrow')) return;
  event.preventDefault();
  work(event);
});

const LOOKS = ['auto', 'light', 'dark'];
function look(name) {
  document.documentElement.dataset.look = name;
  document.getElementById('look').textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[name];
}
function kept() {
  try {
    return localStorage.getItem('look');
  } catch {
    return null;
  }
}
look(LOOKS.includes(kept()) ? kept() : 'auto');
document.getElementById('look').addEventListener('click', () => {
  const next = LOOKS[(LOOKS.indexOf(document.documentElement.dataset.look) + 1) % LOOKS.length];
  look(next);
  try {
    localStorage.setItem('look', next);
  } catch {
    say('The browser does not let a page remember this.');
  }
});
document.getElementById('help').addEventListener('click', showKeys);
window.addEventListener('hashchange', show);
await show();
