"""Tasks that have an id."""
