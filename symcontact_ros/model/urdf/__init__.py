"""Reading of URDF and xacro files."""
