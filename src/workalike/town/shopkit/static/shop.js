// What the shops' pages do by themselves. Everything still works, less comfortably, without it.

import { all } from './forms.js';
import { link, suggest } from './suggest.js';

// Suggestions under the search field.
for (const form of all('[data-search]')) {
  const list = form.querySelector('[data-suggestions]');
  suggest(form.querySelector('input[name=q]'), list, ({ name, path }) => link(name, path));
}

// Parts that come when one scrolls to them.
for (const part of all('[data-lazy]')) {
  const watch = new IntersectionObserver(
    async ([seen]) => {
      if (!seen.isIntersecting) return;
      watch.disconnect();
      part.innerHTML = await (await fetch(part.dataset.lazy, { headers: { 'X-Piece': '1' } })).text();
    },
    { rootMargin: '150px' },
  );
  watch.observe(part);
}

// Choosing a variant: its picture, whether it is in stock.
for (const form of all('[data-buy]')) {
  const stock = form.querySelector('[data-stock]');
  const main = document.querySelector('[data-main]');
  const notify = document.querySelector('[data-notify]');
  const fields = ['first', 'second'].filter((name) => form.elements[name]);
  const value = (name) => (form.elements[name] ? form.elements[name].value : '');
  const show = async () => {
    for (const box of all('[data-option]', form)) {
      const chosen = box.querySelector('[data-chosen]');
      if (chosen) chosen.textContent = value(box.dataset.option);
    }
    const colour = value('first');
    if (main && colour) main.src = `/pic/${form.dataset.slug}.svg?color=${encodeURIComponent(colour)}`;
    if (!fields.length || fields.some((name) => !value(name))) return;
    const asked = new URLSearchParams(fields.map((name) => [name, value(name)]));
    const reply = await fetch(`/p/${form.dataset.slug}/stock?${asked}`, { headers: { 'X-Piece': '1' } });
    const { text, left } = await reply.json();
    if (fields.some((name) => value(name) !== asked.get(name))) return;
    stock.textContent = text;
    stock.toggleAttribute('data-out', left === 0);
    form.querySelector('[data-add]').disabled = left === 0;
    notify.hidden = left !== 0;
    notify.elements.first.value = value('first');
    notify.elements.second.value = value('second');
  };
  form.addEventListener('change', show);
  show();
}
for (const stepper of all('[data-stepper]')) {
  const [less, more] = all('button', stepper),
    field = stepper.querySelector('input');
  const set = (by) => {
    field.value = Math.min(10, Math.max(1, (parseInt(field.value, 10) || 1) + by));
  };
  less.addEventListener('click', () => set(-1));
  more.addEventListener('click', () => set(1));
}

// A counter as a widget with a shadow tree of its own, which takes part in its form.
customElements.define(
  'qty-stepper',
  class extends HTMLElement {
    static formAssociated = true;
    constructor() {
      super();
      this.inside = this.attachInternals();
      this.count = 1;
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = `<style>
      :host { display: inline-flex; border: 1px solid #111; height: 46px; align-items: stretch; }
      button { width: 44px; border: 0; background: #fff; font: 20px/1 "Source Sans Pro", sans-serif; cursor: pointer; }
      output { width: 44px; display: grid; place-items: center; font: 600 16px "Source Sans Pro", sans-serif; }
      output { border-inline: 1px solid #ddd; }
    </style><button type="button" aria-label="Decrease quantity">−</button><output
      role="spinbutton" aria-label="Quantity" tabindex="0">1</output><button
      type="button" aria-label="Increase quantity">+</button>`;
      const [less, more] = root.querySelectorAll('button');
      less.addEventListener('click', () => this.set(this.count - 1));
      more.addEventListener('click', () => this.set(this.count + 1));
    }
    connectedCallback() {
      this.set(1);
    }
    set(count) {
      this.count = Math.min(Number(this.getAttribute('max') || 10), Math.max(1, count));
      const output = this.shadowRoot.querySelector('output');
      output.textContent = this.count;
      output.setAttribute('aria-valuenow', this.count);
      this.inside.setFormValue(String(this.count));
    }
  },
);
