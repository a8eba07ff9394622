"""The standard interfaces of simulators: simulation_interfaces, where it is installed."""
