"""Small model files to be damaged, and what is told of their faults."""

import time

import pytest

import symcontact_ros as sc

SLOWEST = 5.0  # [s] of processor time; the aim is 1 s, the rest is for a slow machine

FRAME = """\
dimension: {dimension}
parameters: {{m: 1, R: 0.2}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space}}]}}
  a: {{{a}}}
  b: {{mass: 1, inertia: {{izz: 1{b_inertia}}}}}
"""

GOOD = {
    2: 'mass: 1, shapes: [{type: circle, radius: R}]',
    3: 'mass: m, shapes: [{type: sphere, radius: R}]',
}


def text_of(a=None, dimension=2, tail=''):
    inertia = '' if dimension == 2 else ', ixx: 1, iyy: 1'
    body = GOOD[dimension] if a is None else a
    return FRAME.format(dimension=dimension, a=body, b_inertia=inertia) + tail


def faults(path, **options):
    """Return the faults of a file as text, and hold the loader to its time."""
    start = time.process_time()
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(path, **options)
    assert time.process_time() - start < SLOWEST
    return [str(fault) for fault in caught.value.faults]


def assert_told(path, line, key, reason):
    told = faults(path)
    start = f'{path}:{line}: {key}: '
    assert any(f.startswith(start) and reason in f for f in told), '\n'.join(told)
