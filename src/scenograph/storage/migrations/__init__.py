"""The history of the schema, a module a revision, and its upgrade at every start."""
