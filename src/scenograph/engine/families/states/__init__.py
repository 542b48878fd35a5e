"""State machines: states, pseudo-states, composite states and their regions (UML 2.5)."""
