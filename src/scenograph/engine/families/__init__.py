"""Families: what each kind of diagram calls its things and how they look."""
