"""The same graph laid out and routed by other tools: dot, elkjs, D2 with its engines ELK and TALA.

In: a normalized scene, for the sizes of its boxes and labels. Out: a `Picture` each. Every tool gets plain boxes of our
sizes and its own defaults; a tool that is not installed gives None. `dot` is found on the PATH, D2 by the environment
variable D2, elkjs in the folder that NODE_MODULES names.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from line_figures import DrawnLine, Picture, Sides, Spot
from peer_sources import (
    DOT_INCH,
    Json,
    d2_paths,
    d2_source,
    dot_source,
    elk_source,
    of_kind,
    with_ends,
)

CHORDS = 10
ELK_RUN = """
const ELK = require(process.env.NODE_MODULES + '/elkjs/lib/elk.bundled.js');
new ELK().layout(JSON.parse(require('fs').readFileSync(0, 'utf8'))).then((r) => console.log(JSON.stringify(r)));
"""


def dot(scene: Json) -> Picture | None:
    """Graphviz, splines as chords."""
    if shutil.which("dot") is None:
        return None
    return _from_dot(json.loads(_run(["dot", "-Tjson"], dot_source(scene))), scene)


def elk(scene: Json) -> Picture | None:
    """ELK Layered across containers."""
    if "NODE_MODULES" not in os.environ:
        return None
    return _from_elk(json.loads(_run(["node", "-e", ELK_RUN], elk_source(scene))), scene)


def d2(scene: Json, engine: str = "elk") -> Picture | None:
    """D2 with one of its engines, read from its SVG; its labels are not read."""
    program = os.environ.get("D2")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "graph.d2", Path(folder) / "graph.svg"
        source.write_text(d2_source(scene))
        subprocess.run([program, "--layout", engine, str(source), str(target)], check=True, capture_output=True)
        return _from_d2(target.read_text(), scene, d2_paths(scene))


OTHER_LAYOUTS: Mapping[str, Callable[[Json], Picture | None]] = {
    "dot": dot,
    "elkjs": elk,
    "D2": d2,
    "TALA": partial(d2, engine="tala"),
}


def of_scene(scene: Json) -> Picture:
    """What the service draws itself, from a normalized scene."""
    bounds, paths = scene["computed"]["bounds"], scene["computed"]["edgePaths"]
    lines: list[DrawnLine] = []
    for edge, (a, b) in with_ends(scene):
        path = paths.get(edge["id"])
        if path is None:
            continue
        points = [(point["x"], point["y"]) for point in path["points"]]
        control = path.get("control")
        if control is not None:
            points = _quadratic(points[0], (control["x"], control["y"]), points[-1])
        label = path.get("labelBounds")
        lines.append(DrawnLine(edge["id"], a, b, points, _sides(label) if label else None))
    nodes = {node["id"]: _sides(bounds[node["id"]]) for node in of_kind(scene, "node") if node["id"] in bounds}
    frames = {frame["id"]: _sides(bounds[frame["id"]]) for frame in of_kind(scene, "frame") if frame["id"] in bounds}
    return Picture(nodes, lines, frames)


def _quadratic(start: Spot, control: Spot, end: Spot) -> list[Spot]:
    """The chords of a quadratic curve, which is a cubic one with its control points at two thirds."""
    first, second = ((a[0] + (control[0] - a[0]) * 2 / 3, a[1] + (control[1] - a[1]) * 2 / 3) for a in (start, end))
    return [start, *_chords(start, first, second, end)]


def _sides(box: Mapping[str, float]) -> Sides:
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def _run(command: list[str], text: str) -> str:
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def _from_dot(drawn: Json, scene: Json) -> Picture:
    nodes: dict[str, Sides] = {}
    frames: dict[str, Sides] = {}
    for one in drawn.get("objects", ()):
        if "pos" in one:
            x, y = map(float, one["pos"].split(","))
            width, height = float(one["width"]) * DOT_INCH / 2, float(one["height"]) * DOT_INCH / 2
            nodes[one["name"]] = x - width, -y - height, x + width, -y + height
        elif "bb" in one:
            left, low, right, high = map(float, one["bb"].split(","))
            frames[one["name"].removeprefix("cluster_")] = left, -high, right, -low
    ends = {edge["id"]: pair for edge, pair in with_ends(scene)}
    lines = [DrawnLine(one["id"], *ends[one["id"]], _spline(one["pos"]), _dot_label(one)) for one in drawn["edges"]]
    return Picture(nodes, lines, frames)


def _spline(text: str) -> list[Spot]:
    tip: Spot | None = None
    control: list[Spot] = []
    for part in text.split():
        x, y = map(float, part.removeprefix("e,").removeprefix("s,").split(","))
        if part.startswith("e,"):
            tip = (x, -y)
        elif not part.startswith("s,"):
            control.append((x, -y))
    points = [control[0]]
    for place in range(1, len(control) - 2, 3):
        points += _chords(points[-1], *control[place : place + 3])
    return [*points, tip] if tip else points


def _chords(a: Spot, b: Spot, c: Spot, d: Spot) -> list[Spot]:
    found: list[Spot] = []
    for step in range(1, CHORDS + 1):
        t = step / CHORDS
        u = 1 - t
        weights = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        found.append(
            (
                sum(weight * point[0] for weight, point in zip(weights, (a, b, c, d), strict=True)),
                sum(weight * point[1] for weight, point in zip(weights, (a, b, c, d), strict=True)),
            )
        )
    return found


def _dot_label(edge: Json) -> Sides | None:
    if "lp" not in edge:
        return None
    x, y = map(float, edge["lp"].split(","))
    width = max((op.get("width", 0.0) for op in edge.get("_ldraw_", ())), default=0.0) / 2
    return x - width, -y - 7.0, x + width, -y + 7.0


def _from_elk(root: Json, scene: Json) -> Picture:
    frame_ids = {frame["id"] for frame in of_kind(scene, "frame")}
    nodes: dict[str, Sides] = {}
    frames: dict[str, Sides] = {}
    origins: dict[str, Spot] = {root["id"]: (0.0, 0.0)}
    waiting = [root]
    for one in waiting:
        left, top = origins[one["id"]]
        for child in one.get("children", ()):
            x, y = left + child["x"], top + child["y"]
            origins[child["id"]] = x, y
            target = frames if child["id"] in frame_ids else nodes
            target[child["id"]] = x, y, x + child["width"], y + child["height"]
            waiting.append(child)
    ends = {edge["id"]: pair for edge, pair in with_ends(scene)}
    lines: list[DrawnLine] = []
    for edge in root.get("edges", ()):
        left, top = origins[edge.get("container", root["id"])]
        points: list[Spot] = []
        for part in edge.get("sections", ()):
            corners = [part["startPoint"], *part.get("bendPoints", ()), part["endPoint"]]
            points += [(left + corner["x"], top + corner["y"]) for corner in corners]
        label = next((one for one in edge.get("labels", ()) if "x" in one), None)
        at = None
        if label is not None:
            x, y = left + label["x"], top + label["y"]
            at = x, y, x + label["width"], y + label["height"]
        lines.append(DrawnLine(edge["id"], *ends[edge["id"]], points, at))
    return Picture(nodes, lines, frames)


def _from_d2(svg: str, scene: Json, paths: Mapping[str, str]) -> Picture:
    frame_ids = {frame["id"] for frame in of_kind(scene, "frame")}
    names = {path: name for name, path in paths.items()}
    waiting: dict[tuple[str, str], list[str]] = {}
    for edge, pair in with_ends(scene):
        waiting.setdefault(pair, []).append(edge["id"])
    nodes: dict[str, Sides] = {}
    frames: dict[str, Sides] = {}
    lines: list[DrawnLine] = []
    for group in re.finditer(r'<g class="([A-Za-z0-9+/=]+)">(.*?)</g>', svg, re.DOTALL):
        try:
            name = html.unescape(base64.b64decode(group[1]).decode())
        except ValueError:
            continue
        box = re.search(r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"', group[2])
        way = re.search(r'<path d="([^"]+)"[^>]*class="connection', group[2])
        if box is not None and name in names:
            x, y, width, height = map(float, box.groups())
            (frames if names[name] in frame_ids else nodes)[names[name]] = x, y, x + width, y + height
        elif way is not None:
            pair = _d2_ends(name, names)
            lines.append(DrawnLine(waiting[pair].pop(0), *pair, _d2_corners(way[1])))
    return Picture(nodes, lines, frames)


def _d2_ends(name: str, names: Mapping[str, str]) -> tuple[str, str]:
    """The ends of `common.(a -> b)[0]`."""
    found = re.fullmatch(r"(?:(.*)\.)?\((.*) -> (.*)\)\[\d+\]", name)
    if found is None:
        raise ValueError(name)
    before = f"{found[1]}." if found[1] else ""
    return names[before + found[2]], names[before + found[3]]


def _d2_corners(path: str) -> list[Spot]:
    """The corners of a path of lines with rounded corners: of each `S` its control point is the corner."""
    points: list[Spot] = []
    for text in re.findall(r"[MLS]([^MLSC]*)", path):
        numbers = [float(number) for number in text.replace(",", " ").split()]
        points.append((numbers[0], numbers[1]))
    return points
