"""Parallel stretches in one channel: their order, and the distance between them."""
