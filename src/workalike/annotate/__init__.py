"""Reflective chain of thought: what was on the screen, why an action, what it did, and whether it was right."""
