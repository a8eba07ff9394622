"""Sweeps: one model with many values of its live symbols, measured, on all cores or a cluster."""
