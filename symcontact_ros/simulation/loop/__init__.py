"""
The step as kernels: state in, state out, compiled for the pairs and the integrator of a model.

`world` is the memory they share, `body` what every body has, `planar` and `spatial` are what
differs between the plane and space, `candidates` finds who may touch, `forces` what they do to
each other, `joints` what joints do; `integrators` make a step of it.
"""
