"""Memory of the step: its records, their layout, and their values."""
