"""Where agents act: a browser, a desktop, and the policy on what may be reached."""
