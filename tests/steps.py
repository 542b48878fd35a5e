"""The work of a task, counted: what several folders of the tests hold bounds against."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def work(task: Callable[[], object]) -> int:
    """How many functions a task calls: the same on every machine and on every run."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count
