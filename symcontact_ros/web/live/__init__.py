"""Live symbols in a browser: formulas as a tape, and where its numbers go."""
