"""The tasks: what an agent is asked, what is stored before, what must be there afterwards, and one way to get there.

In: the files of the folder `tasks`, one a family. README.md says what their members mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).with_name("tasks")
KINDS = ("make", "edit", "undo", "hand over", "import")
Document = Mapping[str, Any]


class Call(NamedTuple):
    """One call of a tool."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A scene that is stored before the task begins; each batch of `edits` makes a further revision."""

    scene: Document
    edits: Sequence[Sequence[Mapping[str, Any]]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One row of a file."""

    id: str
    family: str
    kind: str
    prompt: str
    goal: Mapping[str, Any]
    golden: Sequence[Call]
    kept: Sequence[Kept] = ()


def read_tasks() -> tuple[Task, ...]:
    """All tasks, a file after the other."""
    return tuple(_task(file.stem, row) for file in sorted(FOLDER.glob("*.json")) for row in _rows(file))


def _rows(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return rows


def _task(family: str, row: Mapping[str, Any]) -> Task:
    return Task(
        id=row["id"],
        family=family,
        kind=row["kind"],
        prompt=row["prompt"],
        goal=row["goal"],
        golden=tuple(Call(*step) for step in row["golden"]),
        kept=tuple(Kept(**kept) for kept in row.get("kept", ())),
    )
