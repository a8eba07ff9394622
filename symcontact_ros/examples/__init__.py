"""Example controllers, which communicate with the simulation over ROS only."""
