"""Mechanics that all sites selling flights share: schedule, fares, seats, search and booking, with their tasks."""
