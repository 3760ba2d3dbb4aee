// Runs first in every document, in the page's own world. A document that no server of the web served ends here,
// before any of it is read.
if (!['http:', 'https:', 'about:', 'chrome-error:'].includes(location.protocol)) window.stop();
