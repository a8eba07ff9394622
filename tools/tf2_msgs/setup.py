"""
Build tf2_msgs, one message, with pip and a C++ compiler: no ament, no CMake.

The ROS 2 wheels on PyPI bring every code generator but not this interface. The generators are
called as the Python functions they are, and all they write is compiled into one extension module.
Install with ``--no-build-isolation`` in the environment that holds the ``ros-*`` wheels.
"""

import json
from pathlib import Path
import shutil
import sys

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = 'tf2_msgs'
DEPENDENCIES = ('geometry_msgs', 'std_msgs', 'builtin_interfaces')
HERE = Path(__file__).resolve().parent
GENERATED = HERE / 'build' / 'generated'
PREFIX = Path(sys.prefix)
SHARE = PREFIX / 'share'


def generator_arguments(generator, output_dir, **extra):
    """Write the argument file that a rosidl generator reads; return its path."""
    dependencies = [
        f'{package}:{idl}'
        for package in DEPENDENCIES
        for idl in sorted((SHARE / package / 'msg').glob('*.idl'))
    ]
    arguments = {
        'package_name': PACKAGE,
        'output_dir': str(output_dir / PACKAGE),
        'template_dir': str(SHARE / generator / 'resource'),
        'idl_tuples': [f'{GENERATED / "idl"}:msg/TFMessage.idl'],
        'ros_interface_dependencies': dependencies,
        'target_dependencies': [],
        'type_description_tuples': [
            f'msg/TFMessage.idl:{GENERATED / "json" / PACKAGE / "msg" / "TFMessage.json"}'
        ],
        **extra,
    }
    path = GENERATED / f'{generator}.json'
    path.write_text(json.dumps(arguments))
    return str(path)


def generate():
    """Run every rosidl generator on the message definition."""
    from rosidl_adapter.msg import convert_msg_to_idl
    from rosidl_generator_c import generate_c
    from rosidl_generator_py import generate_py
    from rosidl_generator_type_description import generate_type_hash
    from rosidl_typesupport_fastrtps_c import generate_typesupport_fastrtps_c
    from rosidl_typesupport_introspection_c import generate_c as generate_introspection_c

    shutil.rmtree(GENERATED, ignore_errors=True)
    GENERATED.mkdir(parents=True)
    c, introspection = GENERATED / 'c', GENERATED / 'introspection'
    convert_msg_to_idl(HERE, PACKAGE, Path('msg/TFMessage.msg'), GENERATED / 'idl' / 'msg')
    generate_type_hash(
        generator_arguments(
            'rosidl_generator_type_description',
            GENERATED / 'json',
            include_paths=[f'{package}:{SHARE / package}' for package in DEPENDENCIES],
        )
    )
    generate_c(generator_arguments('rosidl_generator_c', c))
    generate_typesupport_fastrtps_c(generator_arguments('rosidl_typesupport_fastrtps_c', c))
    # A folder of its own: its file names are those of rosidl_generator_c.
    generate_introspection_c(
        generator_arguments('rosidl_typesupport_introspection_c', introspection)
    )
    generate_py(
        generator_arguments('rosidl_generator_py', GENERATED / 'python'), ['rosidl_typesupport_c']
    )
    for generator in (
        'rosidl_generator_c',
        'rosidl_typesupport_fastrtps_c',
        'rosidl_typesupport_introspection_c',
    ):
        header = f'{generator}__visibility_control.h'
        text = (SHARE / generator / 'resource' / f'{header}.in').read_text()
        text = text.replace('@PROJECT_NAME@', PACKAGE)
        text = text.replace('@PROJECT_NAME_UPPER@', PACKAGE.upper())
        (c / PACKAGE / 'msg' / header).write_text(text)
    (GENERATED / 'python' / PACKAGE / '__init__.py').touch()


def relative(paths):
    """Return paths as setuptools wants them: strings relative to setup.py, in a fixed order."""
    return sorted(str(path.relative_to(HERE)) for path in paths)


class BuildExt(build_ext):
    """Compile every generated C and C++ source into the one extension."""

    def run(self):
        """Fill in the sources, which exist only after generation."""
        sources = [p for p in GENERATED.rglob('*') if p.suffix in ('.c', '.cpp')]
        self.extensions[0].sources = [*relative(sources), 'dispatch.c']
        super().run()


TYPE_SUPPORTS = (
    'rosidl_generator_c',
    'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_introspection_c',
    'rosidl_generator_py',
)
LIBRARIES = [f'{package}__{kind}' for package in DEPENDENCIES for kind in TYPE_SUPPORTS] + [
    'rosidl_typesupport_introspection_c',
    'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_fastrtps_cpp',
    'rosidl_typesupport_c',
    'rosidl_runtime_c',
    'rmw',
    'rcutils',
    'fastcdr',
]

generate()
INCLUDES = [GENERATED / 'c', GENERATED / 'introspection', GENERATED / 'python', PREFIX / 'include']
INCLUDES += sorted(path for path in (PREFIX / 'include').iterdir() if path.is_dir())
INDEX = GENERATED / 'index'
for kind, text in {
    'packages': '',
    'rosidl_interfaces': 'msg/TFMessage.idl\nmsg/TFMessage.json\nmsg/TFMessage.msg\n',
}.items():
    (INDEX / kind).mkdir(parents=True)
    (INDEX / kind / PACKAGE).write_text(text)

setup(
    name=PACKAGE,
    version='0.36.0',
    packages=[PACKAGE, f'{PACKAGE}.msg'],
    package_dir={PACKAGE: f'build/generated/python/{PACKAGE}'},
    cmdclass={'build_ext': BuildExt},
    ext_modules=[
        Extension(
            f'{PACKAGE}.{PACKAGE}_s__rosidl_typesupport_c',
            sources=[],
            include_dirs=[numpy.get_include(), *map(str, INCLUDES)],
            libraries=LIBRARIES,
            library_dirs=[str(PREFIX / 'lib')],
            extra_compile_args=['-O1', '-w'],
            extra_link_args=['-Wl,-rpath,$ORIGIN/../../..', '-Wl,--as-needed'],
        )
    ],
    data_files=[
        (f'share/{PACKAGE}', ['package.xml']),
        (
            f'share/{PACKAGE}/msg',
            [
                'msg/TFMessage.msg',
                *relative((GENERATED / 'idl').rglob('*.idl')),
                *relative((GENERATED / 'json').rglob('TFMessage.json')),
            ],
        ),
        *(
            (
                f'share/ament_index/resource_index/{kind}',
                [f'build/generated/index/{kind}/{PACKAGE}'],
            )
            for kind in ('packages', 'rosidl_interfaces')
        ),
    ],
)
