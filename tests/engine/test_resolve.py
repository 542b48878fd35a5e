"""The scene made plain."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine.resolve import resolve
from scenograph.scene.model import Edge, Endpoint, Frame, Group, Node, Scene

A, B = Node(id="a", kind="node"), Node(id="b", kind="node")


def resolved(*elements: Any, family: str | None = "architecture") -> Scene:
    return resolve(Scene(elements=elements, diagram_family=family), Report())


def edge(source: str = "a", target: str = "b", /, **members: Any) -> Edge:
    ends = {"source": Endpoint(element_id=source), "target": Endpoint(element_id=target)}
    return Edge(id=f"{source}-{target}", kind="edge", **(ends | members))


def only_edge(scene: Scene) -> Edge:
    (found,) = (element for element in scene.elements if isinstance(element, Edge))
    return found


def test_a_missing_family_is_told_with_the_names_it_may_have() -> None:
    for family in (None, ""):
        report = Report()
        resolve(Scene(diagram_family=family), report)
        (row,) = report.rows
        assert (row.code, row.path, row.severity) == ("MISSING_DIAGRAM_FAMILY", "/diagramFamily", "info")
        assert row.data is not None
        assert row.data["allowedValues"] == [
            "architecture",
            "workflow",
            "entityRelationship",
            "sequence",
            "network",
            "orgchart",
            "uiflow",
        ]


def test_a_declared_family_is_not_remarked_on() -> None:
    report = Report()
    resolve(Scene(diagram_family="workflow"), report)
    assert report.rows == ()


def test_a_node_takes_its_shape_from_its_type_unless_it_has_one() -> None:
    scene = resolved(
        Node(id="d", kind="node", node_type="database"),
        Node(id="e", kind="node", node_type="database", shape="ellipse"),
        Node(id="f", kind="node"),
    )
    assert [node.shape for node in scene.elements if isinstance(node, Node)] == ["cylinder", "ellipse", "roundedRect"]


def test_containers_get_a_type_and_pools_a_lane_direction() -> None:
    scene = resolved(
        Frame(id="f", kind="frame"),
        Frame(id="p", kind="frame", container_type="pool"),
        Frame(id="v", kind="frame", container_type="pool", lane_direction="vertical"),
    )
    rows = [(frame.container_type, frame.lane_direction) for frame in scene.elements if isinstance(frame, Frame)]
    assert rows == [("generic", None), ("pool", "horizontal"), ("pool", "vertical")]


def test_an_edge_without_a_type_has_no_arrowheads() -> None:
    found = only_edge(resolved(A, B, edge()))
    assert (found.edge_type, found.start_arrow, found.end_arrow, found.router) == ("default", "none", "none", None)


def test_the_authors_arrows_win_over_the_edge_types() -> None:
    found = only_edge(resolved(A, B, edge(edge_type="workflow.messageFlow", end_arrow="none")))
    assert (found.start_arrow, found.end_arrow) == ("openCircle", "none")


def test_a_cardinality_becomes_a_crows_foot_but_not_on_a_self_loop() -> None:
    many, one = Endpoint(element_id="b", cardinality="zero-or-many"), Endpoint(element_id="a", cardinality="one")
    found = only_edge(resolved(A, B, edge("a", "b", source=one, target=many)))
    assert (found.start_arrow, found.end_arrow) == ("one", "zeroOrMany")
    loop = edge("a", "a", source=one, target=Endpoint(element_id="a", cardinality="many"))
    found = only_edge(resolved(A, loop))
    assert (found.start_arrow, found.end_arrow) == ("none", "none")


def test_edges_without_both_ends_are_left_out() -> None:
    scene = resolved(A, edge("a", "ghost"), edge("ghost", "a"))
    assert [element.id for element in scene.elements] == ["a"]


def test_an_edge_may_end_at_a_frame_or_a_group_but_not_at_an_edge() -> None:
    frame, group = Frame(id="f", kind="frame"), Group(id="g", kind="group")
    scene = resolved(frame, group, edge("f", "g"), edge("f", "f-g"))
    assert [element.id for element in scene.elements] == ["f", "g", "f-g"]


def test_what_is_invisible_goes_with_its_content_and_its_edges() -> None:
    scene = resolved(
        Frame(id="outer", kind="frame", visible=False, children=("inner",)),
        Frame(id="inner", kind="frame", children=("a",)),
        A,
        B,
        edge("a", "b"),
    )
    assert [element.id for element in scene.elements] == ["b"]


def test_invisible_containers_that_hold_each_other_do_no_harm() -> None:
    scene = resolved(
        Frame(id="x", kind="frame", visible=False, children=("y",)), Frame(id="y", kind="frame", children=("x",))
    )
    assert scene.elements == ()


ids = st.sampled_from("abcdef")
nodes = st.builds(Node, id=ids, kind=st.just("node"), visible=st.booleans(), node_type=st.none() | st.text(max_size=5))
frames = st.builds(
    Frame, id=ids, kind=st.just("frame"), visible=st.booleans(), children=st.lists(ids, max_size=3).map(tuple)
)
edges = st.builds(edge, ids, ids)


@given(st.lists(nodes | frames | edges, max_size=10))
@settings(deadline=None, max_examples=100)
def test_resolving_twice_changes_nothing_and_every_edge_has_its_ends(elements: list[Any]) -> None:
    once = resolved(*elements)
    assert resolve(once, Report()) == once
    known = {element.id for element in once.elements if not isinstance(element, Edge)}
    for element in once.elements:
        assert element.visible
        if isinstance(element, Edge):
            assert {element.source.element_id, element.target.element_id} <= known
