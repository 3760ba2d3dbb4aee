"""A real desktop to act on: programs on an X display, worked through XTest and seen through its own pixels."""
