// The menu goes by arrow keys, as menus do; and a page tells the county once that something was pressed with a pointer.
for (const menu of document.querySelectorAll('[data-menu]')) {
  const button = menu.querySelector('button');
  const list = menu.querySelector('[role=menu]');
  const items = [...menu.querySelectorAll('[role=menuitem]')];

  const open = (is) => {
    list.hidden = !is;
    button.setAttribute('aria-expanded', String(is));
  };
  const go = (by) => {
    const at = items.indexOf(document.activeElement);
    items[(at + by + items.length) % items.length].focus();
  };
  button.addEventListener('click', (event) => {
    open(list.hidden);
    if (!list.hidden && event.detail === 0) items[0].focus();
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      open(false);
      button.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const first = list.hidden || document.activeElement === button;
      open(true);
      first ? items.at(event.key === 'ArrowDown' ? 0 : -1).focus() : go(event.key === 'ArrowDown' ? 1 : -1);
    }
  });
  menu.addEventListener('focusout', (event) => {
    if (!menu.contains(event.relatedTarget)) open(false);
  });
}

addEventListener(
  'pointerdown',
  () => {
    const body = new URLSearchParams({ path: location.pathname });
    fetch('/access/pointer', { method: 'POST', body, keepalive: true }).then((reply) => reply.text());
  },
  { capture: true, once: true },
);
