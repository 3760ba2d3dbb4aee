"""Plain typed values and protocols that every other folder speaks in. No I/O happens here."""
