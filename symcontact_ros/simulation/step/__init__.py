"""The step as kernels, compiled for the shape pairs and the integrator of a model."""
