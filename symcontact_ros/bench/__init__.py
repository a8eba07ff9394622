"""Table I of the paper as a command: ours, the paper's way, and other simulators, side by side."""
