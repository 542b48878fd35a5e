"""The engine's tasks in a worker whose engine fails whenever it is to keep former places."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from unittest.mock import patch

from scenograph.engine.place import placing
from scenograph.workers.child import Reply, Task
from scenograph.workers.tasks import TASKS as SOUND


def _fail(*_: object, **__: object) -> None:
    raise KeyError("a secret of the scene")


def _forgetting(task: Task, arguments: Mapping[str, Any], body: bytes) -> Reply:
    with patch.object(placing, "remembered", _fail):  # in the task alone: the fork server may have imported this module
        return task(arguments, body)


TASKS = {name: partial(_forgetting, task) for name, task in SOUND.items()}
