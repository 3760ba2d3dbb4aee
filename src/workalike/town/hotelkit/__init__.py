"""What the town's hotel sites share: the houses of the world, what a room costs on which night, and booking it."""
