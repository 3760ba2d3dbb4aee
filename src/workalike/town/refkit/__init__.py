"""What the jobs board and the reference sites share: the country they lie in, its people, prose with facts."""
