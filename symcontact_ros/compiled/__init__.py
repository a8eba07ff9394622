"""Tape -> functions. Plain Python here; it is also the oracle of every faster backend."""
