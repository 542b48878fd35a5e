"""Where lines may leave and enter: what a scene, its shapes and its family say becomes ports of a problem."""
