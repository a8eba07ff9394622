"""Table I of the paper as a command: this package, the paper's method and other simulators."""
