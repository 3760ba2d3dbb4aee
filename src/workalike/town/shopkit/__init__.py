"""What the town's shops share: the goods of the world, and the mechanics of shelves, carts and checkouts."""
