"""A drawing as a draw.io file: one native shape a node, real containers, connectors bound at both ends.

`document` is the way in; `cells` are its elements and their styles, `figures` everything but edges, `connectors` edges.
"""
