"""Lines that share a stretch: which they are, and the trunk that they share."""
