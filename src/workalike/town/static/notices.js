// Banners and pop-ups: closing one tells the server, so that it stays closed on the next page.
const tell = (path, values) =>
  fetch(path, { method: 'POST', body: new URLSearchParams(values), keepalive: true }).then((reply) => reply.text());

for (const notice of document.querySelectorAll('[data-notice]')) {
  const close = () => {
    notice.remove();
    tell('/-/close', { notice: notice.dataset.notice });
  };
  for (const button of notice.querySelectorAll('[data-close]')) button.addEventListener('click', close);
  for (const form of notice.querySelectorAll('[data-close-form]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const email = form.elements.email.value.trim();
      if (!email) return form.elements.email.focus();
      tell('/-/subscribe', { email });
      close();
    });
  }
}
