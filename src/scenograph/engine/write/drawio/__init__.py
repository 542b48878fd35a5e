"""A drawing as a draw.io file: one native shape per node, real containers, connectors bound at both ends.

`document` is the entry point; `cells` holds cells and their styles, `figures` everything but edges, `connectors` the
edges.
"""
