#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Lets an agent do tasks at the tool server, and says how well it went.

    uv run scripts/try_agents.py                                  # the golden way of all tasks
    uv run scripts/try_agents.py --agent "python my_agent.py"     # a program of yours, started once a task
    uv run scripts/try_agents.py --agent "..." --sample 20 --transcripts FOLDER

A service is started as `scenograph mcp --local` starts it, with an empty database. What an agent is told and how it
answers: scripts/agent_trials/README.md. Ends with 0 when every task was done.
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import anyio
from agent_trials.agents import Agent, command, golden
from agent_trials.playing import Trial, play
from agent_trials.tasks import Task, read_tasks
from cyclopts import App, Parameter

from scenograph.mcp.running import service
from scenograph.settings import Settings

STRIDE = 37
"""Coprime to the number of tasks: a sample has all kinds and families in turn."""

app = App(name="try_agents", help="Lets an agent do tasks at the tool server.")


@app.default
def main(
    *,
    agent: Annotated[str, Parameter(help="A command that speaks lines of JSON; left out, the golden ways.")] = "",
    only: Annotated[str, Parameter(help="Only tasks whose id, family or kind this is.")] = "",
    sample: Annotated[int, Parameter(help="Only so many, of all kinds and families.")] = 0,
    at_once: Annotated[int, Parameter(help="How many tasks are worked on at a time.")] = 1,
    transcripts: Annotated[Path | None, Parameter(help="Where to write what was said, a file a task.")] = None,
) -> int:
    """Play the tasks and print the figures; gives the exit code."""
    chosen = [task for task in read_tasks() if only in {"", task.id, task.family, task.kind}]
    chosen = [chosen[at * STRIDE % len(chosen)] for at in range(sample)] if 0 < sample < len(chosen) else chosen
    worker = command(shlex.split(agent)) if agent else golden
    trials = anyio.run(_play_all, chosen, worker, at_once)
    for trial in trials:
        print(json.dumps(trial.row(), ensure_ascii=False))
        if transcripts is not None:
            _write(transcripts, trial)
    print(_summary(trials))
    return 0 if all(not trial.verdict.problems for trial in trials) else 1


async def _play_all(tasks: list[Task], agent: Agent, at_once: int) -> list[Trial]:
    trials: dict[str, Trial] = {}
    room = anyio.CapacityLimiter(at_once)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"database_url": f"sqlite:///{folder}/scenes.db", "export_dir": folder})
        async with service(settings, local=True) as api, anyio.create_task_group() as group:

            async def one(task: Task) -> None:
                async with room:
                    trials[task.id] = await play(api, task, agent)

            for task in tasks:
                group.start_soon(one, task)
    return [trials[task.id] for task in tasks]


def _summary(trials: list[Trial]) -> str:
    calls = [len(trial.record.calls) for trial in trials]
    refused = sum(trial.record.refusals for trial in trials)
    done = sum(not trial.verdict.problems for trial in trials)
    received = sum(trial.record.received for trial in trials)
    return (
        f"{done} of {len(trials)} tasks done; median calls {median(calls):g}; refused {refused} of {sum(calls)} calls; "
        f"{received // max(1, len(trials))} characters received a task; "
        f"{sum(trial.record.images for trial in trials)} images"
    )


def _write(folder: Path, trial: Trial) -> None:
    """The transcript as JSON: the task, each call with its result (pictures left out), the verdict."""
    folder.mkdir(parents=True, exist_ok=True)
    record = trial.record
    steps = [
        {"tool": tool, "arguments": arguments, "result": _without_pictures(result)}
        for (tool, arguments), result in zip(record.calls, record.results, strict=True)
    ]
    told = {"prompt": trial.task.prompt, "steps": steps, **trial.row()}
    (folder / f"{trial.task.id}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _without_pictures(result: dict[str, Any]) -> dict[str, Any]:
    blocks = result.get("content", [])
    kept = [{**block, "data": "…"} if block["type"] == "image" else block for block in blocks]
    return {**result, "content": kept}


if __name__ == "__main__":
    sys.exit(app())
