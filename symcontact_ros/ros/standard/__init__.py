"""The interfaces that simulators share: simulation_interfaces, where it is installed."""
