"""Promises of the whole pipeline, for scenes nobody wrote."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.pipeline import normalize, render_svg
from scenograph.scene.vocabulary import ALGORITHMS, ROUTERS, SHAPES

labels = st.text("ab \n<&é漢", max_size=14)
lengths = st.floats(1, 300)
positions = st.builds(lambda x, y: {"mode": "absolute", "x": x, "y": y}, st.floats(-400, 900), st.floats(-400, 900))
layouts = st.one_of(
    st.none(),
    positions,
    st.builds(lambda place, width, height: place | {"width": width, "height": height}, positions, lengths, lengths),
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(1, 8))
    nodes = [shaped(f"n{i}", draw(labels), draw(layouts), draw(st.sampled_from(SHAPES))) for i in range(count)]
    frames = []
    if draw(st.booleans()):
        inside = [row["id"] for row in nodes if draw(st.booleans())]
        frames.append({"id": "f", "kind": "frame", "title": draw(labels), "children": inside})
    ends = st.sampled_from([row["id"] for row in nodes + frames])
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": draw(ends)}, "to": {"elementId": draw(ends)}}
        | ({"label": label} if (label := draw(labels)) else {})
        | ({"router": router} if (router := draw(st.none() | st.sampled_from(ROUTERS))) else {})
        for i in range(draw(st.integers(0, 8)))
    ]
    strategy = draw(st.none() | st.sampled_from(ALGORITHMS))
    scene = {"id": "any", "units": "px", "canvas": draw(st.sampled_from([{}, {"width": 600, "height": 400}]))}
    outer = {"layoutStrategy": {"algorithm": strategy}} if strategy else {}
    return {"schemaVersion": "0.1", "scene": scene, "elements": [*frames, *nodes, *edges], **outer}


def shaped(id_: str, label: str, layout: dict[str, Any] | None, shape: str) -> dict[str, Any]:
    return {"id": id_, "kind": "node", "label": label, "shape": shape} | ({"layout": layout} if layout else {})


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_normalizing_again_moves_nothing(document: dict[str, Any]) -> None:
    once, _ = normalize(document)
    twice, _ = normalize(once)
    assert twice["computed"]["bounds"] == once["computed"]["bounds"]
    assert twice["elements"] == once["elements"]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.sampled_from(["clean", "sketch"]))
def test_every_scene_becomes_one_sound_picture(document: dict[str, Any], theme: str) -> None:
    picture = render_svg(document, theme=theme)
    root = ET.fromstring(picture.content)  # noqa: S314 - our own output
    drawn = [group.get("data-element-id") for group in root.iter() if group.get("data-element-id")]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) <= {row["id"] for row in document["elements"]}
    assert {row["id"] for row in document["elements"] if row["kind"] != "edge"} <= set(drawn)
    assert render_svg(document, theme=theme).content == picture.content
