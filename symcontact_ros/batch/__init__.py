"""Many worlds of one model, advanced together: start with `batch.py`."""
