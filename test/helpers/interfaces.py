"""Packages of interfaces that are installed here and may be missing elsewhere."""

import os


def without(package, folder):
    """Return the variables with which a process finds a package missing."""
    text = f'raise ModuleNotFoundError("No module named {package}", name="{package}")\n'
    (folder / f'{package}.py').write_text(text)
    paths = [str(folder), os.environ.get('PYTHONPATH', '')]
    return {'PYTHONPATH': os.pathsep.join(filter(None, paths))}
