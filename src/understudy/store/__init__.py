"""How recordings, trajectories, layers and runs lie on disk: append-only and crash-safe."""
