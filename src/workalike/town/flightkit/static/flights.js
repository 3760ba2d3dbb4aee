// What the pages with flights do by themselves.

import { all } from "./forms.js";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const iso = (day) => `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
const read = (text) => { const [year, month, day] = text.split("-").map(Number); return new Date(year, month - 1, day); };
const long = (day) => `${DAYS[day.getDay()]}, ${MONTHS[day.getMonth()]} ${day.getDate()}, ${day.getFullYear()}`;
const short = (day) => `${DAYS[day.getDay()].slice(0, 3)}, ${MONTHS[day.getMonth()].slice(0, 3)} ${day.getDate()}`;

// Suggestions for cities.
for (const place of all("[data-place]")) {
  const field = place.querySelector("input"), list = place.querySelector("[data-options]");
  const hide = () => { list.hidden = true; field.setAttribute("aria-expanded", "false"); };
  const take = (label) => { field.value = label; hide(); field.dispatchEvent(new Event("change", { bubbles: true })); };
  field.addEventListener("input", async () => {
    const asked = field.value;
    if (!asked.trim()) return hide();
    const found = await (await fetch("/suggest?q=" + encodeURIComponent(asked))).json();
    if (field.value !== asked || document.activeElement !== field) return;
    list.replaceChildren(...found.map(({ label, land }) => {
      const row = document.createElement("button");
      Object.assign(row, { type: "button", textContent: label });
      row.setAttribute("role", "option");
      row.setAttribute("aria-label", label);
      row.append(Object.assign(document.createElement("small"), { textContent: land }));
      row.addEventListener("mousedown", (event) => { event.preventDefault(); take(label); });
      return row;
    }));
    list.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
  });
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", () => setTimeout(hide, 120));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const first = list.querySelector("button");
    if (event.key === "Enter" && !list.hidden && first) { event.preventDefault(); take(first.getAttribute("aria-label")); }
  });
}

// Panels under a button; only one is open.
const pops = all(".pop");
const shut = (except) => { for (const pop of pops) if (pop !== except) pop.querySelector("[data-panel]").hidden = true; };
for (const pop of pops) {
  const panel = pop.querySelector("[data-panel]");
  pop.querySelector("[data-open]").addEventListener("click", () => { shut(pop); panel.hidden = !panel.hidden; });
  for (const done of all("[data-done]", pop)) done.addEventListener("click", () => { panel.hidden = true; });
}
document.addEventListener("click", (event) => { if (event.target.isConnected && !event.target.closest(".pop")) shut(); });
const say = (pop, text) => {
  pop.querySelector("[data-text]").textContent = text;
  pop.querySelector("[data-open]").setAttribute("aria-label", `${pop.dataset.label}: ${text}`);
};

// The calendar: two months side by side; a day for one way, a first and a last one for a round trip.
for (const form of all("[data-finder]")) {
  const pop = form.querySelector("[data-dates]"), panel = pop.querySelector("[data-panel]");
  const depart = form.elements.depart, back = form.elements.return;
  const today = read(form.dataset.today);
  const last = new Date(today.getFullYear(), today.getMonth(), today.getDate() + Number(form.dataset.horizon));
  const start = depart.value ? read(depart.value) : today;
  let shown = new Date(start.getFullYear(), start.getMonth(), 1), half = false, full = [];
  const single = () => form.elements.trip.value === "single";
  const text = () => {
    if (!depart.value) return single() ? "Choose a day" : "Choose dates";
    if (single()) return short(read(depart.value));
    return `${short(read(depart.value))} – ${back.value ? short(read(back.value)) : "return"}`;
  };
  const pick = (day) => {
    if (single()) { depart.value = day; back.value = ""; panel.hidden = true; }
    else if (!half || day < depart.value) { depart.value = day; back.value = ""; half = true; }
    else { back.value = day; half = false; panel.hidden = true; }
    draw();
  };
  const month = (first) => {
    const box = Object.assign(document.createElement("div"), { className: "month" });
    box.append(Object.assign(document.createElement("h3"), { textContent: `${MONTHS[first.getMonth()]} ${first.getFullYear()}` }));
    const grid = Object.assign(document.createElement("div"), { className: "days" });
    grid.append(...["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"].map((name) => Object.assign(document.createElement("span"), { textContent: name })));
    for (let blank = 0; blank < first.getDay(); blank++) grid.append(document.createElement("i"));
    for (let day = new Date(first); day.getMonth() === first.getMonth(); day.setDate(day.getDate() + 1)) {
      const name = iso(day), button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: day.getDate(), disabled: day <= today || day > last });
      button.setAttribute("aria-label", long(day));
      if (name === depart.value || name === back.value) { button.className = "on"; button.setAttribute("aria-pressed", "true"); }
      else if (back.value && name > depart.value && name < back.value) button.className = "between";
      if (full.includes(name)) { button.classList.add("full"); button.title = "Nonstop flights sold out"; }
      button.addEventListener("click", () => pick(name));
      grid.append(button);
    }
    box.append(grid);
    return box;
  };
  const turn = (by, name, mark) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "turn", textContent: mark });
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => { shown = new Date(shown.getFullYear(), shown.getMonth() + by, 1); draw(); });
    return button;
  };
  const draw = () => {
    const next = new Date(shown.getFullYear(), shown.getMonth() + 1, 1);
    const months = Object.assign(document.createElement("div"), { className: "months" });
    months.append(month(shown), month(next));
    const foot = Object.assign(document.createElement("p"), { className: "calendar-foot muted", textContent: full.length ? "Crossed out: nonstop flights sold out" : "Choose your days" });
    panel.replaceChildren(turn(-1, "Previous month", "‹"), turn(1, "Next month", "›"), months, foot);
    say(pop, text());
  };
  form.addEventListener("change", async (event) => {
    if (event.target.name === "trip") { if (single()) back.value = ""; half = Boolean(depart.value) && !single(); draw(); }
    if (event.target.name === "from" || event.target.name === "to") {
      const query = new URLSearchParams({ from: form.elements.from.value, to: form.elements.to.value });
      full = await (await fetch("/days?" + query)).json();
      draw();
    }
  });
  form.addEventListener("submit", () => { if (!back.value) back.disabled = true; for (const radio of all("[name=trip]", form)) radio.disabled = true; });
  draw();

  const people = form.querySelector("[data-people]");
  const tell = () => {
    const adults = Number(form.elements.adults.value), children = Number(form.elements.children.value);
    const parts = [`${adults} ${adults === 1 ? "adult" : "adults"}`];
    if (children) parts.push(`${children} ${children === 1 ? "child" : "children"}`);
    say(people, parts.join(", "));
  };
  for (const button of all("[data-by]", people)) {
    button.addEventListener("click", () => {
      const field = form.elements[button.dataset.of], other = form.elements[button.dataset.of === "adults" ? "children" : "adults"];
      const least = button.dataset.of === "adults" ? 1 : 0;
      const count = Number(field.value) + Number(button.dataset.by);
      if (count < least || count + Number(other.value) > 6) return;
      field.value = count;
      people.querySelector(`[data-count=${button.dataset.of}]`).textContent = count;
      tell();
    });
  }
  tell();
}

// No more seats than travellers.
for (const map of all("[data-seats]")) {
  const most = Number(map.dataset.seats);
  map.addEventListener("change", (event) => {
    const chosen = all("input:checked", map);
    if (chosen.length <= most) return;
    if (most === 1) { for (const each of chosen) if (each !== event.target) each.checked = false; }
    else event.target.checked = false;
  });
}
