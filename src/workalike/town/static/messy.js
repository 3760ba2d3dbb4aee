// A strip that comes in while the page is still loading, and moves everything below it.
const LATE = 250;
const strip = document.querySelector('[data-late]');

setTimeout(() => document.body.prepend(strip.content.cloneNode(true)), LATE);
