"""Scenograph: diagrams kept as data, laid out, routed and drawn."""
