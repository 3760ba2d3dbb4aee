"""A real browser to act in: one Chromium, a context an attempt, and our own line to every page."""
