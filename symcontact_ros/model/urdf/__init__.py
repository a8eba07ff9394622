"""URDF and xacro files become descriptions."""
