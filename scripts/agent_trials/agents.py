"""Who works on a task: a script that takes the golden way, or any command that speaks lines of JSON.

A command gets one line first: `{"task", "instructions", "tools"}`. It answers with a line `{"call": {"name",
"arguments"}}`, gets a line `{"result": …}` as the tool server gave it, and so on, until it writes `{"done": "what it
would tell the user"}` or ends.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client import Client

from agent_trials.recording import Recorder
from agent_trials.tasks import Task

MOST_STEPS = 40
LONGEST_LINE = 16 << 20
PATIENCE = 600.0  # seconds for one line of a command

Agent = Callable[[Task, Recorder], Awaitable[str]]


async def golden(task: Task, recorder: Recorder) -> str:
    """Take the way that the task names; stop at a refusal."""
    for tool, arguments in task.golden:
        result = await recorder.call(tool, arguments)
        if result.get("isError"):
            return f"{tool} was refused: {result['content'][0]['text']}"
    return "Done."


def command(words: Sequence[str]) -> Agent:
    """An agent that is a program, started once a task."""

    async def work(task: Task, recorder: Recorder) -> str:
        async with await anyio.open_process(list(words), stderr=None) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            lines = BufferedByteReceiveStream(process.stdout)
            message: Mapping[str, Any] = await _told(task, recorder.client)
            for _ in range(MOST_STEPS):
                try:
                    await process.stdin.send(_line(message))
                    with anyio.fail_after(PATIENCE):
                        said = json.loads(await lines.receive_until(b"\n", LONGEST_LINE))
                except (anyio.BrokenResourceError, anyio.IncompleteRead, anyio.EndOfStream):
                    return "It ended without a word."
                if "call" not in said:
                    return str(said.get("done", ""))
                asked = said["call"]
                message = {"result": await recorder.call(asked["name"], asked.get("arguments") or {})}
            process.terminate()
        return f"It did not end after {MOST_STEPS} calls."

    return work


async def _told(task: Task, client: Client) -> dict[str, Any]:
    """All that an agent knows: the request, the server's instructions and its tools."""
    tools = (await client.list_tools()).tools
    return {
        "task": task.prompt,
        "instructions": client.instructions,
        "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools],
    }


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
