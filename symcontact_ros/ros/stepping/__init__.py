"""Scheduling of steps, and commands of other nodes."""
