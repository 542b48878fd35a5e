"""A drawing as an Excalidraw document (file format version 2), as if drawn in Excalidraw.

`document` is the entry point; `primitives` holds the elements, `figures` nodes, containers and footers, `arrows` edges,
`texts` labels.
"""
