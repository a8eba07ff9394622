"""What the node says: topics, their messages, and what is in them."""
