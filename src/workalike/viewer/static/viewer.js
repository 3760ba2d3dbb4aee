// The viewer's page. Whatever came off a web page or out of a model is put in as text, never as markup.
import { drawActions } from "/static/draw.js";

const at = (id) => document.getElementById(id);
const state = { entries: [], shown: [], entry: 0, trajectory: null, step: 0, marks: true };

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()) || `${path}: ${answer.status}`);
  return answer.json();
}

const outcomeClass = (outcome) => (outcome === "success" ? "success" : outcome === "failure" ? "failure" : "other");
const words = (name) => (name ?? "").replaceAll("_", " ");
const picture = (ref) => `/picture/${state.entry}/${encodeURIComponent(ref.name)}`;

function showList() {
  const wanted = at("search").value.trim().toLowerCase();
  state.shown = state.entries.filter((entry) =>
    [entry.id, entry.instruction, entry.category, entry.outcome, entry.stop].join(" ").toLowerCase().includes(wanted));
  at("count").textContent = `${state.shown.length} of ${state.entries.length}`;
  at("attempts").replaceChildren(...state.shown.map((entry) =>
    make("button", { "data-index": entry.index, "aria-current": entry.index === state.entry, onclick: () => go(entry.index) },
      make("span", { class: "ask" }, entry.instruction || entry.id),
      make("small", {},
        make("span", { class: `outcome ${outcomeClass(entry.outcome)}` }, words(entry.outcome || entry.stop || "unfinished")),
        make("span", {}, entry.category ?? ""),
        make("span", {}, `${entry.steps} steps`)))));
}

async function go(index, step = 0) {
  state.entry = index;
  state.trajectory = await fetchJson(`/api/attempt/${index}`);
  state.frames = [...state.trajectory.steps.map((one) => one), ...(state.trajectory.final ? [{ observation: state.trajectory.final, ending: true }] : [])];
  for (const button of at("attempts").children) {
    const current = Number(button.dataset.index) === index;
    button.setAttribute("aria-current", current);
    if (current) button.scrollIntoView({ block: "nearest" });
  }
  showSummary();
  showFilm();
  showStep(Math.min(step, state.frames.length - 1));
}

function showSummary() {
  const { task, stop, verdicts } = state.trajectory;
  const verdictTexts = (verdicts ?? []).map((verdict) =>
    make("p", {}, make("span", { class: `outcome ${outcomeClass(verdict.outcome)}` }, words(verdict.outcome)),
      ` by ${verdict.verifier}`, verdict.reason ? `: ${verdict.reason}` : ""));
  at("summary").replaceChildren(
    make("p", {}, task.instruction),
    make("p", { class: "quiet" }, [task.id, task.category, stop ? `${words(stop.reason)}${stop.detail ? ` (${stop.detail})` : ""}` : "unfinished"].filter(Boolean).join(" · ")),
    ...verdictTexts);
}

function showFilm() {
  at("film").replaceChildren(...state.frames.map((frame, index) =>
    make("button", { onclick: () => showStep(index), title: describe(frame) },
      frame.observation.picture ? make("img", { loading: "lazy", src: picture(frame.observation.picture), alt: "" }) : null,
      make("span", {}, `${frame.ending ? "end" : index + 1} ${describe(frame)}`))));
}

const describe = (frame) => (frame.actions ?? []).map((taken) => words(taken.action.do)).join(", ");

function showStep(index) {
  if (index < 0 || index >= state.frames.length) return;
  state.step = index;
  const frame = state.frames[index];
  for (const [position, button] of [...at("film").children].entries()) {
    button.setAttribute("aria-current", position === index);
    if (position === index) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const ref = frame.observation.picture;
  at("frame").hidden = !ref;
  at("nothing").hidden = Boolean(ref);
  if (ref) at("shot").src = picture(ref);
  drawActions(at("marks"), state.marks ? frame.actions ?? [] : [], frame.observation);
  at("details").replaceChildren(...details(frame));
  history.replaceState(null, "", `#${state.entry}/${index}`);
}

function* details(frame) {
  const seen = frame.observation;
  yield* section("Where", [seen.title, seen.url ?? seen.window, seen.size ? `${seen.size[0]}×${seen.size[1]}${seen.scale && seen.scale !== 1 ? ` at ${seen.scale}×` : ""}` : null].filter(Boolean).join("\n"));
  if (seen.dialog) yield* section(`Open ${seen.dialog.kind}`, seen.dialog.message);
  if (frame.ending) yield* section("The end", "What the screen showed after the last action.");
  if ((frame.actions ?? []).length) {
    yield make("h2", {}, "Done");
    yield* frame.actions.map(describeTaken);
  }
  yield* section("Observation", frame.observation_text);
  yield* section("Thought", frame.thought);
  yield* section("Action", frame.action_text);
  yield* section("Reflection", frame.reflection);
  yield* section("Reply", frame.reply);
  if ((frame.notices ?? []).length) yield* section("Noticed", frame.notices.map((notice) => `${notice.kind}: ${notice.text}`).join("\n"));
  if (frame.usage) yield* section("Model", `${frame.usage.input_tokens ?? 0} tokens in, ${frame.usage.output_tokens ?? 0} out${frame.usage.cost === null ? ", cost unknown" : frame.usage.cost ? `, $${frame.usage.cost.toFixed(4)}` : ""}`);
}

function* section(title, text) {
  if (!text) return;
  yield make("h2", {}, title);
  yield make("p", { class: "text" }, text);
}

function describeTaken(taken, index) {
  const { do: name, ...fields } = taken.action;
  const hit = taken.hit ? `on ${taken.hit.role}${taken.hit.name ? ` “${taken.hit.name}”` : ""}` : "";
  return make("div", { class: "action" },
    make("strong", {}, `${index + 1}. ${words(name)} `), hit, make("br"),
    make("code", {}, Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join("  ")),
    taken.result ? make("div", { class: "text quiet" }, taken.result) : null,
    taken.error ? make("div", { class: "error" }, taken.error) : null);
}

function step(offset) { showStep(state.step + offset); }

function sibling(offset) {
  const place = state.shown.findIndex((entry) => entry.index === state.entry);
  const next = state.shown[place + offset];
  if (next) go(next.index);
}

const KEYS = {
  ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => sibling(1), ArrowUp: () => sibling(-1),
  Home: () => showStep(0), End: () => showStep(state.frames.length - 1),
  m: () => { state.marks = !state.marks; showStep(state.step); },
};

document.addEventListener("keydown", (event) => {
  if (event.target === at("search") || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
at("search").addEventListener("input", showList);

async function start() {
  const { name, entries } = await fetchJson("/api/attempts");
  document.title = `${name} · Workalike`;
  at("where").textContent = name;
  state.entries = entries;
  const [, entry, frame] = /^#(\d+)\/(\d+)$/.exec(location.hash) ?? [];
  state.entry = Number(entry ?? entries[0]?.index ?? 0);
  showList();
  if (entries.length) await go(state.entry, Number(frame ?? 0));
  else at("summary").textContent = "There is nothing here yet.";
}

start().catch((error) => { at("summary").textContent = error.message; });
