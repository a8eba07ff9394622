"""Building blocks of the launch files in ``launch/``."""
