"""How work runs on this machine: the pool of keyed jobs, and servers on loopback."""
