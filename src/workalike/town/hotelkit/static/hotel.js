// What the hotel sites' pages do by themselves: suggestions, the calendar and guests.

import { all } from "./forms.js";

const DAY = 86400000;
const read = (iso) => (iso ? new Date(iso + "T00:00:00Z") : null);
const write = (day) => day.toISOString().slice(0, 10);
const word = (day, options) => day.toLocaleDateString("en-US", { timeZone: "UTC", ...options });
const long = (day) => word(day, { weekday: "long", month: "long", day: "numeric", year: "numeric" });

// Cities and houses under the field as one types.
for (const field of all("[data-where]")) {
  const list = field.closest(".hunt-where").querySelector("[data-suggestions]");
  const hide = () => { list.hidden = true; };
  const choose = (value) => { field.value = value; hide(); };
  field.addEventListener("input", async () => {
    const asked = field.value;
    if (asked.trim().length < 2) return hide();
    const found = await (await fetch("/suggest?q=" + encodeURIComponent(asked))).json();
    if (field.value !== asked || document.activeElement !== field) return;
    list.replaceChildren(...found.map(({ name, value, kind }) => {
      const row = document.createElement("button");
      row.type = "button";
      row.setAttribute("role", "option");
      row.setAttribute("aria-label", name);
      row.append(Object.assign(document.createElement("b"), { textContent: name }), Object.assign(document.createElement("small"), { textContent: kind }));
      row.addEventListener("mousedown", (event) => { event.preventDefault(); choose(value); });
      return row;
    }));
    list.hidden = found.length === 0;
  });
  field.addEventListener("blur", () => setTimeout(hide, 120));
  field.addEventListener("keydown", (event) => { if (event.key === "Escape" || event.key === "Enter") hide(); });
}

// A calendar for two days, two months at a time.
for (const form of all("[data-hunt]")) {
  const box = form.querySelector("[data-calendar]"), months = form.querySelector("[data-months]");
  const today = read(form.dataset.today), last = new Date(today.getTime() + form.dataset.horizon * DAY);
  const full = new Set(form.dataset.full.split(","));
  const buttons = { in: form.querySelector("[data-day=in]"), out: form.querySelector("[data-day=out]") };
  const field = (name) => form.elements[name];
  let choosing = "in", first = null;

  const label = () => {
    for (const [name, button] of Object.entries(buttons)) {
      const day = read(field(name).value);
      button.querySelector("b").textContent = day ? word(day, { weekday: "short", month: "short", day: "numeric" }) : "Add date";
      button.setAttribute("aria-label", `${button.dataset.label}: ${day ? long(day) : "not chosen"}`);
      button.classList.toggle("on", !box.hidden && choosing === name);
    }
    form.querySelector("[data-hint]").textContent = choosing === "in" ? "Choose the first day" : "Choose the last day";
  };
  const pick = (day) => {
    const iso = write(day), arrive = field("in").value;
    if (choosing === "out" && arrive && iso > arrive) {
      field("out").value = iso;
      box.hidden = true;
    } else {
      field("in").value = iso;
      if (field("out").value <= iso) field("out").value = "";
      choosing = "out";
    }
    draw();
  };
  const cell = (day) => {
    const iso = write(day), button = document.createElement("button");
    const gone = full.has(iso) && !(choosing === "out" && field("in").value < iso && field("in").value);
    Object.assign(button, { type: "button", textContent: day.getUTCDate(), disabled: day < today || day > last || gone });
    button.setAttribute("aria-label", long(day) + (full.has(iso) ? ", sold out" : ""));
    if (iso === form.dataset.today) button.setAttribute("aria-current", "date");
    const ends = [field("in").value, field("out").value];
    if (full.has(iso)) button.classList.add("full");
    if (ends.includes(iso)) { button.classList.add("end"); button.setAttribute("aria-pressed", "true"); }
    else if (ends[0] && ends[1] && iso > ends[0] && iso < ends[1]) button.classList.add("between");
    button.addEventListener("click", (event) => { event.stopPropagation(); pick(day); });
    return button;
  };
  const month = (start) => {
    const part = document.createElement("div"), grid = document.createElement("div");
    grid.className = "calendar-grid";
    part.append(Object.assign(document.createElement("h4"), { textContent: word(start, { month: "long", year: "numeric" }) }), grid);
    for (const name of ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"]) grid.append(Object.assign(document.createElement("span"), { textContent: name }));
    for (let blank = 0; blank < start.getUTCDay(); blank++) grid.append(document.createElement("i"));
    for (let day = new Date(start); day.getUTCMonth() === start.getUTCMonth(); day = new Date(day.getTime() + DAY)) grid.append(cell(day));
    return part;
  };
  const draw = () => {
    label();
    if (box.hidden) return;
    const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
    months.replaceChildren(month(first), month(next));
    form.querySelector("[data-turn='-1']").disabled = first <= today;
    form.querySelector("[data-turn='1']").disabled = next > last;
  };
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => {
      const same = !box.hidden && choosing === name;
      choosing = name === "out" && !field("in").value ? "in" : name;
      const from = read(field(name).value) || read(field("in").value) || today;
      if (box.hidden) first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1));
      box.hidden = same;
      draw();
    });
  }
  for (const turn of all("[data-turn]", form)) {
    turn.addEventListener("click", (event) => {
      event.stopPropagation();
      first = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + Number(turn.dataset.turn), 1));
      draw();
    });
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".hunt-days") && !box.hidden) { box.hidden = true; label(); }
  });
  label();
}

// Guests and rooms.
for (const form of all("[data-hunt]")) {
  const button = form.querySelector("[data-people]"), panel = form.querySelector("[data-people-panel]");
  const many = (count, one, more) => `${count} ${count === "1" ? one : more}`;
  const label = () => {
    const { adults, children, rooms } = form.elements;
    const text = [many(adults.value, "adult", "adults"), many(children.value, "child", "children"), many(rooms.value, "room", "rooms")].join(", ");
    button.querySelector("b").textContent = text;
    button.setAttribute("aria-label", `${button.dataset.label}: ${text}`);
  };
  for (const row of all("[data-counter]", form)) {
    const field = row.querySelector("input"), shown = row.querySelector("output");
    for (const step of all("[data-by]", row)) {
      step.addEventListener("click", () => {
        field.value = Math.min(9, Math.max(Number(row.dataset.least), Number(field.value) + Number(step.dataset.by)));
        shown.textContent = field.value;
        label();
      });
    }
  }
  button.addEventListener("click", () => { panel.hidden = !panel.hidden; });
  form.querySelector("[data-people-done]").addEventListener("click", () => { panel.hidden = true; });
  document.addEventListener("click", (event) => { if (!event.target.closest(".hunt-guests")) panel.hidden = true; });
  label();
}
