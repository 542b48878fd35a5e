"""Engine calls in killable processes: a budget of time and memory each, a bounded wait, replacement of what is lost.

A call that crashes or overruns its worker costs its own caller an error and nobody else anything: every worker has a
pipe of its own and holds no lock that another needs.
"""

from scenograph.workers.engine import (
    NO_EXTRAS,
    EngineWorkers,
    Extras,
    PictureTooLarge,
    Rendered,
    SourceRead,
    SourceTooLarge,
    SourceUnreadable,
)
from scenograph.workers.faults import TaskFailed, WorkerCrashed, WorkerOverloaded, WorkerTimedOut
from scenograph.workers.pool import Budget, WorkerPool
from scenograph.workers.turns import CURRENT_PAYER, CURRENT_TURN, Payer, Share, Turn, Turns

__all__ = [
    "CURRENT_PAYER",
    "CURRENT_TURN",
    "NO_EXTRAS",
    "Budget",
    "EngineWorkers",
    "Extras",
    "Payer",
    "PictureTooLarge",
    "Rendered",
    "Share",
    "SourceRead",
    "SourceTooLarge",
    "SourceUnreadable",
    "TaskFailed",
    "Turn",
    "Turns",
    "WorkerCrashed",
    "WorkerOverloaded",
    "WorkerPool",
    "WorkerTimedOut",
]
