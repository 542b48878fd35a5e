"""The course of each route, corner to corner, before nudging."""
