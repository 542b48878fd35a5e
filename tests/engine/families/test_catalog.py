"""The families know every name of the document and draw each type as the rules say."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.families.catalog import (
    EDGE_KINDS,
    FAMILIES,
    NODE_KINDS,
    edge_kind,
    family_named,
    kind_of,
    node_kind,
)
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.markers import CARDINALITY_MARKERS, MARKERS
from scenograph.engine.shapes import SHAPES
from scenograph.scene import vocabulary
from scenograph.scene.model import Node

glyph_kinds = [kind for kind in NODE_KINDS.values() if kind.glyph is not None]


def test_the_families_and_their_vocabularies_are_those_of_the_document() -> None:
    assert tuple(FAMILIES) == vocabulary.DIAGRAM_FAMILIES
    nodes = {*vocabulary.GENERIC_NODE_TYPES, *itertools.chain.from_iterable(vocabulary.NODE_TYPES.values())}
    edges = {vocabulary.DEFAULT_EDGE_TYPE, *itertools.chain.from_iterable(vocabulary.EDGE_TYPES.values())}
    assert set(NODE_KINDS) == nodes
    assert set(EDGE_KINDS) == edges
    assert set(CARDINALITY_MARKERS) == set(vocabulary.CARDINALITIES)


def test_every_row_names_shapes_and_markers_that_exist() -> None:
    assert {kind.shape for kind in NODE_KINDS.values()} <= set(SHAPES)
    assert {kind.start_marker for kind in EDGE_KINDS.values()} <= set(MARKERS)
    assert {kind.end_marker for kind in EDGE_KINDS.values()} <= set(MARKERS)
    assert set(CARDINALITY_MARKERS.values()) <= set(MARKERS)


def test_free_text_and_nothing_are_generic() -> None:
    assert node_kind(None) is node_kind("mainframe") is node_kind("workflow.unheardOf")
    assert edge_kind(None) is edge_kind("anything") is EDGE_KINDS["default"]
    assert family_named("") is family_named(None) is FAMILIES["architecture"]


def test_the_default_edge_is_solid_without_arrowheads() -> None:
    kind = edge_kind(None)
    assert (kind.dash, kind.start_marker, kind.end_marker) == ((), "none", "none")


def test_workflow_edges_have_their_lines_and_heads() -> None:
    sequence, message = edge_kind("workflow.sequenceFlow"), edge_kind("workflow.messageFlow")
    assert (sequence.dash, sequence.start_marker, sequence.end_marker) == ((), "none", "triangle")
    assert (message.dash, message.start_marker, message.end_marker) == ((8, 4), "openCircle", "openTriangle")


@pytest.mark.parametrize("name", ["start", "end", "gateway", "gatewayParallel", "gatewayInclusive", "timer", "error"])
def test_events_and_gateways_carry_their_label_below(name: str) -> None:
    kind = node_kind(f"workflow.{name}")
    assert kind.label_below
    assert kind.fixed_size in ((36, 36), (50, 50))


def test_the_end_event_has_a_bold_ring_and_the_start_event_is_filled() -> None:
    assert (node_kind("workflow.end").stroke_width or 0) >= 3
    assert node_kind("workflow.start").filled_with_stroke


def test_another_shape_takes_away_what_belongs_to_the_types_own() -> None:
    plain = kind_of(Node(id="n", kind="node", node_type="user", shape="rect"))
    assert (plain.shape, plain.fixed_size, plain.label_below, plain.glyph) == ("rect", None, False, None)
    own = kind_of(Node(id="n", kind="node", node_type="user", shape="textBox"))
    assert own is node_kind("user")


@given(st.sampled_from(glyph_kinds), st.floats(4, 300), st.floats(4, 300))
@settings(deadline=None, max_examples=120)
def test_a_glyph_stays_at_its_node(kind: object, width: float, height: float) -> None:
    box = Box(10, 20, width, height)
    strokes = kind.glyph(box)  # type: ignore[attr-defined]
    reach = box.grown(8)
    assert strokes
    for stroke in strokes:
        assert stroke.filled or stroke.width > 0
        for chain in flatten(stroke.path):
            assert all(reach.x <= p.x <= reach.right and reach.y <= p.y <= reach.bottom for p in chain)
