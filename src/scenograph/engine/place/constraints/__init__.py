"""Constraints: wishes about positions, fulfilled after layout and before routing (decisions: sections 2 and 14)."""
