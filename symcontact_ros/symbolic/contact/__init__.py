"""Contact geometry in symbols: distances, normals and Jacobians of features that meet."""
