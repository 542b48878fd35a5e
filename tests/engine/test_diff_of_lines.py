"""Visual diffs of lines that share their way, of what was hidden, and of pages that are small. (R-DIFF-1)"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from tests.builders import edge, node

from scenograph.engine.pipeline import Extras, lay_out, render_svg
from scenograph.scene.difference import difference

Json = dict[str, Any]


def scene(family: str, *elements: Json, canvas: Json | None = None) -> Json:
    head = {"id": "s", "units": "px", "canvas": canvas or {}}
    return {"schemaVersion": "0.1", "diagramFamily": family, "scene": head, "elements": list(elements)}


def without(document: Json, *ids: str) -> Json:
    changed = deepcopy(document)
    changed["elements"] = [one for one in changed["elements"] if one["id"] not in ids]
    return changed


SERVICES = [node(name) for name in ("gw", "a", "b", "c", "db")]
LEADS = [edge("gw", name, id=f"g{name}") for name in "abc"]
READS = [edge(name, "db", id=f"r{name}", label="reads") for name in "abc"]
SHOP = scene("architecture", *SERVICES, *LEADS, *READS)


def test_a_removed_line_shares_no_trunk_and_no_label_with_those_that_stay() -> None:
    laid_out = lay_out(without(SHOP, "ra"), before=SHOP)
    routes = laid_out.scene.routes
    assert routes["ra"].label is not None
    assert [id_ for id_ in ("rb", "rc") if routes[id_].label is not None] == ["rb"]
    assert routes["rb"].points[-1] == routes["rc"].points[-1] != routes["ra"].points[-1]
    (row,) = [row for row in laid_out.diagnostics if row.code == "EDGE_LABEL_SUPPRESSED_FANIN"]
    assert row.data is not None
    assert row.data["suppressedEdgeIds"] == ["rc"]


def test_without_a_change_the_lines_share_their_trunk_as_ever() -> None:
    routes = lay_out(SHOP, before=SHOP).scene.routes
    assert len({routes[id_].points[-1] for id_ in ("ra", "rb", "rc")}) == 1


def test_lines_of_different_changes_meet_a_row_apart() -> None:
    rows = [{"name": "id", "pk": True}, {"name": "u", "fk": True}]
    tables = [node(f"t{k}", nodeType="er.entity", extensions={"columns": rows}) for k in range(5)]
    users = node("users", nodeType="er.entity", extensions={"columns": rows[:1]})
    keys = [edge(f"t{k}", "users", id=f"k{k}") | {"from": {"elementId": f"t{k}", "column": "u"}} for k in range(5)]
    keys = [key | {"to": {"elementId": "users", "column": "id"}} for key in keys]
    old = scene("entityRelationship", users, *tables, *keys)
    ends = {id_: route.points[-1] for id_, route in lay_out(without(old, "k1"), before=old).scene.routes.items()}
    assert len({ends[id_] for id_ in ("k0", "k2", "k3", "k4")}) == 1
    assert ends["k1"] != ends["k0"]


def legend(svg: str) -> dict[str, int]:
    return {name: int(count) for name, count in re.findall(r">(Added|Removed|Modified|Unchanged) (\d+)<", svg)}


def test_what_is_hidden_from_now_on_is_shown_as_removed_and_what_was_hidden_as_added() -> None:
    hidden = scene("architecture", node("a"), node("b", visible=False), node("c"))
    shown = scene("architecture", node("a"), node("b"), node("c", visible=False))
    changes = lay_out(shown, before=hidden).scene.changes
    assert changes == {"a": "unchanged", "b": "added", "c": "removed"}
    svg = render_svg(shown, extras=Extras(before=hidden)).content
    assert isinstance(svg, str)
    assert legend(svg) == {"Added": 1, "Removed": 1, "Modified": 0, "Unchanged": 1}
    assert all(f'data-element-id="{name}"' in svg for name in "abc")


def test_what_neither_picture_shows_is_not_counted() -> None:
    old = scene("architecture", node("a"), node("b", visible=False))
    new = scene("architecture", node("a"), node("b", visible=False, label="other"))
    assert lay_out(new, before=old).scene.changes == {"a": "unchanged"}


@pytest.mark.parametrize("extras", [{"before": scene("architecture")}, {"watermark": "shop · revision 12 · today"}])
@pytest.mark.parametrize("width", [60, 100, 400])
def test_a_footer_stands_whole_on_a_page_that_is_lower_than_it(width: int, extras: Json) -> None:
    tiny = scene("architecture", canvas={"width": width, "height": 40})
    picture = render_svg(tiny, extras=Extras(**extras))
    content = str(picture.content)
    heights = [float(y) for y in re.findall(r'<t(?:ext|span)[^>]* y="(-?[\d.]+)"', content)]
    assert heights
    assert 0 < min(heights) <= max(heights) < picture.height


LIFELINES = [node(name, nodeType="sequence.lifeline") for name in "ab"]
CALLS = [edge("a", "b", id=f"m{k}", label=f"call {k}", edgeType="sequence.message") for k in range(3)]
NOTE = node("n", nodeType="sequence.note", extensions={"over": ["a"]})


def test_a_note_that_moved_among_the_messages_of_a_sequence_is_modified() -> None:
    before = scene("sequence", *LIFELINES, *CALLS, NOTE)
    after = scene("sequence", *LIFELINES, CALLS[0], NOTE, *CALLS[1:])
    assert difference(before, after).modified == ("n",)


def test_elsewhere_and_for_lifelines_their_order_among_lines_counts_for_nothing() -> None:
    before, after = [*LIFELINES, *CALLS, NOTE], [*LIFELINES, CALLS[0], NOTE, *CALLS[1:]]
    assert difference(scene("architecture", *before), scene("architecture", *after)).modified == ()
    assert difference(scene("sequence", *LIFELINES, *CALLS), scene("sequence", *CALLS, *LIFELINES)).modified == ()


def test_an_actor_has_the_border_of_a_diff_round_its_head_and_its_foot() -> None:
    actor = node("u", nodeType="sequence.actor")
    rest = [LIFELINES[0], edge("u", "a", id="m", edgeType="sequence.message")]
    old = scene("sequence", actor, *rest)
    svg = str(render_svg(scene("sequence", actor | {"label": "User"}, *rest), extras=Extras(before=old)).content)
    (group,) = re.findall(r'<g [^>]*data-element-id="u".*?</g>', svg, re.DOTALL)
    assert group.count("#f59e0b") == 2
