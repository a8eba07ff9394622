"""SymPy -> tape: equations of motion and their lowering to straight-line programs."""
