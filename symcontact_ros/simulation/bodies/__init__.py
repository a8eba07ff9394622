"""Motion of one body: floating in the plane or in space, and the records of bodies on joints."""
