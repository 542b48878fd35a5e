"""Containers: frames and pools, their content composed into units."""
