"""The penalty laws: from overlap and velocity to force."""
