"""What all sites of the town are made of: goals, the wizard, listings, records."""
