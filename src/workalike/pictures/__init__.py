"""Pictures of screens: resize, encode, crop, draw marks, actions and dialogs, tell near-duplicates. Pure functions."""
