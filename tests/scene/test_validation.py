"""Validation: every code, where it points, what it suggests; everything at once; linear and bounded."""

from __future__ import annotations

import json

import pytest
from tests.scene.invalid_documents import (
    AB,
    CASES,
    ERRORS,
    INFOS,
    SCENE,
    UIFLOW,
    WARNINGS,
    WITH_ICONS,
    A,
    B,
    Case,
    Json,
    Make,
    codes,
    frame,
    nested,
    to,
)

from scenograph.diagnostics import Report, Severity
from scenograph.engine.icons import DOCUMENT_LIMITS
from scenograph.scene.json_values import steps_of
from scenograph.scene.reading import read_scene
from scenograph.scene.validation import validate


def test_every_code_has_a_case() -> None:
    assert {code for code, *_ in CASES} == ERRORS | WARNINGS | INFOS


@pytest.mark.parametrize("case", CASES, ids=[f"{case[0]} {case[3]}" for case in CASES])
def test_each_code_says_where_and_what_is_known(document: Make, case: Case) -> None:
    code, elements, root, path, data = case
    scene = document(*elements, **root)
    before = json.dumps(scene)
    rows = [row for row in validate(scene, WITH_ICONS) if row.code == code and row.path == path]
    assert len(rows) == 1
    expected = Severity.INFO if code in INFOS else Severity.WARNING if code in WARNINGS else Severity.ERROR
    assert rows[0].severity is expected
    told = rows[0].data or {}
    assert {name: told.get(name) for name in data} == data
    assert rows[0].message[-1] in ".?"
    assert "{" not in rows[0].message.replace(str(told.get("add")), "")
    assert json.dumps(scene) == before
    json.dumps(rows[0].as_json(), allow_nan=False)


def test_a_sound_document_has_no_diagnostics(shop: Json) -> None:
    assert validate(shop) == ()


@pytest.mark.parametrize("value", [None, 3, "x", [], True])
def test_what_is_no_object_is_one_error_at_the_root(value: object) -> None:
    rows = validate(value)
    assert codes(rows) == ["INVALID_TYPE"]
    assert rows[0].path == ""


def test_an_empty_object_lacks_everything_at_once() -> None:
    missing = [row.path for row in validate({}) if row.code == "MISSING_FIELD"]
    assert missing == ["/schemaVersion", "/scene", "/elements"]


def test_all_problems_are_reported_at_once(document: Make) -> None:
    scene = document(A | {"shape": "x", "style": "y", "label": 1}, AB, frame("f", "q"))
    found = set(codes(validate(scene)))
    assert {"INVALID_VALUE", "STYLE_NOT_FOUND", "INVALID_TYPE", "ENDPOINT_NOT_FOUND", "CHILD_NOT_FOUND"} <= found


def test_a_problem_inside_an_element_names_the_element(document: Make) -> None:
    (row,) = validate(document(A | {"style": {"fill": 1}}))
    assert row.element_id == "a"


def test_an_end_that_is_missing_is_never_said_to_mean_an_edge(document: Make) -> None:
    (row,) = validate(document(A, AB | {"id": "a--brook", "to": {"elementId": "brook"}}))
    assert row.data is None
    (row,) = validate(document(A, B | {"id": "brooks"}, AB | {"id": "a--brook", "to": {"elementId": "brook"}}))
    assert row.data == {"suggestion": "brooks"}


def test_an_element_of_unreadable_kind_makes_no_second_problem_elsewhere(document: Make) -> None:
    scene = document(A | {"kind": "nodee"}, B, AB, frame("f", "a"), B | {"id": "c", "layout": to("a", "inside")})
    assert codes(validate(scene)) == ["INVALID_VALUE"]


def test_self_loops_are_everyday_among_messages(document: Make) -> None:
    scene = document(A, AB | {"to": {"elementId": "a"}}, diagramFamily="sequence")
    assert validate(scene) == ()


def test_a_family_declared_inside_scene_counts_as_declared(document: Make) -> None:
    scene = document(A, AB | {"to": {"elementId": "a"}}, scene=SCENE | {"diagramFamily": "sequence"})
    del scene["diagramFamily"]
    assert codes(validate(scene)) == ["OUTER_FIELD_NESTED"]


def test_screens_of_a_flow_without_any_entry_are_left_alone(document: Make) -> None:
    assert validate(document(*UIFLOW[1:3], diagramFamily="uiflow")) == ()


def test_a_screen_in_a_frame_is_reached_through_the_frame(document: Make) -> None:
    scene = document(*UIFLOW[:3], frame("f", "home", "lost"), diagramFamily="uiflow")
    scene["elements"].append(UIFLOW[3] | {"to": {"elementId": "f"}})
    assert validate(scene) == ()


def test_free_text_is_a_node_type_and_an_edge_type(document: Make) -> None:
    assert validate(document(A | {"nodeType": "Dragon"}, B | {"nodeType": "the old one"}, AB | {"edgeType": "x"})) == ()


@pytest.mark.parametrize(
    ("member", "written", "meant"),
    [
        ("nodeType", "userTask", "workflow.userTask"),
        ("nodeType", "Lifeline", "sequence.lifeline"),
        ("nodeType", "servcie", "service"),
        ("nodeType", "Load Balancer", "loadBalancer"),
        ("nodeType", "ec2", "aws:ec2"),
        ("nodeType", "workflow.strat", "workflow.start"),
        ("nodeType", "bpmn.userTask", "workflow.userTask"),
        ("nodeType", "acme.dragon", None),
        ("nodeType", "generic.servicee", "service"),
        ("edgeType", "dependz", "uml.depends"),
        ("edgeType", "sequenceFlow", "workflow.sequenceFlow"),
        ("edgeType", "reportsTo", "org.reportsTo"),
        ("edgeType", "acme.bite", None),
    ],
)
def test_a_type_near_a_known_one_or_under_a_prefix_is_told_with_the_nearest(
    document: Make, member: str, written: str, meant: str | None
) -> None:
    elements = (A, B, AB | {member: written}) if member == "edgeType" else (A | {member: written},)
    (row,) = validate(document(*elements), DOCUMENT_LIMITS)
    assert row.code == {"nodeType": "UNKNOWN_NODE_TYPE", "edgeType": "UNKNOWN_EDGE_TYPE"}[member]
    assert (row.data or {}).get("suggestion") == meant
    if meant is not None:
        assert f"'{meant}'" in row.message
        assert ":" in meant or row.data["allowed"][0] == meant, "a list that is cut begins with the nearest"


@pytest.mark.parametrize("word", ["dragon", "payment step", "node", "mobile app", "serviceMesh", "order.v2 (old)"])
def test_a_word_that_is_near_no_known_type_is_free_text(document: Make, word: str) -> None:
    assert validate(document(A | {"nodeType": word}), DOCUMENT_LIMITS) == ()


def test_aliases_are_known_and_checked(document: Make) -> None:
    scene = document(A, {"id": "f", "kind": "frame", "label": "F", "childIds": ["a", "q"]})
    scene["elements"] += [{"id": "t", "kind": "text", "text": "x"}, {"id": "u", "kind": "text", "label": 1}]
    assert [(row.code, row.path) for row in validate(scene)] == [
        ("INVALID_TYPE", "/elements/3/label"),
        ("CHILD_NOT_FOUND", "/elements/1/childIds/1"),
    ]


def test_extensions_and_metadata_may_hold_anything_of_the_callers(document: Make) -> None:
    own = {"mine": [1, {"two": None}], "columnz": 1}
    assert validate(document(A | {"extensions": own, "metadata": own}, extensions=own)) == ()


def test_output_only_members_are_ignored(document: Make) -> None:
    assert validate(document(A, computed=3, diagnostics=[{}], **{"$schema": 1})) == ()


# --- what stands beside something that counts ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("members", "path", "counts"),
    [
        ({"children": [], "childIds": []}, "/elements/0/childIds", "children"),
        ({"title": "T", "label": "L"}, "/elements/0/label", "title"),
    ],
)
def test_an_alias_beside_the_real_name_is_said_to_be_ignored(
    document: Make, members: Json, path: str, counts: str
) -> None:
    (row,) = validate(document({"id": "f", "kind": "frame"} | members))
    assert (row.code, row.path, row.data) == ("FIELD_IGNORED", path, {"counts": counts})
    assert row.severity is Severity.WARNING
    assert f"'{counts}' is given as well" in row.message


def test_an_outer_field_inside_scene_beside_the_roots_is_said_to_be_ignored(document: Make) -> None:
    scene = document(layoutStrategy={"algorithm": "grid"}, scene=SCENE | {"layoutStrategy": {"algorithm": "flow"}})
    (row,) = validate(scene)
    assert (row.code, row.path, row.data) == ("OUTER_FIELD_NESTED", "/scene", {"nestedFields": ["layoutStrategy"]})
    assert "those at the root count" in row.message


def test_what_is_missing_comes_with_what_it_could_be() -> None:
    rows = validate({"scene": {"id": "a", "canvas": {}}, "elements": [], "diagramFamily": "network"})
    assert [(row.path, row.data) for row in rows] == [
        ("/scene/units", {"add": '"units": "px"', "allowed": ["px"]}),
        ("/schemaVersion", {"add": '"schemaVersion": "0.1"', "allowed": ["0.1"]}),
    ]


# --- many problems ---------------------------------------------------------------------------------------------------
def test_at_most_two_hundred_problems_are_shown_and_the_rest_counted(document: Make) -> None:
    rows = validate(document(*[A | {"id": f"n{n}", "shape": "?"} for n in range(230)]))
    assert len(rows) == 201
    assert rows[-1].code == "TOO_MANY_DIAGNOSTICS"
    assert rows[-1].data == {"count": 30, "limit": 200}
    assert rows[-1].severity is Severity.INFO


def test_errors_are_never_crowded_out_by_warnings(document: Make) -> None:
    noisy = [A | {"id": f"n{n}", "oddity": 1} for n in range(500)]
    rows = validate(document(*noisy, A | {"id": "last", "shape": "?"}))
    assert "INVALID_VALUE" in codes(rows)


def test_a_chain_of_containers_as_long_as_the_document_is_no_trouble(document: Make) -> None:
    rows = validate(document(*nested(5000)))
    assert [row.path for row in rows] == ["/elements/64"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, -(10**400), "\ud800"])
def test_values_that_strict_json_would_refuse_are_no_trouble(document: Make, value: object) -> None:
    scene = document(
        A | {"zIndex": value, "label": value, "layout": {"mode": value, "x": value}, "metadata": {"v": value}}
    )
    assert codes(validate(scene))
    assert read_scene(scene, Report()).elements[0].z_index == 0


def test_deep_and_strange_pointers_are_escaped(document: Make) -> None:
    (row,) = validate(document(styles={"a/~b": {"fill": 1}}))
    assert steps_of(str(row.path)) == ("styles", "a/~b", "fill")


def test_an_operand_may_list_messages_notes_and_fragments_but_no_lifeline(document: Make) -> None:
    note = A | {"id": "say", "nodeType": "note"}
    inner, listed = frame("inner", containerType="fragment"), ["ab", "say", "inner", "a"]
    outer = frame("outer", containerType="fragment", extensions={"operands": [{"messages": listed}]})
    rows = validate(document(A, B, AB, note, inner, outer, diagramFamily="sequence"))
    assert [(row.code, row.path) for row in rows] == [
        ("FRAGMENT_MESSAGE_NOT_FOUND", "/elements/5/extensions/operands/0/messages/3")
    ]


def test_lists_of_ids_belong_to_the_caller_where_no_type_reads_them(document: Make) -> None:
    over, operands = {"over": ["nobody"]}, {"operands": [{"messages": ["nothing"]}]}
    found = validate(document(A | {"extensions": over}, frame("f", extensions=operands)))
    assert codes(found) == ["NO_EFFECT", "NO_EFFECT"]


@pytest.mark.parametrize("value", [None, 3, "ab", {"0": "ab"}, [["ab"], None, {}]])
def test_lists_of_ids_that_are_none_are_no_business_of_references(document: Make, value: object) -> None:
    note = B | {"nodeType": ["note"], "extensions": {"over": value}}
    fragment = frame("f", containerType="fragment", extensions={"operands": [{"messages": value}, value]})
    found = codes(
        validate(document(A, note, B | {"id": "n", "nodeType": "note", "extensions": {"over": value}}, fragment))
    )
    assert not {"FRAGMENT_MESSAGE_NOT_FOUND", "NOTE_LIFELINE_NOT_FOUND"} & set(found)


def test_a_missing_member_comes_with_the_text_to_add() -> None:
    told = {row.path: row for row in validate({"scene": {}})}
    for path, text in {
        "/schemaVersion": '"schemaVersion": "0.1"',
        "/elements": '"elements": []',
        "/scene/id": '"id": "my-scene"',
        "/scene/units": '"units": "px"',
        "/scene/canvas": '"canvas": {}',
    }.items():
        assert f"Add {text}." in told[path].message
        assert (told[path].data or {})["add"] == text
    (row,) = (row for row in validate({}) if row.path == "/scene")
    assert row.data is not None
    scene = json.loads("{" + row.data["add"] + "}")
    assert validate({"schemaVersion": "0.1", "diagramFamily": "network", "elements": [], **scene}) == ()


@pytest.mark.parametrize("name", ["scene", "document"])
def test_a_document_inside_a_member_is_one_problem_that_names_the_member(name: str) -> None:
    whole = {"schemaVersion": "0.1", "scene": {"id": "s", "units": "px", "canvas": {}}, "elements": []}
    (found,) = validate({name: whole})
    assert (found.code, found.path) == ("MISSING_FIELD", "/elements")
    assert found.message.endswith(f"The document stands in '{name}'; send the content of this member.")
