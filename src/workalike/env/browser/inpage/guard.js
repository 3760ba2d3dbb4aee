// On live sites: a form with payment or password fields is not submitted, in whatever way that is tried.
const SUBMIT_WORDS = new RegExp(
  [
    'log ?-?in',
    'sign ?-?(in|up)',
    'register',
    'create (my |an )?account',
    'pay\\b',
    'pay now',
    'place (my |your |the )?order',
    'buy',
    'purchase',
    '^order\\b',
    'book\\b',
    'reserve',
    'submit',
    'confirm',
    'subscribe',
    'donate',
    'complete',
    'anmelden',
    'einloggen',
    'registrieren',
    'kaufen',
    'bezahlen',
    'bestellen',
    'buchen',
    'connexion',
    'se connecter',
    's.inscrire',
    'payer',
    'acheter',
    'commander',
    'réserver',
    'iniciar sesión',
    'pagar',
    'comprar',
    'reservar',
    'accedi',
    'paga\\b',
    'acquista',
    'entrar',
    'ログイン',
    '購入',
    '登录',
    '支付',
  ].join('|'),
  'i',
);
const PAYMENT = new RegExp(
  '(^|[^a-z])(card.?(num|no\\b|holder|code)|cardnumber|cc.?(num|number|csc|cvc|exp)|cvv|cvc|csc|security.?code' +
    '|iban|account.?number|routing|sort.?code)',
  'i',
);

function isPayment(field) {
  const completes = (field.getAttribute('autocomplete') || '').toLowerCase();
  return (
    /(^|\s)cc-/.test(completes) ||
    PAYMENT.test(`${field.name} ${field.id} ${field.getAttribute('aria-label') || ''} ${field.placeholder || ''}`)
  );
}

// A sensitive field counts when it shows or holds something: many sites keep a hidden log-in form on every page.
function sensitive(scope) {
  for (const field of scope.querySelectorAll('input, select')) {
    const kind = isSecret(field) ? 'password' : isPayment(field) ? 'payment' : null;
    if (kind && field.type !== 'hidden' && (field.value || (isShown(field) && field.getClientRects().length)))
      return kind;
  }
  return null;
}

// The user has been asked, and lets this one action pass.
workalike.leave = false;

function stop(event, kind) {
  if (workalike.leave) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tell({ stopped: `a form with ${kind} fields was not submitted: on live sites that is the user's to do` });
}

// Where there is no form, the nearest surroundings that hold a sensitive field stand for one.
function surroundings(el) {
  let node = el;
  for (let up = 0; node && up < 8; up++, node = node.parentElement) {
    const kind = node.localName !== 'body' && sensitive(node);
    if (kind) return kind;
  }
  return null;
}

// Hosts of one's own are no live sites. A pattern without a port stands for port 80, `*.` in front for a whole domain.
function isOwnAddress(address) {
  const url = new URL(address, document.baseURI);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return OWN.some((pattern) => {
    const [name, wanted] = pattern.toLowerCase().split(':');
    const whole = name.startsWith('*.') && (url.hostname === name.slice(2) || url.hostname.endsWith(name.slice(1)));
    return port === (wanted || '80') && (whole || url.hostname === name);
  });
}

// Whether a page of one's own keeps to itself what is sent.
function staysHome(form, button) {
  try {
    return isOwnAddress(document.URL) && (!form || isOwnAddress(destination(form, button)));
  } catch {
    return false;
  }
}

// A link or a form into a new tab is gone before its request can be stopped: it is stopped here.
const compiled = (pattern) => {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return null;
  }
};
const STEPS = (GUARDED || []).map(compiled).filter(Boolean);
function irreversible(address) {
  try {
    const url = new URL(address, document.baseURI);
    if (isOwnAddress(url.href)) return null;
    return STEPS.some((step) => step.test(url.pathname + url.search)) ? url.host + url.pathname : null;
  } catch {
    return null;
  }
}

// Where a form is sent: its button may name another place, and what is asked for (not sent) stands in the address.
function destination(form, button) {
  const said = (name) => (button && button.getAttribute(`form${name}`)) || form.getAttribute(name) || '';
  const url = new URL(said('action') || document.URL, document.baseURI);
  if (/^post$/i.test(said('method'))) return url.href;
  const unsent = (field) => field.disabled || (['checkbox', 'radio'].includes(field.type) && !field.checked);
  const fields = [...form.querySelectorAll('input[name], select[name], textarea[name]')].filter(
    (field) => !unsent(field),
  );
  url.search = new URLSearchParams(fields.map((field) => [field.name, field.value]));
  return url.href;
}

function stepOf(form, button) {
  try {
    return irreversible(destination(form, button));
  } catch {
    return null;
  }
}

function stopStep(event, place) {
  if (workalike.leave) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tell({ stopped: `${place} looks like an irreversible step, which on live sites is the user's` });
}

function guardClick(event) {
  const el = event.composedPath()[0];
  const link = el && el.closest && el.closest('a[href], area[href]');
  const step = link && irreversible(link.href);
  if (step) return stopStep(event, step);
  const button =
    el &&
    el.closest &&
    el.closest('button, input[type=submit], input[type=button], input[type=image], [role=button], a');
  // in a shadow root a form sends no event that is heard here
  const form = button && ['submit', 'image'].includes(button.type) && button.form;
  const sent = form && form.getRootNode() !== document && stepOf(form, button);
  if (sent) return stopStep(event, sent);
  if (!button || !SUBMIT_WORDS.test(nameOf(button)) || staysHome(button.form, button)) return;
  const kind = button.form ? sensitive(button.form) : surroundings(button);
  if (kind) stop(event, kind);
}

function guardEnter(event) {
  const el = event.composedPath()[0];
  if (event.key !== 'Enter' || !el || el.localName !== 'input' || el.form) return;
  const kind = isSecret(el) ? 'password' : isPayment(el) ? 'payment' : null;
  if (kind && el.value && !staysHome()) stop(event, kind);
}

if (GUARDED) {
  const onSubmit = (event) => {
    const form = event.composedPath()[0];
    if (!form || !form.querySelectorAll) return;
    const kind = !staysHome(form, event.submitter) && sensitive(form);
    if (kind) return stop(event, kind);
    const step = stepOf(form, event.submitter);
    if (step) stopStep(event, step);
  };
  listen('submit', onSubmit);
  listen('workalike-submit', onSubmit);
  listen('workalike-open', (event) => {
    const step = irreversible(String(event.detail));
    if (step) stopStep(event, step);
  });
  listen('click', guardClick);
  listen('auxclick', guardClick);
  listen('keydown', guardEnter);
}
