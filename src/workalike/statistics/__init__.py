"""How sure a number is: intervals, agreement, paired tests, pass@k. Pure functions over plain numbers."""
