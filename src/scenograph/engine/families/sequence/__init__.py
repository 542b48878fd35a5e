"""Sequence diagrams: who takes part, when what happens, where it stands, how it is drawn."""
