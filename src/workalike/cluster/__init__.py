"""Workers on other machines: what they and their driver say to each other, and Ray to run them."""
