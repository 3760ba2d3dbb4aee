// What the ticket office's pages do by themselves: suggestions under the search field.

import { all } from './forms.js';
import { link, suggest } from './suggest.js';

for (const form of all('[data-finder]')) {
  suggest(form.elements.q, form.querySelector('[data-suggestions]'), ({ name, href }) => link(name, href));
}
