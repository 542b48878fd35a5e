"""Servers on this machine alone, for tests, chaos scripts and benchmarks: PostgreSQL, Redis, the service itself.

Each is started by a context manager, listens on a Unix socket or on 127.0.0.1 at a port of its own, and is gone when
the manager ends.
"""
