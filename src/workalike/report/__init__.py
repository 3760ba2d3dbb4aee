"""Runs turned into tables: accuracy by category, cost, and what was left out, with the denominators shown."""
