// What is typed is noted at once, whether it is ever sent or not.
for (const form of document.querySelectorAll('[data-typed]')) {
  let noted = false;
  form.addEventListener('input', () => {
    if (noted) return;
    noted = true;
    fetch(form.dataset.typed, { method: 'POST', keepalive: true }).then((reply) => reply.text());
  });
}
