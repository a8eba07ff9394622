"""
The cache of what tests derive and compile.

It lasts from run to run in the virtual environment, and stays out of the user's own cache. Its
keys are hashes of all that a result depends on, sources included, so that nothing stale is ever
found in it. A cold run has an empty one that ends with it: for CI, every night, and for the time
that a new clone takes.
"""

import os
from pathlib import Path
import sys
import tempfile

MOST = 20_000  # entries: a whole run makes some 3,000, a changed kernel many of them anew
_kept = []  # so that the folder of a cold run lasts as long as the run


def use_test_cache(cold):
    """Let this process and those that it starts use the cache of the tests."""
    if cold or sys.prefix == sys.base_prefix:  # not in the folder of a system's Python
        _kept.append(tempfile.TemporaryDirectory(prefix='symcontact_test_cache_'))
        folder = Path(_kept[-1].name)
    else:
        folder = Path(sys.prefix, 'symcontact_test_cache')
    os.environ['SYMCONTACT_CACHE_DIR'] = str(folder)
    os.environ['SYMCONTACT_CACHE_ENTRIES'] = str(MOST)
