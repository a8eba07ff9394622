"""Where things of this repository are."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
ROOT = TEST.parent
URDF = TEST / 'urdf'  # robots made for tests


def page(name):
    """Return the text of a page of docs/."""
    return (ROOT / 'docs' / name).read_text(encoding='utf-8')


def script(path):
    """Return a script of this repository as a module."""
    spec = spec_from_file_location(Path(path).stem, ROOT / path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
