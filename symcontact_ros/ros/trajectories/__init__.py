"""Trajectories and grips: joints that follow a motion in simulated time."""
