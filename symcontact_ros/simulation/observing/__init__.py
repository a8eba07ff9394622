"""Observations of a state, which never change the next step."""
