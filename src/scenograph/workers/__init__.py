"""Engine calls in killable processes: a budget of time and memory each, a bounded wait, replacement of lost processes.

A call that crashes or overruns its worker costs only its own caller an error: every worker has its own pipe and holds
no shared lock.
"""

from scenograph.workers.child import Reply
from scenograph.workers.documents import (
    LIGHT_BYTES,
    InThisProcess,
    Work,
    as_text,
    diagnostics_in,
    difference_in,
    limits_as_json,
)
from scenograph.workers.engine import (
    NO_EXTRAS,
    EngineWorkers,
    PictureExtras,
    PictureTooLarge,
    Rendered,
    SourceRead,
    SourceTooLarge,
    SourceUnreadable,
    begin_engine_workers,
)
from scenograph.workers.pool import Budget, WorkerPool
from scenograph.workers.turns import (
    BEGINS_AGAIN,
    CURRENT_PAYER,
    CURRENT_TURN,
    CallTurn,
    Payer,
    Share,
    TaskFailed,
    TurnNeeded,
    Turns,
    WorkerCrashed,
    WorkerOverloaded,
    WorkerTimedOut,
)

__all__ = [
    "BEGINS_AGAIN",
    "CURRENT_PAYER",
    "CURRENT_TURN",
    "LIGHT_BYTES",
    "NO_EXTRAS",
    "Budget",
    "CallTurn",
    "EngineWorkers",
    "InThisProcess",
    "Payer",
    "PictureExtras",
    "PictureTooLarge",
    "Rendered",
    "Reply",
    "Share",
    "SourceRead",
    "SourceTooLarge",
    "SourceUnreadable",
    "TaskFailed",
    "TurnNeeded",
    "Turns",
    "Work",
    "WorkerCrashed",
    "WorkerOverloaded",
    "WorkerPool",
    "WorkerTimedOut",
    "as_text",
    "begin_engine_workers",
    "diagnostics_in",
    "difference_in",
    "limits_as_json",
]
