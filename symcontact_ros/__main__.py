"""``python -m symcontact_ros`` is the ``symcontact`` command."""

import sys

from symcontact_ros.cli.main import main

sys.exit(main())
