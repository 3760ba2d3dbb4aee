"""What tasks about booking times are made of: outings, goals, and how the oracle finds its way."""
