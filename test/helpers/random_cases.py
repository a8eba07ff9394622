"""
Seed and number of the random cases of a run.

Every day has another seed, which the first lines of a run say, so that many runs try many cases
and none of them takes long. `SYMCONTACT_TEST_SEED=2026-11-19` has the cases of that day again.
`make test-deep` tries all cases, of that seed and of the fixed ones.
"""

import datetime
import hashlib
import os

SEED = os.environ.get('SYMCONTACT_TEST_SEED') or datetime.date.today().isoformat()
IS_DEEP = os.environ.get('SYMCONTACT_TEST_CASES') == 'all'


def number_of_seed():
    """Return the seed of today as a number, for those who want one."""
    return int.from_bytes(hashlib.sha256(SEED.encode()).digest()[:4], 'big')


def cases(number, share=5):
    """Return how many of that many cases a run tries: all in `make test-deep`, else a share."""
    return number if IS_DEEP else max(1, number // share)
