"""Watch a person: desktop or browser, frames, input events and accessibility trees on one clock."""
