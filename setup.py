"""Package symcontact_ros for colcon (ament_python) and for pip."""

from glob import glob
from pathlib import Path

from setuptools import find_packages, setup

NAME = 'symcontact_ros'
URL = 'https://example.org/symcontact_ros'

CORE = ['numpy>=1.26', 'scipy', 'sympy>=1.12', 'llvmlite>=0.41', 'PyYAML']

# The ROS 2 distribution as wheels, for machines without one. `tools/bootstrap.py` adds tf2_msgs.
ROS = [
    'ros-jazzy-rclpy[fastrtps]',
    'ros-jazzy-diagnostic-msgs',
    'ros-jazzy-geometry-msgs',
    'ros-jazzy-nav-msgs',
    'ros-jazzy-rosgraph-msgs',
    'ros-jazzy-sensor-msgs',
    'ros-jazzy-std-srvs',
    'ros-jazzy-trajectory-msgs',
    'ros-jazzy-visualization-msgs',
]

# `make docs`; Sphinx needs Python 3.11.
DOCS = [
    f'{package}; python_version >= "3.11"'
    for package in (
        'furo',
        'gymnasium',  # whose classes ours are
        'ipykernel',  # runs the notebook
        'latex2mathml',  # formulas without a network
        'matplotlib',
        'myst-nb',
        'sphinx',
        'sphinx-copybutton',
    )
]

EXTRAS = {
    'co': ['cvxpy', 'ecos'],  # ECOS is GPL: never a hard dependency
    'ros': ROS,
    'urdf': [
        'charset-normalizer',  # trimesh reads meshes in text with it, without requiring it
        'lxml',
        'pycollada',
        'trimesh',
        'xacro',
    ],
    'meshes': ['coacd'],  # convex decomposition
    'record': ['lz4', 'matplotlib', 'zstandard'],
    'video': ['imageio-ffmpeg'],  # it brings an ffmpeg under the GPL: never a hard dependency
    'gym': ['example-robot-data', 'gymnasium', 'lxml', 'matplotlib'],  # the Go2, and its reader
    'sweep': ['distributed', 'matplotlib', 'pyarrow'],  # clusters, figures, Parquet files
    'view': ['tornado'],
    'bench': ['mujoco', 'pybullet', 'pymunk', 'matplotlib'],
    'docs': DOCS,
    'test': ['pytest', 'pytest-timeout'],  # the extra that colcon test looks for
    'dev': [
        *DOCS,
        'build',  # wheel and sdist
        'coacd',  # meshes as convex pieces
        'coal',  # the oracle of distances
        'colcon-common-extensions',
        'distributed; python_version >= "3.11"',  # sweeps on a cluster
        'example-robot-data',  # real robots
        'gymnasium',
        'hypothesis',
        'imageio',  # Gymnasium's own environments import it: the peers of ours
        'imageio-ffmpeg',  # films
        'mcap',  # reads recordings beside our reader
        'mcap-ros2-support',
        'mujoco',  # its loader stands beside ours in docs/zoo.md
        'mypy',
        'playwright',  # drives the Chromium of the system in tests of pages
        'pin',  # Pinocchio, the oracle of the equations of motion
        'pre-commit',
        'pyarrow; python_version >= "3.11"',  # tables of sweeps as Parquet
        'pybullet; python_version < "3.12"',  # more real robots; newer Pythons have no wheel
        'pytest',
        'pytest-timeout',
        'pytest-xdist',  # the tests on several cores
        'python-fcl',  # another one, and a peer in the benchmarks
        'rosbags',  # reads recordings, too
        'ruff',
        'types-PyYAML',
        'wasmtime',  # runs what a browser runs
        'websockets',  # connects to the live page, as a browser does
    ],
}

setup(
    name=NAME,
    version='0.1.0',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={NAME: ['py.typed', 'web/page/*', 'web/page/sources/*', 'gym/models/*.yaml']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        (f'share/{NAME}/launch', sorted(glob('launch/*.launch.py'))),
        (f'share/{NAME}/config', sorted(glob('config/*.*'))),
        (f'share/{NAME}/config/models', sorted(glob('config/models/*.yaml'))),
        (f'share/{NAME}/config/worlds', sorted(glob('config/worlds/*.yaml'))),
        (f'share/{NAME}/config/ros2_control', sorted(glob('config/ros2_control/*'))),
        (f'share/{NAME}/config/sros2', sorted(glob('config/sros2/*.xml'))),
        (f'share/{NAME}/urdf', sorted(glob('urdf/*'))),
        (f'share/{NAME}/config/rviz', sorted(glob('config/rviz/*.rviz'))),
    ],
    python_requires='>=3.10',
    install_requires=CORE,
    extras_require=EXTRAS,
    zip_safe=False,
    author='symcontact_ros maintainers',
    author_email='symcontact@example.org',
    maintainer='symcontact_ros maintainers',
    maintainer_email='symcontact@example.org',
    url=URL,
    project_urls={'Changes': f'{URL}/CHANGELOG.rst'},
    description='Multibody contact simulation for ROS 2 from symbolic equations of motion',
    long_description=Path('README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    keywords=[
        *('ROS 2', 'simulation', 'contact', 'friction', 'collision detection'),
        *('multibody dynamics', 'symbolic', 'equations of motion', 'robotics'),
    ],
    classifiers=[
        'Development Status :: 4 - Beta',
        'Environment :: Console',
        'Intended Audience :: Education',
        'Intended Audience :: Science/Research',
        'Operating System :: MacOS',
        'Operating System :: POSIX :: Linux',
        *(f'Programming Language :: Python :: 3.{minor}' for minor in range(10, 14)),
        'Topic :: Scientific/Engineering :: Physics',
        'Topic :: Scientific/Engineering :: Mathematics',
        'Typing :: Typed',
    ],
    entry_points={
        'console_scripts': [
            'simulation_node = symcontact_ros.ros.executable:main',
            'symcontact = symcontact_ros.cli.main:main',
            'view_node = symcontact_ros.view.executable:main',
            *(
                f'{name} = symcontact_ros.examples.running:{name}'
                for name in (
                    'arm_trajectory',
                    'cart_pole_lqr',
                    'docking_guidance',
                    'spawn_robots',
                    'wall_push',
                )
            ),
        ],
    },
)
