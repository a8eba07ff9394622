"""Saved states."""
