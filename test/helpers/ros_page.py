"""Tables of docs/ros.md, and a model that has something of everything in them."""

import re

from helpers.places import page

PAGE = page('ros.md')
MODEL = """\
name: everything
dimension: 3
gravity: [0, 0, -9.81]
parameters: {m: {value: 1.0, min: 0.1, max: 10.0}}
bodies:
  ground: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box:
    mass: m
    shapes: [{type: box, half_extents: [0.1, 0.1, 0.1]}]
    sites: {top: {position: [0, 0, 0.1]}}
    initial: {position: [0, 0, 0.2]}
  lever: {mass: 1.0, inertia: {ixx: 1, iyy: 1, izz: 1},
          joint: {type: revolute, parent: box, name: hinge}}
sensors:
- {type: imu, site: top, name: imu}
- {type: force_torque, joint: hinge, name: wrist}
- {type: ground_reaction, body: box, name: plate}
"""


def rows(title):
    """Return the cells of the table under a heading of the page."""
    (section,) = re.findall(rf'^## {title}\n(.*?)(?=^#|\Z)', PAGE, re.M | re.S)
    lines = re.findall(r'^\| (`.*) \|$', section, re.M)
    return [[cell.strip() for cell in line.split('|')] for line in lines]


def full(name):
    """Return the full name of a topic or service of the page."""
    name = name.strip('`')
    return name.replace('~', '/symcontact') if name[0] in '~/' else f'/{name}'
