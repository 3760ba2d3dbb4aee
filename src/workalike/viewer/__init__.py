"""The web page on loopback where people look at trajectories: every step with its actions drawn on the screenshot."""
