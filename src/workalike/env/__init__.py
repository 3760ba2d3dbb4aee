"""Where agents act: a real browser, a real desktop, and the policy on what may be reached."""
