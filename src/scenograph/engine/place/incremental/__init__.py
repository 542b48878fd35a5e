"""Placing from a sketch: former places kept, room made for what is new."""
