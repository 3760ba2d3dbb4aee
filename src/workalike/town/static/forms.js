// What forms and lists do alike on all sites: filters, order, endless scroll, galleries, and the steps towards payment.

export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Filters and order take effect at once; fields left empty stay out of the address.
const send = (form) => {
  for (const field of all('input', form)) {
    if (field.value === '' || field.hasAttribute('data-untouched')) field.disabled = true;
  }
  form.submit();
};
for (const form of all('[data-filters]')) {
  form.addEventListener('change', (event) => {
    event.target.removeAttribute('data-untouched');
    if (event.target.matches('[type=checkbox], [type=radio], [type=range]')) send(form);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
  for (const slider of all('[type=range]', form)) {
    slider.addEventListener('input', () => {
      form.querySelector('[data-slider-text]').textContent = '$' + slider.value;
    });
  }
}
for (const form of all('[data-sort], [data-autosubmit]')) form.addEventListener('change', () => form.submit());

// Who comes: a panel under a button, with counters whose `text` stands on the button.
export function people(form, text) {
  const button = form.querySelector('[data-people]');
  const panel = form.querySelector('[data-people-panel]');
  const label = () => {
    const said = text();
    button.querySelector('b').textContent = said;
    button.setAttribute('aria-label', `${button.dataset.label}: ${said}`);
  };
  for (const row of all('[data-counter]', form)) {
    const field = row.querySelector('input');
    const { least = 0, most = 9 } = row.dataset;
    for (const step of all('[data-by]', row)) {
      step.addEventListener('click', () => {
        const count = Number(field.value) + Number(step.dataset.by);
        field.value = Math.min(Number(most), Math.max(Number(least), count));
        row.querySelector('output').textContent = field.value;
        label();
      });
    }
  }
  button.addEventListener('click', () => {
    panel.hidden = !panel.hidden;
  });
  form.querySelector('[data-people-done]').addEventListener('click', () => {
    panel.hidden = true;
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.hunt-guests')) panel.hidden = true;
  });
  label();
}

// Endless scroll.
for (const end of all('[data-endless]')) {
  const list = document.querySelector('[data-hits]');
  let busy = false;
  new IntersectionObserver(
    async ([seen]) => {
      const next = Number(end.dataset.next);
      if (!seen.isIntersecting || busy || next > Number(end.dataset.pages)) return;
      busy = true;
      const reply = await fetch(end.dataset.query + '&page=' + next, { headers: { 'X-Piece': '1' } });
      list.insertAdjacentHTML('beforeend', await reply.text());
      end.dataset.next = next + 1;
      busy = false;
    },
    { rootMargin: '500px' },
  ).observe(end);
}

// A thumbnail brings its view into the large picture.
for (const gallery of all('[data-gallery]')) {
  const main = gallery.querySelector('img');
  for (const thumb of all('[data-view]', gallery)) {
    thumb.addEventListener('click', () => {
      const address = new URL(main.src);
      address.searchParams.set('view', thumb.dataset.view);
      main.src = address;
    });
  }
}

// A step notes that personal data is being entered, and takes the card from the payment partner's frame.
for (const form of all('[data-step]')) {
  let noted = false;
  const note = () => {
    if (noted) return;
    noted = true;
    fetch(form.dataset.touch, { method: 'POST', keepalive: true }).then((reply) => reply.text());
  };
  for (const field of all('[data-personal]', form)) field.addEventListener('input', note);
  addEventListener('message', (event) => {
    if (!/^http:\/\/pay\.town\.localhost(:\d+)?$/.test(event.origin) || !form.elements.card) return;
    if (typeof event.data.card !== 'string') return;
    note();
    form.elements.card.value = event.data.card;
  });
}
