"""Modes of self-collision: which bodies of a robot may touch each other."""

SAFE, ALL, NONE = MODES = ('safe', 'all', 'none')
