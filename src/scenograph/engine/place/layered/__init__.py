"""The layered layout (Sugiyama): ranks, their order, and positions along them."""
