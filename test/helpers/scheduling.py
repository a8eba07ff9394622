"""How pytest-xdist shares the tests out."""

from xdist.scheduler import LoadScopeScheduling

# Folders and files in the order in which they begin: at the end short ones even out who is done.
FIRST = ('ros', 'examples', 'simulation', 'symbolic', 'tools', 'geometry', 'bench')
OVER_DDS = ('test/ros/', 'test/examples/test_examples_ros', 'test/tools/test_colcon')
OVER_DDS += ('test/tools/test_launch',)
ONE_BY_ONE = ('test/simulation/test_validation',)  # long, and nothing in it is shared


class Scheduling(LoadScopeScheduling):
    """
    Give workers whole files, so that what a file computes once is computed once.

    All that talks over DDS is one work for one worker: these tests wait for processes of their
    own, and are never in each other's way.
    """

    def _split_scope(self, nodeid):
        if nodeid.startswith(OVER_DDS):
            return 'over DDS'
        return nodeid if nodeid.startswith(ONE_BY_ONE) else nodeid.partition('::')[0]


def place(nodeid):
    """Return the place of a test in the order."""
    if nodeid.startswith(OVER_DDS):
        return -1
    folder = nodeid.split('/')[1]
    return FIRST.index(folder) if folder in FIRST else len(FIRST)
