"""Equations of motion in SymPy, and their lowering to tapes."""
