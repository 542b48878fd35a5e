"""Distances between points drawn towards wished ones, pair by pair: stochastic gradient descent of the stress."""

from __future__ import annotations

from math import sqrt

Pair = tuple[int, int, float]  # two points, and the distance that they should have


def relax(pairs: list[Pair], xs: list[float], ys: list[float], steps: list[float]) -> None:
    """Move the points: once through all pairs for each step, there and back in turns. A pair moves by as much as the
    step allows for the square of its distance, at most to where it should be."""
    order = pairs
    for step in steps:
        for first, second, distance in order:
            dx, dy = xs[first] - xs[second], ys[first] - ys[second]
            length = sqrt(dx * dx + dy * dy)
            if length == 0.0:
                length = 1e-9
            share = min(1.0, step / (distance * distance)) * (length - distance) / (2 * length)
            xs[first] -= share * dx
            xs[second] += share * dx
            ys[first] -= share * dy
            ys[second] += share * dy
        order = order[::-1]
