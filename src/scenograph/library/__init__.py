"""The library: scenes built, read, compared and drawn in a Python program, without the service.

`import scenograph` offers its names; what they need is imported when they are first used.
"""
