"""
Interfaces without a wheel, built with the generators of the ROS 2 wheels and a C++ compiler.

A folder beside this file is a package: ``msg``, ``srv`` and ``action`` hold its definitions. The
generators are called as the Python functions they are, without ament and CMake, and all that they
write is compiled into one extension module.

    python tools/interfaces/build.py                  every package
    python tools/interfaces/build.py control_msgs     one of them

They are installed where a wheel would put them: modules beside other modules, definitions and the
index of packages in ``share``.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
import contextlib
import io
import json
import os
from pathlib import Path
import shutil
import sys
import sysconfig
import tempfile
import time

HERE = Path(__file__).resolve().parent
PREFIX = Path(sys.prefix).resolve()
SHARE = PREFIX / 'share'
INDEX = Path('share/ament_index/resource_index')
KINDS = ('msg', 'srv', 'action')
VISIBILITY = (
    'rosidl_generator_c',
    'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_introspection_c',
)
LIBRARIES = (
    'rosidl_typesupport_introspection_c',
    'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_fastrtps_cpp',
    'rosidl_typesupport_c',
    'rosidl_runtime_c',
    'rmw',
    'rcutils',
    'fastcdr',
)


def main() -> int:
    """Build what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('packages', nargs='*', default=packages(), metavar='PACKAGE')
    options = parser.parse_args()
    for package in options.packages:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as work:
            build(package, Path(work), PREFIX, Path(sysconfig.get_path('platlib')))
        print(f'{package}: installed after {time.monotonic() - began:.1f} s')
    return 0


def packages() -> list[str]:
    """Return the packages that are defined here."""
    return sorted(path.name for path in HERE.iterdir() if definitions(path.name))


def definitions(package: str) -> list[Path]:
    """Return the definition files of a package, relative to its folder."""
    folder = HERE / package
    return [
        path.relative_to(folder)
        for kind in KINDS
        for path in sorted((folder / kind).glob(f'*.{kind}'))
    ]


def build(package: str, work: Path, made: Path, modules: Path) -> None:
    """Generate and compile a package: its modules, and in made what describes it."""
    if not definitions(package):
        raise SystemExit(f'{HERE / package} holds no definition in {", ".join(KINDS)}')
    generated = work / 'generated'
    generated.mkdir()
    with contextlib.redirect_stdout(io.StringIO()):
        generate(package, generated)
    module = modules / package
    shutil.rmtree(module, ignore_errors=True)
    shutil.copytree(
        generated / 'python' / package, module, ignore=shutil.ignore_patterns('*.c', '*.h')
    )
    compile_module(package, generated, module)
    describe(package, generated, made)


def generate(package: str, generated: Path) -> None:
    """Run every rosidl generator on the definitions."""
    from rosidl_adapter import convert_to_idl
    from rosidl_generator_c import generate_c
    from rosidl_generator_py import generate_py
    from rosidl_generator_type_description import generate_type_hash
    from rosidl_typesupport_fastrtps_c import generate_typesupport_fastrtps_c
    from rosidl_typesupport_introspection_c import generate_c as generate_introspection_c

    def arguments(generator: str, folder: str) -> str:
        return write_arguments(package, generated, generator, folder)

    for path in definitions(package):
        convert_to_idl(HERE / package, package, path, generated / 'idl')
    generate_type_hash(arguments('rosidl_generator_type_description', 'json'))
    generate_c(arguments('rosidl_generator_c', 'c'))
    generate_typesupport_fastrtps_c(arguments('rosidl_typesupport_fastrtps_c', 'c'))
    # A folder of its own: its file names are those of rosidl_generator_c.
    generate_introspection_c(arguments('rosidl_typesupport_introspection_c', 'introspection'))
    generate_py(arguments('rosidl_generator_py', 'python'), ['rosidl_typesupport_c'])
    (generated / 'python' / package / '__init__.py').touch()
    for generator in VISIBILITY:
        header = f'{generator}__visibility_control.h'
        text = (SHARE / generator / 'resource' / f'{header}.in').read_text()
        text = text.replace('@PROJECT_NAME@', package)
        text = text.replace('@PROJECT_NAME_UPPER@', package.upper())
        target = generated / 'c' / package / 'msg' / header
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    (generated / 'dispatch.c').write_text(dispatch(package))


def write_arguments(package: str, generated: Path, generator: str, folder: str) -> str:
    """Write the argument file that a rosidl generator reads; return its path."""
    idls = [path.with_suffix('.idl') for path in definitions(package)]
    descriptions = generated / 'json' / package
    arguments = {
        'package_name': package,
        'output_dir': str(generated / folder / package),
        'template_dir': str(SHARE / generator / 'resource'),
        'idl_tuples': [f'{generated / "idl"}:{idl}' for idl in idls],
        'ros_interface_dependencies': [],
        'target_dependencies': [],
        'include_paths': [f'{name}:{SHARE / name}' for name in wheels(package)],
        'type_description_tuples': [
            f'{idl}:{descriptions / idl.with_suffix(".json")}' for idl in idls
        ],
    }
    path = generated / f'{generator}.json'
    path.write_text(json.dumps(arguments))
    return str(path)


def wheels(package: str) -> list[str]:
    """Return the interface packages of the wheels, on which a package may depend."""
    listed = sorted(path.name for path in (PREFIX / INDEX / 'rosidl_interfaces').iterdir())
    return [name for name in listed if name != package and (PREFIX / 'include' / name).is_dir()]


def dispatch(package: str) -> str:
    """Return the C source of the handles of every interface."""
    from rosidl_pycommon import convert_camel_case_to_lower_case_underscore as lower_case

    lines = ['#include "dispatch.h"']
    if any(path.suffix == '.action' for path in definitions(package)):
        lines += [
            '#include "action_msgs/msg/goal_status_array.h"',
            '#include "action_msgs/srv/cancel_goal.h"',
        ]
    macros = {'.msg': 'MESSAGE', '.srv': 'SERVICE', '.action': 'ACTION'}
    for path in definitions(package):
        kind = path.parent.name
        header = f'{package}/{kind}/detail/{lower_case(path.stem)}'
        lines += [f'#include "{header}__functions.h"', f'#include "{header}__type_support.h"']
        lines.append(f'{macros[path.suffix]}({package}, {kind}, {path.stem})')
    return '\n'.join(lines) + '\n'


def compile_module(package: str, generated: Path, module: Path) -> None:
    """Compile every generated C and C++ source, on all cores, into one extension."""
    import numpy
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    root = PREFIX / 'include'
    own = [generated / folder for folder in ('c', 'introspection', 'python')]
    folders = [HERE, *own, root, *sorted(path for path in root.iterdir() if path.is_dir())]
    includes = [str(path) for path in folders]
    includes += [numpy.get_include(), sysconfig.get_path('include')]
    sources = sorted(p for p in generated.rglob('*') if p.suffix in ('.c', '.cpp'))
    objects = generated / 'objects'

    def compiled(source: Path) -> list[str]:
        options = ['-O0', '-g0', '-w', '-fPIC']
        return compiler.compile(
            [str(source)], str(objects), include_dirs=includes, extra_postargs=options
        )

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = [name for names in pool.map(compiled, sources) for name in names]
    kinds = (*VISIBILITY, 'rosidl_generator_py', 'rosidl_typesupport_c')
    libraries = [f'{name}__{kind}' for name in wheels(package) for kind in kinds]
    present = [name for name in libraries if any((PREFIX / 'lib').glob(f'lib{name}.*'))]
    compiler.link_shared_object(
        made,
        str(module / f'{package}_s__rosidl_typesupport_c{sysconfig.get_config_var("EXT_SUFFIX")}'),
        libraries=[*present, *LIBRARIES],
        library_dirs=[str(PREFIX / 'lib')],
        extra_preargs=['-Wl,--as-needed'] if sys.platform == 'linux' else [],
        extra_postargs=[f'-Wl,-rpath,{PREFIX / "lib"}'],
        target_lang='c++',
    )


def describe(package: str, generated: Path, made: Path) -> None:
    """Write what `ros2 interface` and recorders read: definitions and the index of packages."""
    names = []
    for path in definitions(package):
        idl, description = path.with_suffix('.idl'), path.with_suffix('.json')
        for source in (
            HERE / package / path,
            generated / 'idl' / idl,
            generated / 'json' / package / description,
        ):
            target = made / 'share' / package / path.parent / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        names += [str(idl), str(description), str(path)]
    (made / 'share' / package / 'package.xml').write_text(
        f'<package format="3"><name>{package}</name><version>0.0.0</version><description>'
        f'Some interfaces of {package}, built by symcontact_ros</description><maintainer '
        'email="symcontact@example.org">symcontact_ros maintainers</maintainer><license>'
        'Apache-2.0</license></package>\n'
    )
    for kind, text in {'packages': '', 'rosidl_interfaces': '\n'.join(names) + '\n'}.items():
        folder = made / INDEX / kind
        folder.mkdir(parents=True, exist_ok=True)
        (folder / package).write_text(text)


if __name__ == '__main__':
    sys.exit(main())
