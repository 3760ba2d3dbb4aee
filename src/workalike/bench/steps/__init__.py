"""Offline step evaluation: what an agent would do on a recorded screenshot, against what should be done."""
