"""Controllers that close loops with the simulation. They talk ROS to it and nothing else."""
