"""A drawing as a PowerPoint file of one slide: a native shape a node, connectors glued at both ends.

`slide` is the entry point: shapes, texts and connectors in the order of the slide, and the parts of the file;
`office_xml` the vocabulary of fills, lines, outlines and texts.
"""
