"""What may become of an engine call that does not succeed."""

from __future__ import annotations


class WorkerOverloaded(Exception):  # noqa: N818 - states, named as the replies say them
    """There is no room for the call, or it had to make room for an owner's."""


class WorkerTimedOut(Exception):  # noqa: N818
    """The task overran its wall time; its worker was killed."""


class WorkerCrashed(Exception):  # noqa: N818
    """The worker died on the task, by its own fault, out of memory, or from outside."""


class TaskFailed(WorkerCrashed):
    """The task raised; its worker lives. The text names the exception and the places, never the scene."""
