// Banners and pop-ups: closing one tells the server, so that it stays closed on the next page.
for (const notice of document.querySelectorAll("[data-notice]")) {
  const close = () => {
    notice.remove();
    fetch("/-/close", { method: "POST", body: new URLSearchParams({ notice: notice.dataset.notice }), keepalive: true });
  };
  for (const button of notice.querySelectorAll("[data-close]")) button.addEventListener("click", close);
  for (const form of notice.querySelectorAll("[data-close-form]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const email = form.elements.email.value.trim();
      if (!email) return form.elements.email.focus();
      fetch("/-/subscribe", { method: "POST", body: new URLSearchParams({ email }), keepalive: true });
      close();
    });
  }
}
