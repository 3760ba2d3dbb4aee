"""The hermetic web: its world, sites, tasks, keys and oracle. Every task's outcome is known from the database."""
