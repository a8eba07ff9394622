"""The study of convex optimisation against separating axes: what it measures, and its page."""
