"""Events → actions, frames → states: a recording becomes a trajectory."""
