"""
The tests without ROS on the oldest and newest Python, each with its oldest and newest NumPy.

``nox`` runs all sessions, ``nox -l`` lists them, ``nox -s "tests-3.13(numpy='oldest')"`` runs
one; what follows ``--`` goes to pytest. The interpreters must be on the PATH: a session without
its own is skipped, or fails with ``--error-on-missing-interpreters``. `make test` is the same on
one Python, with ROS and with the oracles.
"""

from __future__ import annotations

import nox

nox.needs_version = '>=2024.3.2'
nox.options.default_venv_backend = 'virtualenv'
nox.options.reuse_venv = 'yes'

# Python: the oldest NumPy that setup.py allows and that has wheels for it.
OLDEST = {'3.10': '1.26.*', '3.13': '2.1.*'}
# What the core needs, and what the tests do not skip without.
EXTRAS = ('co', 'record', 'test', 'urdf', 'view')
TOOLS = ('hypothesis', 'pytest-xdist')


@nox.session(python=list(OLDEST))
@nox.parametrize('numpy', ['oldest', 'newest'])
def tests(session: nox.Session, numpy: str) -> None:
    """Run the tests that need no ROS; those that do are skipped for want of rclpy."""
    assert isinstance(session.python, str)
    wanted = f'numpy=={OLDEST[session.python]}' if numpy == 'oldest' else 'numpy'
    session.install('--upgrade', wanted, '-e', f'.[{",".join(EXTRAS)}]', *TOOLS)
    session.run('python', '-c', 'import numpy; print("NumPy", numpy.__version__)')
    options = ('-n', 'auto', '--maxprocesses', '4', '-m', 'not deep')
    session.run('python', '-m', 'pytest', *options, *session.posargs)
