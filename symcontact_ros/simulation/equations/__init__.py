"""Equations of motion as numeric functions of coordinates and speeds."""
