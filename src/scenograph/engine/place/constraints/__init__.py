"""Constraints: wishes about positions, fulfilled after layout and before routing (R-CON-1)."""
