"""Contact geometry in symbols: distances, normals and Jacobians of pairs of features."""
