"""Models made of several files: robots and models that are included, and worlds around robots."""
