"""The course of each line, corner to corner, before lines give way to each other."""
