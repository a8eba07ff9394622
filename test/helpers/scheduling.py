"""How pytest-xdist shares the tests out."""

from xdist.scheduler import LoadScopeScheduling

OVER_DDS = (
    'test/ros/',
    'test/examples/test_examples_ros',
    'test/tools/test_colcon',
    'test/tools/test_launch',
    'test/tools/test_tutorials',
)
# The longest files begin; at the end short tests even out who is done.
FIRST = (
    *OVER_DDS,
    'test/collision/',
    'test/kernels/test_kernel_fuzz',
    'test/symbolic',
    'test/simulation/test_metamorphic',
)
LAST = ('test/simulation/test_validation',)
ONE_BY_ONE = ('test/kernels/test_kernel_fuzz', *LAST)  # they share nothing


class Scheduling(LoadScopeScheduling):
    """
    Give workers whole files, so that what a file computes once is computed once.

    Tests over DDS wait for processes of their own, each on a domain that no other test has, so
    that every worker may have some.
    """

    def _split_scope(self, nodeid):
        return nodeid if nodeid.startswith(ONE_BY_ONE) else nodeid.partition('::')[0]


def place(nodeid):
    """Return the place of a test in the order."""
    if nodeid.startswith(LAST):
        return len(FIRST) + 1
    places = (i for i, start in enumerate(FIRST) if nodeid.startswith(start))
    return next(places, len(FIRST))
