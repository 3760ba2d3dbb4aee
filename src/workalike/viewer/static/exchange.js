// The exchange with the model as it was sent, and the elements and the accessibility tree of a screen: on demand.
import { longText, make, money, seconds, words } from 'viewer/page.js';

function part(each, picture) {
  switch (each.part) {
    case 'picture_ref': {
      // What was sent may be the kept picture made smaller or with marks on it: that one is shown.
      const kept = each.source ?? each.ref;
      const text = each.source ? 'The screenshot that the picture sent was made from' : 'The picture that was sent';
      return make('img', { src: picture(kept.name), loading: 'lazy', alt: text, title: text });
    }
    case 'call':
      return make(
        'pre',
        { tabindex: '0' },
        `${each.name}(${each.unread ?? JSON.stringify(each.arguments ?? {}, null, 1)})`,
      );
    case 'result':
      return make(
        'div',
        {},
        (each.parts ?? []).map((inner) => part(inner, picture)),
      );
    case 'untrusted':
      return make('div', {}, make('strong', {}, `from the ${each.label ?? 'web page'}`), longText(each.text));
    case 'thinking':
      return make('div', {}, make('strong', {}, 'thinking'), longText(each.text));
    default:
      return longText(each.text ?? JSON.stringify(each));
  }
}

const message = (role, parts, picture) =>
  make(
    'div',
    { class: `message ${role}` },
    make('strong', {}, role),
    parts.map((each) => part(each, picture)),
  );

function sampling(request) {
  const set = Object.entries(request.sampling ?? {}).filter(([, value]) => value !== null);
  const tools = (request.tools ?? []).map((tool) => tool.name ?? 'computer');
  return [...set.map(([name, value]) => `${words(name)} ${value}`), tools.length ? `tools: ${tools.join(', ')}` : '']
    .filter(Boolean)
    .join(' · ');
}

export function exchangeNodes(exchanges, picture) {
  if (!exchanges.length) {
    return [make('p', { class: 'quiet' }, 'No exchange with a model was written down for this step.')];
  }
  return exchanges.flatMap((each) =>
    [
      make('h3', {}, `Exchange ${each.number + 1} · ${each.model}`),
      make(
        'p',
        { class: 'quiet' },
        `${seconds(each.seconds)} · ${each.usage.input_tokens ?? 0} tokens in, ` +
          `${each.usage.output_tokens ?? 0} out · ` +
          money(each.usage.cost === undefined ? 0 : each.usage.cost),
      ),
      sampling(each.request) ? make('p', { class: 'quiet' }, sampling(each.request)) : null,
      each.request.messages.length > 2
        ? make(
            'details',
            {},
            make('summary', {}, `${each.request.messages.length - 1} earlier messages, as they were sent`),
            each.request.messages.slice(0, -1).map((said) => message(said.role, said.parts, picture)),
          )
        : each.request.messages.slice(0, -1).map((said) => message(said.role, said.parts, picture)),
      each.request.messages.slice(-1).map((said) => message(said.role, said.parts, picture)),
      each.reply ? message('assistant', each.reply.parts ?? [], picture) : null,
      each.troubles.map((trouble) => make('p', { class: 'error' }, trouble)),
      each.unseen ? make('p', { class: 'error' }, `${each.unseen} requests whose end nobody saw`) : null,
    ]
      .filter(Boolean)
      .flat(),
  );
}

export function elementNodes(elements, choose) {
  if (!elements.length) return [make('p', { class: 'quiet' }, 'No elements were written down with this screen.')];
  const items = elements.map((element, index) => {
    const states = element.states?.length ? ` (${element.states.join(', ')})` : '';
    const value = element.value ? ` = ${element.value.slice(0, 200)}` : '';
    return make(
      'li',
      {},
      make(
        'button',
        { type: 'button', onclick: () => choose(index), onmouseenter: () => choose(index) },
        element.mark !== undefined ? make('b', {}, `${element.mark} `) : null,
        make('span', { class: 'quiet' }, `${element.role} `),
        `${(element.name ?? '').slice(0, 300)}${value}${states}`,
      ),
    );
  });
  return [make('ul', { class: 'elements' }, items)];
}

function branch(node, depth) {
  const name = node.name ? ` “${node.name.slice(0, 300)}”` : '';
  const text = `${node.role}${name}${node.value ? ` = ${node.value.slice(0, 200)}` : ''}`;
  if (!node.children?.length) return make('li', {}, text);
  const inner = make(
    'ul',
    {},
    node.children.slice(0, 500).map((child) => branch(child, depth + 1)),
  );
  return make('li', {}, make('details', depth < 3 ? { open: true } : {}, make('summary', {}, text), inner));
}

export function treeNodes(tree) {
  if (!tree) {
    return [
      make(
        'p',
        { class: 'quiet' },
        'There is no accessibility tree: it is taken from the recording, where that is here.',
      ),
    ];
  }
  return [
    make(
      'p',
      { class: 'quiet' },
      [tree.title, tree.program, `taken at ${seconds(tree.time)}`].filter(Boolean).join(' · '),
    ),
    make('ul', { class: 'tree' }, branch(tree.root, 0)),
  ];
}
