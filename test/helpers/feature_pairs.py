"""Pairs of bodies asked for their distance and its slope, to compare formulas with."""

import numpy as np

import symcontact_ros as sc

# Formulas and detector round differently: 5e-15 were seen, more where edges are near parallel.
ROUNDING = 1e-12
# Central differences over 2e-6 of distances of size 1: truncation 1e-11, rounding 1e-15 / 1e-6.
STEP, SLOPE = 1e-6, 2e-8


class Pair:
    """A simulation of two bodies, asked for their proximity anywhere."""

    def __init__(self, model):
        self.model = model
        self.sim = sc.Simulation(model, proximity_range=100.0)
        self.eom = sc.equations_of_motion(model)

    def proximity(self, q):
        self.sim.set_state(q=q)
        (found,) = self.sim.proximities()
        return found

    def slope(self, q):
        """Return d/dt distance per unit of each speed, by central differences."""
        rates = [self.eom.evaluate(q, speed).qdot for speed in np.eye(self.model.speed_count)]
        return np.array(
            [
                self.proximity(q + STEP * rate).distance - self.proximity(q - STEP * rate).distance
                for rate in rates
            ]
        ) / (2.0 * STEP)
