"""A description becomes the parts of a model: everything is checked, all faults at once."""
