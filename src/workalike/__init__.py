"""Workalike: watch people use computers, learn from it, act, and judge honestly."""

__version__ = "0.1.0"
