"""The same scenes in the languages of other tools that draw diagrams from text."""
