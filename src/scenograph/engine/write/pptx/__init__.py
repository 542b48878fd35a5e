"""A drawing as a PowerPoint file of one slide: a native shape a node, connectors glued at both ends.

`document` is the entry point: shapes, texts and the order of the slide; `connectors` the courses of edges; `drawingml`
the vocabulary of fills, lines, outlines and texts; `package` the parts of the file.
"""
