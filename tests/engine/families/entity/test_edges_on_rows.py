"""Edges between rows: which side they take, how they keep apart, how they return to their own table."""

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest

from scenograph.engine.geometry import paths
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.markers import MARKERS
from scenograph.engine.pipeline import lay_out, normalize, render_svg
from scenograph.engine.tables import DrawnRoute, LaidOutScene
from scenograph.scene.model import Edge

Tables = Callable[..., dict[str, Any]]

KEY = {"name": "id", "pk": True}
BREADTH = 11.0  # of a bar or a fork, px
RIM = 1.0  # a line ends on the rim that is drawn, on sharp lines: so near to the box, px


def to(entity: str, column: str, **members: str) -> dict[str, str]:
    return {"elementId": entity, "column": column, **members}


def at(document: dict[str, Any], **places: tuple[float, float]) -> dict[str, Any]:
    for row in document["elements"]:
        if row["id"] in places:
            x, y = places[row["id"]]
            row["layout"] = {"mode": "absolute", "x": x, "y": y}
    return document


def row(laid_out: LaidOutScene, entity: str, column: str) -> Box:
    found = laid_out.placement.part(entity, f"column:{column}")
    assert found is not None
    return found


def is_on(laid_out: LaidOutScene, edge: str, entity: str, column: str, *, end: int) -> bool:
    """Whether that end of the edge touches the left or right end of the row."""
    point, box = laid_out.routes[edge].points[end], row(laid_out, entity, column)
    return box.y < point.y < box.bottom and min(abs(point.x - box.x), abs(point.x - box.right)) <= RIM


@pytest.mark.parametrize(("x", "side"), [(500, "right"), (-500, "left")])
def test_an_edge_leaves_its_row_at_the_side_of_the_other_table(tables: Tables, x: float, side: str) -> None:
    document = tables({"a": [KEY, "b_id"], "b": [KEY, "name"]}, [{"from": to("a", "b_id"), "to": to("b", "id")}])
    laid_out = lay_out(at(document, a=(0, 0), b=(x, 40))).scene
    box, points = laid_out.placement.boxes["a"], laid_out.routes["e0"].points
    assert points[0].x == pytest.approx(getattr(box, "right" if side == "right" else "x"), abs=RIM)
    assert is_on(laid_out, "e0", "a", "b_id", end=0)
    assert is_on(laid_out, "e0", "b", "id", end=-1)


def test_an_edge_between_tables_above_each_other_takes_a_side_of_both_rows(tables: Tables) -> None:
    document = tables({"a": [KEY, "b_id"], "b": [KEY, "name"]}, [{"from": to("a", "b_id"), "to": to("b", "id")}])
    laid_out = lay_out(at(document, a=(0, 0), b=(0, 300))).scene
    assert is_on(laid_out, "e0", "a", "b_id", end=0)
    assert is_on(laid_out, "e0", "b", "id", end=-1)


def test_two_edges_at_one_row_keep_their_glyphs_apart(tables: Tables) -> None:
    document = tables(
        {"a": [KEY, "z_id"], "b": [KEY, "z_id"], "z": [KEY]},
        [{"from": to(one, "z_id", cardinality="many"), "to": to("z", "id")} for one in "ab"],
    )
    laid_out = lay_out(at(document, a=(0, 0), b=(0, 300), z=(500, 150))).scene
    first, second = (laid_out.routes[edge].points[-1].y for edge in ("e0", "e1"))
    assert abs(first - second) > BREADTH
    assert all(is_on(laid_out, edge, "z", "id", end=-1) for edge in ("e0", "e1"))


def test_the_glyphs_of_two_edges_at_one_row_stay_within_it(tables: Tables) -> None:
    columns = {"film": [KEY, "spoken", "dubbed"], "language": [KEY]}
    edges = [{"from": to("film", name), "to": to("language", "id")} for name in ("spoken", "dubbed")]
    laid_out = lay_out(tables(columns, edges)).scene
    row = laid_out.placement.part("language", "column:id")
    assert row is not None
    for number in range(2):
        middle = laid_out.routes[f"e{number}"].points[-1].y
        assert row.y - RIM <= middle - BREADTH / 2 <= middle + BREADTH / 2 <= row.bottom + RIM


def test_edges_at_neighbouring_rows_keep_their_glyphs_apart(tables: Tables) -> None:
    names = [f"t{number}_id" for number in range(5)]
    targets = {f"t{number}": [KEY] for number in range(5)}
    edges = [{"from": to("a", f"{name}_id", cardinality="zero-or-many"), "to": to(name, "id")} for name in targets]
    laid_out = lay_out(tables({"a": [KEY, *names]} | targets, edges)).scene
    starts = [laid_out.routes[f"e{number}"].points[0] for number in range(5)]
    assert all(is_on(laid_out, f"e{number}", "a", f"t{number}_id", end=0) for number in range(5))
    near = [(a, b) for a, b in combinations(starts, 2) if a.x == b.x]
    assert all(abs(a.y - b.y) > BREADTH for a, b in near)


def test_many_alike_edges_to_one_key_meet_in_one_point(tables: Tables) -> None:
    sources = {f"s{number}": [KEY, {"name": "hub_id", "fk": True}] for number in range(6)}
    edges = [{"from": to(name, "hub_id"), "to": to("hub", "id")} for name in sources]
    laid_out = lay_out(tables(sources | {"hub": [KEY]}, edges)).scene
    ends = {laid_out.routes[f"e{number}"].points[-1] for number in range(6)}
    assert len(ends) == 1
    assert all(is_on(laid_out, f"e{number}", "hub", "id", end=-1) for number in range(6))


def test_labelled_edges_to_one_key_meet_as_well_and_each_label_stands_where_its_line_runs_alone(tables: Tables) -> None:
    references = ("made_by", "sent_by", "paid_by", "seen_by")
    edges = [
        {"from": to("orders", name), "to": to("users", "id"), "label": name.replace("_", " ")} for name in references
    ]
    columns = [KEY, *({"name": name, "fk": True} for name in references)]
    laid_out = lay_out(tables({"orders": columns, "users": [KEY]}, edges)).scene
    routes = [laid_out.routes[f"e{number}"] for number in range(4)]
    assert len({route.points[-1] for route in routes}) == 1
    for route, name in zip(routes, references, strict=True):
        row = laid_out.placement.part("orders", f"column:{name}")
        assert row is not None
        assert route.label is not None
        assert row.y <= route.label.center.y <= row.bottom
        assert row.right < route.label.x
        assert not any(other is not route and crosses(other, route.label) for other in routes)


def crosses(route: DrawnRoute, box: Box) -> bool:
    region = Bounds(box.x, box.y, box.right, box.bottom)
    return any(paths.crosses(a, b, region) for a, b in pairwise(route.points))


def test_different_lines_do_not_meet_in_one_point(tables: Tables) -> None:
    sources = {f"s{number}": [KEY, {"name": "hub_id", "fk": True}] for number in range(4)}
    kinds = ("er.identifying", "er.nonIdentifying")
    edges = [
        {"from": to(name, "hub_id"), "to": to("hub", "id"), "edgeType": kinds[number % 2]}
        for number, name in enumerate(sources)
    ]
    laid_out = lay_out(tables(sources | {"hub": [KEY]}, edges)).scene
    solid, dashed = ({laid_out.routes[f"e{number}"].points[-1] for number in pair} for pair in ((0, 2), (1, 3)))
    assert len(solid) == len(dashed) == 1
    assert abs(solid.pop().y - dashed.pop().y) > BREADTH


def test_a_table_that_refers_to_itself_gets_a_loop_from_row_to_row(tables: Tables) -> None:
    columns = {"t": [KEY, "name", "parent_id", "twin_id"]}
    edges = [{"from": to("t", name), "to": to("t", "id")} for name in ("parent_id", "twin_id")]
    laid_out = lay_out(tables(columns, edges)).scene
    box = laid_out.placement.boxes["t"]
    for number, name in enumerate(("parent_id", "twin_id")):
        points = laid_out.routes[f"e{number}"].points
        assert len(points) == 4
        assert is_on(laid_out, f"e{number}", "t", name, end=0)
        assert is_on(laid_out, f"e{number}", "t", "id", end=-1)
        assert not any(box.x < x < box.right for x, _ in points)
    assert {laid_out.routes[f"e{number}"].points[0].x for number in range(2)} == {box.x, box.right}


def test_a_row_that_refers_to_itself_leaves_and_enters_at_two_places(tables: Tables) -> None:
    laid_out = lay_out(tables({"t": [KEY]}, [{"from": to("t", "id"), "to": to("t", "id")}])).scene
    start, *_, end = laid_out.routes["e0"].points
    assert start.y < end.y
    assert is_on(laid_out, "e0", "t", "id", end=0)
    assert is_on(laid_out, "e0", "t", "id", end=-1)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_loop_with_one_free_end_goes_round_a_corner(tables: Tables, *, swapped: bool) -> None:
    ends = [to("t", "boss_id"), {"elementId": "t"}]
    ends = ends[::-1] if swapped else ends
    laid_out = lay_out(tables({"t": [KEY, "boss_id"]}, [{"from": ends[0], "to": ends[1]}])).scene
    assert is_on(laid_out, "e0", "t", "boss_id", end=-1 if swapped else 0)
    free = laid_out.routes["e0"].points[0 if swapped else -1]
    box = laid_out.placement.boxes["t"]
    assert free.y in (box.y, box.bottom)


def test_a_crows_foot_ends_before_the_first_corner(tables: Tables) -> None:
    document = tables(
        {"a": [KEY, "b_id"], "b": [KEY]},
        [{"from": to("a", "b_id", cardinality="zero-or-many"), "to": to("b", "id", cardinality="zero-or-one")}],
    )
    narrow = at(document, a=(0, 0))
    width = lay_out(narrow).scene.placement.boxes["a"].width
    laid_out = lay_out(at(document, a=(0, 0), b=(width + 16, 250))).scene
    (edge,) = (element for element in laid_out.scene.elements if isinstance(element, Edge))
    points = laid_out.routes["e0"].points
    for (a, b), marker in ((points[:2], edge.start_arrow), (points[-2:], edge.end_arrow)):
        assert abs(a.x - b.x) + abs(a.y - b.y) > MARKERS[marker or "none"].length


def test_tables_joined_by_rows_read_from_left_to_right_unless_their_author_says_otherwise(tables: Tables) -> None:
    columns = {"a": [KEY, "b_id"], "b": [KEY]}
    on_rows, free = (
        {"from": to("a", "b_id"), "to": to("b", "id")},
        {"from": {"elementId": "a"}, "to": {"elementId": "b"}},
    )
    hierarchical = {"algorithm": "hierarchical"}
    beside = [tables(columns, [on_rows]), tables(columns, [on_rows], layoutStrategy=hierarchical)]
    below = [
        tables(columns, [free], layoutStrategy=hierarchical),
        tables(columns, [on_rows], layoutStrategy=hierarchical | {"direction": "TB"}),
    ]
    for document in beside:
        boxes = lay_out(document).scene.placement.boxes
        assert boxes["a"].right < boxes["b"].x
    for document in below:
        boxes = lay_out(document).scene.placement.boxes
        assert boxes["a"].bottom < boxes["b"].y


def test_lines_that_are_dashed_and_share_their_way_keep_their_gaps(tables: Tables) -> None:
    sources = {f"s{number}": [KEY, {"name": "hub_id", "fk": True}] for number in range(3)}
    edges = [{"from": to(name, "hub_id"), "to": to("hub", "id"), "edgeType": "er.nonIdentifying"} for name in sources]
    svg = render_svg(tables(sources | {"hub": [KEY]}, edges)).content
    assert isinstance(svg, str)
    dashed = [piece.split(' d="')[1].split('"')[0] for piece in svg.split("<path")[1:] if "stroke-dasharray" in piece]
    starts = {path.split("h")[0] for path in dashed}
    assert len(dashed) == 3
    assert len(starts) == 1


def big(tables: Tables, count: int, edges: int) -> dict[str, Any]:
    """Tables whose references are drawn by a fixed rule."""
    columns: dict[str, list[Any]] = {f"t{number}": [KEY] for number in range(count)}
    lines: list[dict[str, Any]] = []
    for number in range(edges):
        source, target = (number * 7 + 3) % count, (number * number + 5 * number) % (count // 2)
        name = f"ref{number}"
        columns[f"t{source}"].append({"name": name, "type": "bigint", "fk": True, "nullable": number % 3 == 0})
        lines.append({"from": to(f"t{source}", name), "to": to(f"t{target}", "id")})
    for number, rows in enumerate(columns.values()):
        rows.extend({"name": f"value{place}", "type": "varchar(40)"} for place in range(number % 6))
    return tables(columns, lines)


def test_sixty_tables_and_eighty_relations_stand_apart_and_no_line_runs_through_a_table(tables: Tables) -> None:
    document = big(tables, 60, 80)
    laid_out = lay_out(document)
    scene = laid_out.scene
    boxes = {name: box for name, box in scene.placement.boxes.items() if name.startswith("t")}
    assert not any(a.overlaps(b) for a, b in combinations(boxes.values(), 2))
    for route in scene.routes.values():
        for a, b in pairwise(route.points):
            reach = Box(min(a.x, b.x), min(a.y, b.y), abs(a.x - b.x), abs(a.y - b.y)).grown(0.001)
            assert not any(box.grown(-1).overlaps(reach) for box in boxes.values())
    once, _ = normalize(document)
    assert normalize(once)[0]["computed"] == once["computed"]


def test_the_lines_of_attributes_hang_on_one_trunk(tables: Tables) -> None:
    document = tables({}, [{"from": {"elementId": "person"}, "to": {"elementId": f"a{number}"}} for number in range(5)])
    kinds = {"person": "er.entity"} | {f"a{number}": "er.attribute" for number in range(5)}
    document["elements"] += [{"id": name, "kind": "node", "nodeType": kind} for name, kind in kinds.items()]
    routes = lay_out(document).scene.routes
    assert len({routes[f"e{number}"].points[0] for number in range(5)}) == 1
    document["elements"][0]["from"]["cardinality"] = "one"
    routes = lay_out(document).scene.routes
    assert routes["e0"].points[0] not in {routes[f"e{number}"].points[0] for number in range(1, 5)}


@pytest.mark.parametrize("direction", ["LR", "RL"])
@pytest.mark.parametrize("shared", [False, True])
def test_tables_stand_in_the_order_of_the_rows_that_lead_to_them(tables: Tables, direction: str, shared: bool) -> None:
    keys = ["c_id", "a_id", "b_id"]
    columns = {"hub": [KEY, *keys], "a": [KEY], "b": [KEY], "c": [KEY]}
    edges = [{"from": to("hub", key), "to": to(key[0], "id")} for key in keys]
    if shared:  # then the tables are no tree
        columns["end"] = [KEY]
        edges += [{"from": to(name, "id"), "to": to("end", "id")} for name in "abc"]
    strategy = {"algorithm": "hierarchical", "direction": direction}
    boxes = lay_out(tables(columns, edges, layoutStrategy=strategy)).scene.placement.boxes
    assert boxes["c"].bottom < boxes["a"].y
    assert boxes["a"].bottom < boxes["b"].y


def test_a_table_whose_only_line_would_cross_others_stands_beyond_what_it_is_joined_to(tables: Tables) -> None:
    columns = {"line": [KEY, "invoice", "track"], "entry": ["list", "track"], "invoice": [KEY], "track": [KEY]}
    ends = [("line", "invoice"), ("line", "track"), ("entry", "list"), ("entry", "track")]
    edges = [{"from": to(table, other), "to": to(other, "id")} for table, other in ends]
    boxes = lay_out(tables({**columns, "list": [KEY]}, edges)).scene.placement.boxes
    assert boxes["list"].right < boxes["entry"].x
    assert max(boxes["line"].right, boxes["entry"].right) < min(boxes["invoice"].x, boxes["track"].x)
    without = lay_out(tables({**columns, "list": [KEY]}, edges[2:])).scene.placement.boxes
    assert without["entry"].right < without["list"].x


SHOP = {
    "users": ["email", "name", "address"],
    "addresses": ["street", "city", "zip"],
    "products": ["sku", "name", "category", "brand", "price"],
    "categories": ["name", "parent"],
    "brands": ["name"],
    "orders": ["user", "status", "coupon", "created_at"],
    "order_items": ["order", "product", "quantity"],
    "coupons": ["code", "percent"],
    "payments": ["order", "amount", "method"],
    "shipments": ["order", "carrier", "address"],
    "carriers": ["name"],
    "reviews": ["user", "product", "stars"],
    "carts": ["user"],
    "cart_items": ["cart", "product", "quantity"],
}
KEYS = {"address": "addresses", "category": "categories", "parent": "categories"}


def test_a_line_that_could_run_from_row_to_row_has_no_short_jog(tables: Tables) -> None:
    columns = {name: [KEY, *keys] for name, keys in SHOP.items()}
    edges = [
        {"from": to(name, key), "to": to(KEYS.get(key, f"{key}s"), "id")}
        for name, keys in SHOP.items()
        for key in keys
        if KEYS.get(key, f"{key}s") in SHOP
    ]
    routes = lay_out(tables(columns, edges)).scene.routes
    jogs = [abs(a.y - b.y) for route in routes.values() for a, b in pairwise(route.points) if 0 < abs(a.y - b.y) < 12]
    assert jogs == []
