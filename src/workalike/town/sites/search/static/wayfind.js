// Suggestions under the search field.
import { link, suggest } from './suggest.js';

const form = document.querySelector('.box');
suggest(form.elements.q, form.querySelector('[data-guesses]'), (text) => link(text, '/?q=' + encodeURIComponent(text)));
