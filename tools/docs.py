"""`make docs`: the documentation as a site that works from disk, in build/docs."""

import argparse
from pathlib import Path
import shutil
import sys

from docs_links import faults
from sphinx.cmd.build import main as sphinx_build

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = ('gallery', 'files')
QUICK = ['-D', 'nb_execution_mode=off', '-D', 'gallery_pages=0']


def build(output, is_quick=False):
    """Build the site; return whether it is good, with all faults printed."""
    # Every page anew: many follow from code, of whose changes Sphinx knows nothing.
    options = ['-E', '-a', '-q', '-n', '-W', '--keep-going', *(QUICK if is_quick else ())]
    # What is kept between builds is beside the site and not part of it.
    kept = output.parent / f'{output.name}.cache'
    options += ['-d', str(kept / 'pages'), '-D', f'nb_execution_cache_path={kept / "notebooks"}']
    options += ['-D', f'gallery_cache={kept}']
    if (output / 'objects.inv').is_file():  # a site: pages that are gone would stay
        shutil.rmtree(output)
    status = sphinx_build([*options, '-b', 'html', str(ROOT / 'docs'), str(output)])
    wrong = faults(output, LEFT_OUT if is_quick else ())
    print(*wrong, sep='\n', end='\n' if wrong else '', file=sys.stderr)
    return status == 0 and not wrong


def main():
    """Build the site and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('output', nargs='?', type=Path, default=ROOT / 'build' / 'docs')
    parser.add_argument(
        '--quick', action='store_true', help='no notebooks, no pages of models and files'
    )
    options = parser.parse_args()
    if not build(options.output.resolve(), options.quick):
        return 1
    print(options.output / 'index.html')
    return 0


if __name__ == '__main__':
    sys.exit(main())
