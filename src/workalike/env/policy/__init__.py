"""What an attempt may reach and do: the policy, the proxy that enforces it, and the guard on irreversible steps."""
