"""Benchmarks, the runner, and offline step evaluation: an agent's attempts become runs."""
