"""Model files as text: one with all there is, and URDF files whose links weigh something."""

import re

RICH = """\
name: rich
dimension: 3
gravity: [0, g * sin(0.1), -9.81]
parameters: {g: {value: 1, min: -2, max: 2, unit: m/s^2}, R: 0.2, m: 1e0}
materials:
  default: {rest_depth: 0.002, restitution: 0.8, impact_speed: 1.0}
  hard: {law: {normal: k * rho, tangent: mu * f_n}, stiffness: 1e6, damping: 0.1}
  pairs: [{bodies: [ball, floor], material: hard}]
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  ball:
    mass: m
    shapes:
    - {type: sphere, radius: R}
    - {type: convex_hull, vertices: [[0, 0, 0], [R, 0, 0], [0, R, 0], [0, 0, R]]}
    - &box {type: box, size: [1, 2, 3], pose: {position: [0, 1, 0], quaternion: [0, 0, 1, 1]}}
    sites: {port: {position: [0.2, 0, 0], rpy: [0, R, 0]}}
    initial: {position: [0, 0, 1], rpy: [0, 0, 1], angular_velocity: [1, 2, 3]}
  arm:
    mass: 2
    com: [0, 0, R / 2]
    inertia: {ixx: 1, iyy: 1.5, izz: 2, ixy: 0.1}
    joint: {type: revolute, parent: ball, axis: [0, 1, 1], origin: {xyz: [0, 0, 1]}, name: hinge,
            damping: 0.1, stiffness: 2, limits: {lower: -1, upper: 1}, servo: {kp: 1, kd: 2}}
    initial: {position: 0.1, velocity: -1}
  hand: {mass: 1, shapes: [*box], joint: {type: spherical, parent: arm}}
sensors: [{type: imu, site: port, noise: {acceleration: 0.1}}, {type: force_torque, joint: hinge}]
collide: [[ball, floor], [hand, floor]]
initial_overlap: refuse
duration: 2
"""

INERTIAL = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def with_masses(urdf):
    return re.sub(r'<link name="(\w+)"\s*/>', rf'<link name="\1">{INERTIAL}</link>', urdf)


# A spring too stiff for rk4 by a little, with all substeps: 3.2 kJ become far more in each step.
RUINED = """
dimension: 3
gravity: [0, 0, 0]
bodies:
  a: {mass: 0.01, shapes: [{type: sphere, radius: 0.005}],
      joint: {type: prismatic, axis: [0, 0, 1], stiffness: 3.44e8}, initial: {velocity: 800}}
"""
# Two bullets that touch and part within a step, if that is not divided.
HEAD_ON = """
dimension: 3
gravity: [0, 0, 0]
bodies:
  a: {mass: 0.01, shapes: [{type: sphere, radius: 0.005}],
      initial: {position: [0, 0, 0.5], velocity: [0, 0, -800]}}
  b: {mass: 0.01, shapes: [{type: sphere, radius: 0.005}],
      initial: {position: [0, 0, -0.5003], velocity: [0, 0, 800]}}
"""
