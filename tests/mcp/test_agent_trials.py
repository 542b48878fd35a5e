"""The tasks for agents: each has a way that works, and the checks find what is wrong."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest
from agent_trials.agents import Agent, command, golden
from agent_trials.playing import Trial, play
from agent_trials.tasks import KINDS, Call, Task, read_tasks
from tests.mcp.conftest import KEY, Service, serving

from scenograph.mcp.running import opened
from scenograph.mcp.tools import TOOLS

TASKS = {task.id: task for task in read_tasks()}


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Its scenes are those of the tasks alone."""
    yield from serving(tmp_path_factory.mktemp("trials"))


def trial(service: Service, task: Task, agent: Agent = golden) -> Trial:
    async def session() -> Trial:
        async with opened(service.address, KEY) as api:
            return await play(api, task, agent)

    return anyio.run(session)


def renamed(task: Task, suffix: str) -> Task:
    """The task over scenes of other ids, so that it can be played again beside itself."""
    names = {kept.scene["scene"]["id"] for kept in task.kept} | {task.goal["scene"]}

    def changed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: changed(member) for name, member in value.items()}
        if isinstance(value, list | tuple):
            return [changed(member) for member in value]
        return f"{value}-{suffix}" if isinstance(value, str) and value in names else value

    kept = [replace(one, scene=changed(one.scene)) for one in task.kept]
    golden_way = [Call(tool, changed(arguments)) for tool, arguments in task.golden]
    return replace(task, kept=kept, goal=changed(task.goal), golden=golden_way)


def with_last(task: Task, *ops: Mapping[str, Any]) -> Task:
    """The task, its edit made with further operations."""
    at = next(number for number, call in enumerate(task.golden) if call.tool == "dsp_apply_ops")
    arguments = task.golden[at].arguments
    more = Call("dsp_apply_ops", {**arguments, "ops": [*arguments["ops"], *ops]})
    return replace(task, golden=[*task.golden[:at], more, *task.golden[at + 1 :]])


def test_there_are_a_hundred_tasks_of_every_kind_in_ten_families_and_everyday_work() -> None:
    counts = Counter(task.family for task in TASKS.values())
    assert (len(TASKS), counts.pop("everyday")) == (100, 40)
    assert (len(counts), set(counts.values())) == (10, {6})
    kinds = {task.id.split("-")[1] for task in TASKS.values() if task.family == "everyday"}
    assert len(kinds) == 14
    assert {task.kind for task in TASKS.values()} == set(KINDS)
    assert {call.tool for task in TASKS.values() for call in task.golden} <= {tool.name for tool in TOOLS}


@pytest.mark.parametrize("name", TASKS)
def test_the_golden_way_does_the_task(own_service: Service, name: str) -> None:
    played = trial(own_service, TASKS[name])
    assert played.verdict.problems == ()
    assert played.record.refusals == 0
    assert played.record.figures()["calls"] == len(TASKS[name].golden)


@pytest.mark.parametrize(
    ("name", "ops", "problem"),
    [
        ("architecture-add-cache", [{"op": "deleteElement", "id": "mail"}], "missing node: mail provider"),
        ("architecture-add-cache", [{"op": "updateNode", "id": "web", "tooltip": "x"}], "web was not to be changed"),
        ("architecture-add-cache", [{"op": "updateEdge", "id": "e4", "label": "uses"}], "says reads"),
        ("architecture-add-cache", [{"op": "reparentElement", "id": "cache"}], "missing in backend: sessions"),
        ("architecture-add-cache", [{"op": "updateScene", "brief": "x"}], "brief was not to be changed"),
        (
            "architecture-find-and-rename",
            [{"op": "updateScene", "layoutStrategy": {"direction": "TB"}}],
            "of the elements moved",
        ),
        ("architecture-find-and-rename", [{"op": "setStyle", "id": "s", "style": {"fill": "#fff"}}], "s/style/fill"),
        ("sequence-rename", [{"op": "setText", "id": "m1", "text": "sign in"}], "says sign in with passkey"),
        ("classes-subclass", [{"op": "updateEdge", "id": "u4", "edgeType": "uml.depends"}], "is of type uml.depends"),
        ("cloud-icons", [{"op": "updateNode", "id": "w", "icon": "lucide:box"}], "w has no icon of gcp:"),
        ("uiflow-import", [{"op": "createNode", "id": "x", "label": "Home"}], "not asked for, node: home #2"),
    ],
)
def test_what_is_wrong_afterwards_is_found(
    own_service: Service, name: str, ops: Sequence[Mapping[str, Any]], problem: str
) -> None:
    task = renamed(TASKS[name], f"wrong-{sum(str(ops).encode())}")
    said = trial(own_service, with_last(task, *ops)).verdict.problems
    assert any(problem in one for one in said), said


@pytest.mark.parametrize(
    ("name", "kept_calls", "problem"),
    [
        ("architecture-make", 0, "scene ticket-shop"),
        ("architecture-undo", 1, "not that of revision 1"),
        ("architecture-export", 1, "no file was handed over as drawio"),
        ("cloud-publish", 0, "the scene is not public"),
        ("entities-sync", 1, "missing node: reader"),
    ],
)
def test_what_was_left_undone_is_found(own_service: Service, name: str, kept_calls: int, problem: str) -> None:
    task = renamed(TASKS[name], "undone")
    played = trial(own_service, replace(task, golden=task.golden[:kept_calls]))
    assert any(problem in one for one in played.verdict.problems), played.verdict.problems


PROGRAM = """
import json, sys
told = json.loads(sys.stdin.readline())
assert "dsp_publish_scene" in [tool["name"] for tool in told["tools"]] and "dsp_" in told["instructions"]
def call(name, **arguments):
    print(json.dumps({"call": {"name": name, "arguments": arguments}}), flush=True)
    return json.loads(sys.stdin.readline())["result"]
assert call("dsp_publish_scene", scene="x")["isError"]
reply = call("dsp_publish_scene", sceneId=told["task"].split()[-1])
print(json.dumps({"done": reply["structuredContent"]["publicUrl"]}), flush=True)
"""


def test_a_program_works_on_a_task_by_lines_of_json(own_service: Service) -> None:
    task = renamed(TASKS["cloud-publish"], "program")
    task = replace(task, prompt=f"Publish {task.goal['scene']}")
    played = trial(own_service, task, command([sys.executable, "-c", PROGRAM]))
    assert played.verdict.problems == ()
    assert played.said.endswith("/s/uploads-public-program")
    assert played.record.figures()["calls"] == 2
    assert played.record.figures()["refusals"] == 1


def test_a_program_that_ends_early_has_not_done_the_task(own_service: Service) -> None:
    task = renamed(TASKS["cloud-publish"], "early")
    played = trial(own_service, task, command([sys.executable, "-c", "pass"]))
    assert played.said == "It ended without a word."
    assert played.verdict.problems == ("the scene is not public",)


def test_a_program_that_ends_before_the_result_of_its_call_has_not_done_the_task(own_service: Service) -> None:
    task = renamed(TASKS["cloud-publish"], "hasty")
    program = """import json, os; os.close(0); print(json.dumps({"call": {"name": "dsp_list_scenes"}}))"""
    assert trial(own_service, task, command([sys.executable, "-c", program])).said == "It ended without a word."
