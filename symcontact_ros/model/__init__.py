"""What is simulated: shapes, bodies, materials, parameters, and the files they come from."""
