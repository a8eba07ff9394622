"""Contact laws: normal force and friction from depth and velocity."""
