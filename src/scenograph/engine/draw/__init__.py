"""Draw: paint in order, from a laid-out scene."""
