"""Rules between the parts of a document: a function for each rule, a row for each in `table.py`."""
