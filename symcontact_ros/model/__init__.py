"""The multibody model: bodies, sensors, parameters, and the files they are read from."""
