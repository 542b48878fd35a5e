"""What must hold between the parts of a document: one function a rule, one row a rule in `table.py`."""
