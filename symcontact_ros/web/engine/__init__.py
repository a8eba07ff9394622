"""Kernels and memory of an engine: what runs in a browser."""
