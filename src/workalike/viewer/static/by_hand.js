// The questions that wait for a person who is the model, and a box for the reply.
import { api, every, getJson, make, plural, say } from 'viewer/page.js';

const EVERY_MS = 1000;

export async function show(main, route) {
  const [key] = route.args;
  let shown = null;
  const state = make('p', { id: 'state', role: 'status', class: 'quiet' }, 'Looking for questions …');
  const list = make('ol', { id: 'list' });
  const title = make('h2', { id: 'title' });
  const pictures = make('div', { id: 'pictures' });
  const text = make('pre', { id: 'text', tabindex: '0', 'aria-label': 'The question' });
  const reply = make('textarea', { id: 'reply', rows: '14', spellcheck: 'false' });
  const send = make('button', { type: 'submit', class: 'primary' }, 'Send the reply');
  const form = make(
    'form',
    { id: 'form', hidden: true },
    make('label', { for: 'reply' }, 'Your reply, as the model would write it'),
    reply,
    send,
  );
  main.append(
    make('h1', {}, 'Questions by hand'),
    state,
    make(
      'div',
      { class: 'asked' },
      make('nav', { 'aria-label': 'Questions that wait' }, list),
      make('section', { 'aria-live': 'polite' }, title, pictures, text, form),
    ),
  );

  const address = (place, name) => `/asked/${encodeURIComponent(key)}?${new URLSearchParams({ place, name })}`;

  async function open(place) {
    const question = await getJson(api('question', key, { place }));
    shown = place;
    title.textContent = place;
    text.textContent = question.text;
    text.hidden = false;
    const images = question.pictures.map((name) =>
      make('img', { src: address(place, name), alt: `Picture ${name} of the question` }),
    );
    pictures.replaceChildren(...images);
    form.hidden = false;
    for (const button of list.querySelectorAll('button')) {
      button.setAttribute('aria-current', String(button.textContent === place));
    }
  }

  function clear() {
    shown = null;
    title.textContent = '';
    text.textContent = '';
    text.hidden = true;
    pictures.replaceChildren();
    reply.value = '';
    form.hidden = true;
  }

  async function look() {
    try {
      const places = await getJson(api('questions', key));
      if (shown !== null && !places.includes(shown)) clear();
      if (shown === null && places.length) await open(places[0]);
      list.replaceChildren(
        ...places.map((place) =>
          make(
            'li',
            {},
            make(
              'button',
              { type: 'button', 'aria-current': String(place === shown), onclick: () => open(place) },
              place,
            ),
          ),
        ),
      );
      state.textContent = places.length === 1 ? '1 question waits' : `${plural(places.length, 'question')} wait`;
    } catch (error) {
      state.textContent = error.message;
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!reply.value.trim() || shown === null) return;
    const answer = await fetch(api('reply', key, { place: shown }), { method: 'POST', body: reply.value });
    if (answer.ok) clear();
    else say(await answer.text());
    await look();
  });

  clear();
  await look();
  return { title: 'Questions by hand', close: every(EVERY_MS, look) };
}
