"""The functions that the equations of a model become."""

from __future__ import annotations

# The functions of a model's equations, in lots that are derived together: what motion needs, and
# what only those who ask for it need. Each function: its result blocks. All take the blocks q, u,
# udot, effort, wrench and the constants of their lot's prologue.
FUNCTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    'motion': {
        'dynamics': ('qdot', 'udot'),
        'kinematics': ('frames', 'coms', 'twists'),
        'energy': ('kinetic', 'potential'),
    },
    'analysis': {
        'inertia': ('mass_matrix', 'bias'),
        'inverse': ('inverse', 'reactions'),
    },
}
