"""Plays tasks: stores what they need, lets an agent work, records, judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.client import Client

from agent_trials.agents import Agent
from agent_trials.checking import Verdict, judged
from agent_trials.recording import Record, Recorder
from agent_trials.tasks import Task
from scenograph.mcp.api_client import Api
from scenograph.mcp.server import build


@dataclass(frozen=True, slots=True)
class Trial:
    """A task that was played."""

    task: Task
    record: Record
    verdict: Verdict
    said: str

    def row(self) -> dict[str, Any]:
        """What a report says of it."""
        return {
            "task": self.task.id,
            "done": not self.verdict.problems,
            **self.record.figures(),
            "moved": self.verdict.moved,
            "problems": list(self.verdict.problems),
            "said": self.said,
        }


async def play(api: Api, task: Task, agent: Agent) -> Trial:
    """One task, from storing its scenes to the verdict."""
    await prepare(api, task)
    async with Client(build(api)) as client:
        recorder = Recorder(client)
        said = await agent(task, recorder)
    return Trial(task, recorder.record, await judged(api, task, recorder.record), said)


async def prepare(api: Api, task: Task) -> None:
    """Store the scenes that the task is about, with their history."""
    for kept in task.kept:
        scene_id = kept.scene["scene"]["id"]
        await api.post("/v1/scenes", kept.scene)
        for base, ops in enumerate(kept.edits, start=1):
            await api.post(f"/v1/scenes/{scene_id}/applyOps", _batch(scene_id, base, ops))


def _batch(scene_id: str, base: int, ops: Any) -> Mapping[str, Any]:
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": ops, "message": f"Edit {base}"}
