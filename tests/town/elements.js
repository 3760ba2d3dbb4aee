// The elements in view of one frame: what a person could act on, with role, name, value, box and states.
() => {
  const found = [];
  const ROLES = { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", SUMMARY: "button", OPTION: "option" };
  const INPUTS = { checkbox: "checkbox", radio: "radio", range: "slider", submit: "button", button: "button", search: "searchbox", number: "spinbutton" };
  const role = (e) => e.getAttribute("role") || (e.tagName === "INPUT" ? INPUTS[e.type] || "textbox" : ROLES[e.tagName]);
  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  const name = (e) => {
    const labelled = e.getAttribute("aria-labelledby");
    if (labelled) return clean(labelled.split(" ").map((id) => e.getRootNode().getElementById(id)?.textContent).join(" "));
    if (e.getAttribute("aria-label")) return clean(e.getAttribute("aria-label"));
    if (e.labels?.length) {
      const copy = e.labels[0].cloneNode(true);
      copy.querySelectorAll("select, input, textarea").forEach((x) => x.remove());
      return clean(copy.textContent);
    }
    const alt = e.querySelector?.("img[alt]:not([alt=''])")?.alt;
    return clean(e.innerText || e.value || alt || e.placeholder || e.title);
  };
  const states = (e) => {
    const all = [];
    if (e.disabled || e.getAttribute("aria-disabled") === "true") all.push("disabled");
    for (const s of ["checked", "selected", "pressed", "expanded"]) if (e.getAttribute("aria-" + s) === "true") all.push(s);
    if (e.checked) all.push("checked");
    if (e.ownerDocument.activeElement === e) all.push("focused");
    return all;
  };
  const hit = (e, x, y) => {
    let at = document.elementFromPoint(x, y);
    while (at?.shadowRoot) { const inner = at.shadowRoot.elementFromPoint(x, y); if (!inner || inner === at) break; at = inner; }
    for (let n = at; n; n = n.parentNode || n.host) if (n === e || (n.tagName === "LABEL" && n.control === e)) return true;
    return false;
  };
  const walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) walk(e.shadowRoot);
      const r = role(e);
      if (!r || e.type === "hidden") continue;
      const b = e.getBoundingClientRect();
      const x = b.x + b.width / 2, y = b.y + b.height / 2;
      if (b.width < 1 || b.height < 1 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || !hit(e, x, y)) continue;
      const value = e.tagName === "SELECT" ? clean(e.selectedOptions[0]?.textContent) : "value" in e && e.tagName !== "BUTTON" && e.tagName !== "LI" ? String(e.value) : null;
      found.push({ role: r, name: name(e), value, states: states(e), box: [b.x, b.y, b.width, b.height] });
    }
  };
  walk(document);
  return found;
}
