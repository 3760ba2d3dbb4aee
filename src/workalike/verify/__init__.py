"""Judges of trajectories: from the database, from rubrics, from pictures; and how far they agree with people."""
