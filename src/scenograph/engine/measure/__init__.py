"""The measure stage: the natural size of every element before placement."""
