"""Functions of the equations of motion, by family."""

from __future__ import annotations

# Functions of the equations, in families that are derived together: those of the motion, and those
# needed on request. Each function: its result blocks. All take the blocks q, u,
# udot, effort, wrench and the constants of their family's prologue.
FUNCTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    'motion': {
        'dynamics': ('qdot', 'udot'),
        'kinematics': ('frames', 'coms', 'twists'),
        'energy': ('kinetic', 'potential'),
        'gravity': ('gravity',),
        'inertia': ('mass_matrix', 'bias'),
        'velocity': ('qdot',),
    },
    'analysis': {
        'inverse': ('inverse', 'reactions'),
    },
}
