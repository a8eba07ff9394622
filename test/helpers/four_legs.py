"""A small robot with four legs, as a URDF: eight joints, round feet."""

LEGS = {'front_left': (1, 1), 'front_right': (1, -1), 'back_left': (-1, 1), 'back_right': (-1, -1)}
HEIGHT = 0.33  # [m] of the trunk where the feet, with bent knees, touch the floor

INERTIAL = (
    '<inertial><origin xyz="0 0 {z}"/><mass value="{mass}"/><inertia ixx="{i}" iyy="{i}" '
    'izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>'
)
JOINT = (
    '<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
    '<origin xyz="{place}" rpy="0 {pitch} 0"/><axis xyz="0 1 0"/>'
    '<limit lower="-2" upper="2" effort="60" velocity="20"/></joint>'
)


def four_legs(name='four_legs'):
    """Return the text of the URDF."""
    parts = [
        f'<robot name="{name}"><link name="trunk">',
        INERTIAL.format(z=0, mass=8, i=0.08),
        '<collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>',
    ]
    for leg, (x, y) in LEGS.items():
        thigh = INERTIAL.format(z=-0.1, mass=0.6, i=0.003)
        shank = INERTIAL.format(z=-0.1, mass=0.3, i=0.001)
        foot = '<collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.02"/></geometry>'
        hip, knee = f'{0.18 * x} {0.12 * y} 0', '0 0 -0.2'
        parts += [
            f'<link name="{leg}_thigh">{thigh}</link>',
            f'<link name="{leg}_shank">{shank}{foot}</collision></link>',
            JOINT.format(
                name=f'{leg}_hip', parent='trunk', child=f'{leg}_thigh', place=hip, pitch=0.7
            ),
            JOINT.format(
                name=f'{leg}_knee',
                parent=f'{leg}_thigh',
                child=f'{leg}_shank',
                place=knee,
                pitch=-1.4,
            ),
        ]
    return '\n'.join([*parts, '</robot>'])
