// Actions drawn over a screenshot: a ring for a click, an arrow for a drag or scroll, a dashed box for what was hit.
const SVG = "http://www.w3.org/2000/svg";
const SIDE = 1000;

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const place = ([x, y]) => [x * SIDE, y * SIDE];

// The drawing is stretched over the picture, so a circle is an ellipse with its radii corrected for the aspect.
function ring([x, y], radius, aspect, names) {
  return names.map((name) => shape("ellipse", { cx: x, cy: y, rx: radius, ry: radius * aspect, class: name }));
}

function line(points, name) {
  return shape("polyline", { points: points.map((point) => point.join(",")).join(" "), class: name });
}

function arrow(points, aspect) {
  const [from, to] = points.slice(-2);
  const angle = Math.atan2((to[1] - from[1]) / aspect, to[0] - from[0]);
  const wings = [2.6, -2.6].map((turn) => [to[0] + 14 * Math.cos(angle + turn), to[1] + 14 * Math.sin(angle + turn) * aspect]);
  return [line(points, "halo"), line(points, "mark"), line([wings[0], to, wings[1]], "mark")];
}

function drawOne(action, aspect) {
  const spot = action.at ?? action.to;
  if (action.do === "drag") {
    const points = [action.start, ...action.path].filter(Boolean).map(place);
    return [...(points.length > 1 ? arrow(points, aspect) : []), ...ring(points[0], 5, aspect, ["spot"])];
  }
  if (action.do === "scroll") {
    const from = place(spot ?? [0.5, 0.5]);
    const down = Math.sign(action.dy ?? 0), right = Math.sign(action.dx ?? 0);
    return arrow([from, [from[0] + 60 * right, from[1] + 60 * down * aspect]], aspect);
  }
  if (!spot) return [];
  const rings = Array.from({ length: action.count ?? 1 }, (_, index) => ring(place(spot), 10 + 6 * index, aspect, ["halo", "mark"]));
  return [...rings.flat(), ...ring(place(spot), 2.5, aspect, ["spot"])];
}

function box([x, y, width, height]) {
  return shape("rect", { x: x * SIDE, y: y * SIDE, width: width * SIDE, height: height * SIDE, class: "hit" });
}

export function drawActions(svg, taken, observation) {
  const aspect = observation.size ? observation.size[0] / observation.size[1] : 1.6;
  const shapes = taken.flatMap(({ action, hit }) => [...(hit?.box ? [box(hit.box)] : []), ...drawOne(action, aspect)]);
  svg.replaceChildren(...shapes);
  for (const label of svg.parentElement.querySelectorAll(".number")) label.remove();
  if (taken.length < 2) return;
  for (const [index, { action }] of taken.entries()) {
    const spot = action.at ?? action.to ?? action.start ?? action.path?.[0];
    if (!spot) continue;
    const label = document.createElement("span");
    label.className = "number";
    label.textContent = index + 1;
    label.style.left = `${spot[0] * 100}%`;
    label.style.top = `${spot[1] * 100}%`;
    svg.parentElement.append(label);
  }
}
