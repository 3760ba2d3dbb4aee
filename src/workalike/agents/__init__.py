"""Who acts: every family of agents in the same environment, behind the one contract of `core.contracts`."""
