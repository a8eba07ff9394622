"""When the simulation steps, and what others want done to it."""
