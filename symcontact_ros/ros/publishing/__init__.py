"""Topics of the node and the contents of their messages."""
