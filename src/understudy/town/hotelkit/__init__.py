"""What the town's hotel sites share: the houses of the world, what their rooms cost on which night, and booking them."""
