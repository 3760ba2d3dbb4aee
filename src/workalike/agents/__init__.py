"""Who acts: a family with a model behind it, chance, nobody; all behind the one contract of `core.contracts`."""
