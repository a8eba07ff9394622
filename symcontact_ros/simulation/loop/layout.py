"""Where things are in the memory of the loop."""

from __future__ import annotations

# What moves a body.
FIXED, LOOSE, LINKED = range(3)  # never; by itself, as planar or free body; in a group

# Constants of a body; the rest is said in `planar` and `spatial`.
KIND = 0  # one of the above
STATE = 1  # where its state starts (loose), or its group (linked)
LINK = 2  # its number among the links of its group
CARRIER = 3  # the link with a joint that it is part of, among those of its group; -1: none
CARRIER_LOAD = 4  # the number of that link among those with a joint
INVERSE_MASS = 5  # [1/kg], 0 if it never moves
REACH = 6  # from its centre of mass to its farthest point [m]
INERTIA = 7  # where the inertia starts

# What a body does in a step.
TRAVELLED = 0  # how far any of its points has moved since the start, at most [m]
REACHABLE = 1  # the same, at the end of the coming step
IS_ACTIVE = 2  # whether it may touch something in this step
TRACK = 3  # numbers of it

# A shape.
SHAPE_BODY = 0
SHAPE_KIND = 1  # number of its kind among those of the model
SHAPE_BLOCK = 2  # where its block starts
SHAPE_REACH = 3  # [m], inf for half-spaces
SHAPE_CENTRED = 4  # whether its frame is that of the body, shifted to the centre of mass
SHAPE_FRAME = 5  # in the body, from the centre of mass
SHAPE = 17  # numbers of a shape

# A pair of shapes that the broad phase found.
NEAR_A, NEAR_B = 0, 1  # shapes, in the order of the kernels of their pair
NEAR_NUMBER = 2  # of the pair
NEAR_SLOT = 3  # of the kernels
NEAR_MATERIAL = 4  # where its material starts
NEAR = 5  # numbers of it

# What is remembered of a pair of shapes, by its number.
CLEAR_UNTIL = 0  # travel of both bodies until which they cannot touch [m]
FEATURE = 1  # found last
MEMORY = 2  # numbers of it

# A material.
LAW, STIFFNESS, DAMPING, FRICTION, HALF_INVERSE_SLIP = range(5)
LAW_CONSTANTS = 5  # numbers of it
ELASTIC_PLASTIC, HUNT_CROSSLEY, LINEAR, CUSTOM = range(4)

# A group: where its blocks are.
GROUP_STATE, GROUP_Q, GROUP_U = 0, 1, 2  # start in the state, numbers of q and of u
GROUP_KINEMATICS, GROUP_DYNAMICS = 3, 4  # functions, in the table
GROUP_CONSTANTS, GROUP_ZEROS, GROUP_EFFORT, GROUP_LOADS = 5, 6, 7, 8  # in the scratch memory
GROUP_FRAMES, GROUP_COMS, GROUP_TWISTS, GROUP_RATES = 9, 10, 11, 12
GROUP_LOAD_COUNT = 13
GROUP = 14

# A joint with one degree of freedom.
JOINT_Q, JOINT_U, JOINT_EFFORT = 0, 1, 2  # in the state, and in the scratch memory
JOINT_APPLIED = 3
JOINT_STIFFNESS, JOINT_REST, JOINT_DAMPING, JOINT_FRICTION = 4, 5, 6, 7
JOINT_LOWER, JOINT_UPPER, JOINT_LIMIT_STIFFNESS, JOINT_LIMIT_DAMPING = 8, 9, 10, 11
JOINT_KP, JOINT_KD, JOINT_TARGET, JOINT_TARGET_SPEED = 12, 13, 14, 15
JOINT_MOBILITY = 16  # speed that a unit impulse gives it, by the inertia at the start
JOINT_HOLDS, JOINT_FOLLOWS = 17, 18  # 1: its servo has a target position, or one of either kind
JOINT = 19
JOINT_SLIP = 0.05  # [rad/s or m/s] at which dry friction has 46 % of its strength

# Energies that are integrated along with the state, at the end of it [J].
LOST_IN_CONTACT, LOST_IN_FRICTION, STORED_IN_CONTACT, LOST_IN_JOINTS, WORK_IN = range(5)
LEDGER = 5

# Options of a step.
STEP_SIZE, GRAVITY, MOST_PARTS, SKIN, SINGLE = 0, 1, 4, 5, 6
SPRING_LIMIT, RATE_LIMIT = 7, 8
OPTIONS = 9

# What is counted, and what is kept for a moment.
SUBSTEPS, EXCEEDED, WORST, LOOKS, REBUILDS, NEAR_COUNT, CANDIDATES = range(7)
DRIFT = 7  # how much nearer two boxes may have come since the broad phase [m]
JOINT_LOSS, POWER_IN = 8, 9  # [W]
SKIN_NOW = 10  # how much nearer they may come before it runs again [m]
GUARDED = 11  # whether this stage decides on the parts of the step
NOTES = 12  # how many looks had each of the notes of `collision.pairs`
COUNTERS = 17
