"""
Simulation of a model, in rooms; each imports only those before it.

`equations`: equations of motion as numeric functions of q and u. `bodies`: motion of one body.
`world`: the memory that a step reads and writes, and its values. `step`: one step as kernels, and
their compiled caller; start with `step/integrators.py`. `observing`: reports of a state. `saving`:
saved states. `simulation_parts` joins them, `simulation` is the public interface.
"""
