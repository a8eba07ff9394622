"""Joint types, one module each: ``table.py`` lists them, ``base.py`` has their interface."""
