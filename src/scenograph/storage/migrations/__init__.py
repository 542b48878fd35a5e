"""The schema's history, one module a revision, and how it is brought up to date at every start."""
