// Suggestions under the search field.
const form = document.querySelector(".box"), field = form.elements.q, list = form.querySelector("[data-guesses]");
field.addEventListener("input", async () => {
  const asked = field.value;
  if (asked.trim().length < 2) { list.hidden = true; return; }
  const found = await (await fetch("/suggest?q=" + encodeURIComponent(asked))).json();
  if (field.value !== asked) return;
  list.replaceChildren(...found.map((text) => {
    const link = Object.assign(document.createElement("a"), { href: "/?q=" + encodeURIComponent(text), textContent: text });
    link.setAttribute("role", "option");
    return link;
  }));
  list.hidden = found.length === 0;
});
field.addEventListener("blur", () => setTimeout(() => { list.hidden = true; }, 150));
