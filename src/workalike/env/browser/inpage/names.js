// What an element is called: role, name, value and states, near enough to what assistive technology would say.
// A form hands out its fields in place of its own properties, and a document its forms and pictures: `form.children`
// may be a field of that name, `document.title` a picture. So these are asked of the prototypes.
const asked = (type, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return Function.prototype.call.bind(get || value);
};
const parentOf = asked(Node, 'parentNode'),
  elderOf = asked(Node, 'parentElement'),
  rootOf = asked(Node, 'getRootNode');
const childrenOf = asked(Element, 'children'),
  idOf = asked(Element, 'id'),
  tagOf = asked(Element, 'localName');
const attributeOf = asked(Element, 'getAttribute');
const titleOf = asked(Document, 'title'),
  bodyOf = asked(Document, 'body'),
  activeOf = asked(Document, 'activeElement');

function activeIn(root) {
  try {
    return activeOf(root);
  } catch {
    return root.activeElement;
  } // a shadow root, which has no such names
}

const TAG_ROLES = {
  a: 'link',
  area: 'link',
  button: 'button',
  select: 'combobox',
  textarea: 'textbox',
  summary: 'button',
  option: 'option',
  img: 'img',
  svg: 'img',
  iframe: 'iframe',
  video: 'video',
  audio: 'audio',
  canvas: 'canvas',
  label: 'label',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  p: 'paragraph',
  li: 'listitem',
  ul: 'list',
  ol: 'list',
  table: 'table',
  tr: 'row',
  td: 'cell',
  th: 'columnheader',
  form: 'form',
  nav: 'navigation',
  main: 'main',
  header: 'banner',
  footer: 'contentinfo',
  dialog: 'dialog',
  body: 'document',
  html: 'document',
  progress: 'progressbar',
  meter: 'meter',
  details: 'group',
  fieldset: 'group',
};
const INPUT_ROLES = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  file: 'file',
  color: 'color',
  date: 'date',
  'datetime-local': 'date',
  month: 'date',
  week: 'date',
  time: 'time',
  password: 'password',
};
const LONGEST = 150;

const tidied = (text) => (text || '').replace(/\s+/g, ' ').trim();
const tidy = (text) => tidied(text).slice(0, LONGEST);
// What a field holds is cut with a sign, so that nobody takes a part for the whole.
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

function roleOf(el) {
  const given = el.getAttribute('role');
  if (given) return given.trim().split(/\s+/)[0].toLowerCase();
  const tag = el.localName;
  if (tag === 'input') return INPUT_ROLES[el.type] || (el.hasAttribute('list') ? 'combobox' : 'textbox');
  if (tag === 'select' && (el.multiple || el.size > 1)) return 'listbox';
  if (el.isContentEditable && !(elderOf(el) && elderOf(el).isContentEditable)) return 'textbox';
  return TAG_ROLES[tag] || 'generic';
}

// The text within, as it reads; stops as soon as there is enough, so that a huge subtree costs little.
function wholeText(el) {
  let text = '';
  const walk = (node) => {
    for (let child = node.firstChild; child && text.length < LONGEST * 2; child = child.nextSibling) {
      if (child.nodeType === 3) text += child.data;
      else if (child.nodeType === 1) {
        const tag = child.localName;
        if (tag === 'script' || tag === 'style' || tag === 'noscript' || tag === 'template') continue;
        if (attributeOf(child, 'hidden') !== null || attributeOf(child, 'aria-hidden') === 'true') continue;
        text += ' ' + (child.getAttribute('aria-label') || (tag === 'img' ? child.alt : ''));
        walk(child.shadowRoot || child);
        text += ' ';
      }
    }
  };
  walk(el.shadowRoot || el);
  return tidied(text);
}
const textWithin = (el) => tidy(wholeText(el));

function byIds(el, ids) {
  const root = el.getRootNode();
  const parts = ids
    .split(/\s+/)
    .map((id) => root.getElementById && root.getElementById(id))
    .filter(Boolean);
  return tidy(parts.map((part) => part.getAttribute('aria-label') || textWithin(part)).join(' '));
}

function nameOf(el) {
  const labelled = el.getAttribute('aria-labelledby');
  const told = (labelled && byIds(el, labelled)) || tidy(el.getAttribute('aria-label'));
  if (told) return told;
  const tag = el.localName;
  if (tag === 'input' && ['submit', 'button', 'reset', 'image'].includes(el.type)) {
    return tidy(el.value || el.alt || attributeOf(el, 'title') || el.type);
  }
  if (el.labels && el.labels.length) {
    const text = tidy([...el.labels].map(textWithin).join(' '));
    if (text) return text;
  }
  if (tag === 'img' || tag === 'area') return tidy(el.alt || attributeOf(el, 'title'));
  if (tag === 'svg') return tidy((el.querySelector('title') || {}).textContent);
  if (tag === 'iframe') return tidy(attributeOf(el, 'title') || el.name);
  if (['input', 'textarea', 'select'].includes(tag)) {
    return tidy(el.placeholder || attributeOf(el, 'title') || el.getAttribute('aria-placeholder') || el.name);
  }
  if (el.isContentEditable && roleOf(el) === 'textbox')
    return tidy(el.getAttribute('placeholder') || attributeOf(el, 'title'));
  const text = textWithin(el);
  if (text) return text;
  const picture = el.querySelector && el.querySelector('svg title, img[alt]');
  return tidy(attributeOf(el, 'title') || (picture && (picture.alt || picture.textContent)));
}

const isSecret = (el) => el.localName === 'input' && el.type === 'password';

// What a field holds; what is in a password field is nobody's business.
function valueOf(el) {
  const tag = el.localName;
  if (tag === 'select') return shortened(tidied([...el.selectedOptions].map((o) => o.label || o.text).join(', ')));
  if (tag === 'textarea') return shortened(el.value);
  if (tag === 'input') {
    if (['checkbox', 'radio', 'submit', 'button', 'reset', 'image', 'password'].includes(el.type)) return null;
    if (el.type === 'file') return shortened([...el.files].map((f) => f.name).join(', '));
    return shortened(el.value);
  }
  if (el.isContentEditable && roleOf(el) === 'textbox') return shortened(wholeText(el));
  return el.getAttribute('aria-valuetext') || el.getAttribute('aria-valuenow');
}

function statesOf(el) {
  const states = [];
  const told = (attribute, state) => {
    const value = el.getAttribute(attribute);
    if (value === 'true') states.push(state);
    else if (value === 'mixed') states.push('mixed');
    else if (value === 'false' && state === 'expanded') states.push('collapsed');
  };
  if (el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true') states.push('disabled');
  if ('checked' in el && (el.type === 'checkbox' || el.type === 'radio')) {
    states.push(el.indeterminate ? 'mixed' : el.checked ? 'checked' : 'unchecked');
  } else told('aria-checked', 'checked');
  told('aria-expanded', 'expanded');
  if (el.localName === 'option' && el.selected) states.push('selected');
  else told('aria-selected', 'selected');
  told('aria-pressed', 'pressed');
  if (el.readOnly === true) states.push('readonly');
  if (el.required === true || el.getAttribute('aria-required') === 'true') states.push('required');
  if (isSecret(el) && el.value) states.push('filled');
  if (activeIn(rootOf(el)) === el && el !== bodyOf(document)) states.push('focused');
  return states;
}

// A short CSS path within the element's own tree.
function selectorOf(el) {
  const parts = [];
  for (let node = el; node && parts.length < 6; node = elderOf(node)) {
    if (idOf(node)) {
      parts.unshift('#' + CSS.escape(idOf(node)));
      break;
    }
    const tag = tagOf(node),
      twins = elderOf(node) ? [...childrenOf(elderOf(node))].filter((c) => tagOf(c) === tag) : [];
    parts.unshift(tag + (twins.length > 1 ? `:nth-of-type(${twins.indexOf(node) + 1})` : ''));
  }
  return parts.join(' > ');
}
