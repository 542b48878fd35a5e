"""The measure stage: how large every element wants to be before it is placed."""
