// A trajectory in a page of its own: everything it shows stands in the page itself.
import { make } from 'viewer/page.js';
import { TrajectoryView } from 'viewer/trajectory.js';

const { told, pictures, elements, exchanges } = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');
const room = make('div', { class: 'page page-trajectory' });
const source = {
  picture: (name) => pictures[name] ?? null,
  elements: async (step) => elements[step] ?? [],
  tree: async () => null,
  exchange: async (step) =>
    (exchanges.steps[step] ?? []).map((each) => ({
      ...each,
      request: { ...each.request, messages: each.request.messages.map((place) => exchanges.messages[place]) },
    })),
};
main.replaceChildren(room);
document.getElementById('crumbs').append(make('span', {}, told.trajectory.id));
const view = new TrajectoryView(room, told, source, { saved: true });
view.onstep = (index) => history.replaceState(null, '', `#${index + 1}`);
view.go((Number(location.hash.slice(1)) || 1) - 1);
window.addEventListener('hashchange', () => view.go((Number(location.hash.slice(1)) || 1) - 1));
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input:not([type=checkbox]), textarea');
  const [work] = view.keys[event.key] ?? (event.key === '/' ? [() => view.search.focus()] : []);
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !work) return;
  event.preventDefault();
  work(event);
});
