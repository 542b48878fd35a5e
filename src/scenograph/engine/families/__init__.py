"""Families: vocabularies, defaults and looks of each kind of diagram."""
