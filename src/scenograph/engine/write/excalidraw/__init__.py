"""A drawing as an Excalidraw document (file format version 2), as one would have drawn it there.

`document` is the way in; `primitives` are its elements, `figures` nodes, containers and what stands beside them,
`arrows` edges, `texts` labels.
"""
