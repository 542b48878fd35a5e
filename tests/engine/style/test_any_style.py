"""Text can be read whatever colours an author chooses: over generated scenes, in every theme."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine.colors import READABLE_CONTRAST, SEEN_CONTRAST, contrast, is_default_equivalent, over
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import Styles
from scenograph.engine.themes import THEMES, choose_theme
from scenograph.scene.model import Color
from scenograph.scene.reading import read_scene

Json = dict[str, Any]

channels = st.integers(0, 255)
alphas = st.sampled_from([0, 0.05, 0.3, 0.5, 0.8, 0.95, 1])
colors = st.one_of(
    st.builds("rgba({},{},{},{})".format, channels, channels, channels, alphas),
    st.sampled_from(
        ["#fff", "white", "rgba(255,255,255,0)", "rgba(255,255,255,.5)", "none", "#777", "#767676", "black"]
    ),
)
styles = st.none() | st.builds(lambda fill: {"fill": fill}, colors)
node_kinds = st.sampled_from(["service", "database", "note", "external"])


def element(kind: str, id_: str, style: Json | None, **more: Any) -> Json:
    return {"kind": kind, "id": id_, **more} | ({"style": style} if style else {})


def levels(last: int) -> st.SearchStrategy[int]:
    return st.integers(0, last)


@st.composite
def documents(draw: st.DrawFn) -> Json:
    """Frames in frames, three nodes at each depth, lines between them, now and then a palette and a canvas colour."""
    depth = draw(st.integers(0, 4))
    rows: list[Json] = []
    for level in range(depth + 1):
        nodes = [element("node", f"n{level}{i}", draw(styles), label="x", nodeType=draw(node_kinds)) for i in range(2)]
        rows += nodes
        line = element("edge", f"e{level}", None, label="x")
        rows.append(line | {"from": {"elementId": f"n{level}0"}, "to": {"elementId": f"n{level}1"}})
        across = element("edge", f"across{level}", None)
        rows.append(across | {"from": {"elementId": f"n{level}0"}, "to": {"elementId": f"n{draw(levels(level))}1"}})
        if level < depth:
            inside = [f"f{level - 1}"] if level else []
            held = [node["id"] for node in nodes]
            rows.append(element("frame", f"f{level}", draw(styles), children=[*inside, *held], title="x"))
    palette = draw(st.dictionaries(st.sampled_from(["background", "nodeFill", "containerFill"]), colors))
    canvas = draw(st.just({}) | st.builds(lambda color: {"background": color}, colors))
    scene = {"id": "any", "units": "px", "canvas": canvas}
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": scene,
        "palette": palette,
        "elements": rows,
    }


def grounds(document: Json, finished: Styles, page: Color) -> dict[str, Color]:
    """What each text stands on: every fill over the one beneath it, from the page upwards."""
    holder = {child: row["id"] for row in document["elements"] if row["kind"] == "frame" for child in row["children"]}

    def ground(id_: str) -> Color:
        beneath = ground(holder[id_]) if id_ in holder else page
        return over(finished.of[id_].fill, beneath)

    of_lines = {f"e{id_[1:-1]}": ground(holder[id_]) if id_ in holder else page for id_ in finished.of if id_[0] == "n"}
    return {id_: of_lines[id_] if id_[0] == "e" else ground(id_) for id_ in finished.of if id_[0] != "a"}


def run_over(document: Json, edge: Json, finished: Styles, page: Color) -> list[Color]:
    """What lies under a line: the fills of the frames round one of its ends, and of the innermost one round both."""
    holder = {child: row["id"] for row in document["elements"] if row["kind"] == "frame" for child in row["children"]}

    def chain(id_: str) -> list[str]:
        return [holder[id_], *chain(holder[id_])] if id_ in holder else ["page"]

    def ground(id_: str) -> Color:
        return page if id_ == "page" else over(finished.of[id_].fill, ground(chain(id_)[0]))

    source, target = (chain(edge[side]["elementId"]) for side in ("from", "to"))
    common = next(id_ for id_ in source if id_ in target)
    return [ground(id_) for id_ in [*source, *target] if id_ == common or (id_ in source) != (id_ in target)]


def least_contrast(line: Color, grounds: list[Color]) -> float:
    return min(contrast(over(line, ground), ground) for ground in grounds)


@settings(max_examples=150, deadline=None)
@given(documents(), st.sampled_from([None, *THEMES]))
def test_every_text_that_nobody_coloured_can_be_read(document: Json, name: str | None) -> None:
    scene = resolve(read_scene(document, Report()), Report())
    theme = choose_theme(name, scene)
    finished = finish_styles(scene, theme)
    for id_, ground in grounds(document, finished, over(finished.background, theme.background)).items():
        text = over(finished.of[id_].text_color, ground)
        assert contrast(text, ground) >= READABLE_CONTRAST, (id_, text, ground)


@settings(max_examples=80, deadline=None)
@given(documents(), st.sampled_from([None, *THEMES]))
def test_every_line_that_nobody_coloured_can_be_seen_on_all_it_runs_over(document: Json, name: str | None) -> None:
    scene = resolve(read_scene(document, Report()), Report())
    theme = choose_theme(name, scene)
    finished = finish_styles(scene, theme)
    page = over(finished.background, theme.background)
    for edge in (row for row in document["elements"] if row["kind"] == "edge"):
        grounds = run_over(document, edge, finished, page)
        greys = (Color(grey, grey, grey) for grey in range(0, 256, 15))
        possible = max(least_contrast(grey, grounds) for grey in greys)
        wanted = SEEN_CONTRAST if possible >= SEEN_CONTRAST + 0.5 else 0.6 * possible  # black beside white and grey
        assert least_contrast(finished.of[edge["id"]].stroke, grounds) >= wanted, edge


@settings(max_examples=100, deadline=None)
@given(documents(), st.sampled_from([None, *THEMES]))
def test_every_node_that_nobody_outlined_stands_out(document: Json, name: str | None) -> None:
    scene = resolve(read_scene(document, Report()), Report())
    theme = choose_theme(name, scene)
    finished = finish_styles(scene, theme)
    page = over(finished.background, theme.background)
    if page == theme.background:
        return
    held = {child for row in document["elements"] if row["kind"] == "frame" for child in row["children"]}
    for id_ in (row["id"] for row in document["elements"] if row["kind"] == "node" and row["id"] not in held):
        marks = finished.of[id_].fill, finished.of[id_].stroke
        assert max(contrast(over(mark, page), page) for mark in marks) >= SEEN_CONTRAST, id_


@settings(max_examples=100, deadline=None)
@given(documents())
def test_a_white_frame_within_a_coloured_one_loses_its_fill_and_no_other_frame_does(document: Json) -> None:
    scene = resolve(read_scene(document | {"palette": {}}, Report()), Report())
    finished = finish_styles(scene, THEMES["clean"])
    fills = {e.id: e.style.fill for e in scene.elements if e.kind == "frame" and e.style is not None}
    colored = False
    for level in reversed(range(len([row for row in document["elements"] if row["kind"] == "frame"]))):
        fill = fills.get(f"f{level}")
        if fill is None:
            continue
        lost = colored and is_default_equivalent(fill)
        assert finished.of[f"f{level}"].fill.alpha == (0 if lost else fill.alpha)
        colored = colored or (fill.alpha > 0 and not is_default_equivalent(fill))
