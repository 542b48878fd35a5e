"""What holds for every document, drawn at random."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.scene.invalid_documents import ERRORS_OF_SHAPE

from scenograph.diagnostics import Report, Severity
from scenograph.scene.description.operations import scene_schema, scene_schema_draft_07
from scenograph.scene.difference import Difference, difference
from scenograph.scene.document_index import cycles
from scenograph.scene.model import Scene
from scenograph.scene.reading import read_scene
from scenograph.scene.strict_json import parse
from scenograph.scene.validation import validate

MODERN = jsonschema.Draft202012Validator(scene_schema())
DRAFT_07 = jsonschema.Draft7Validator(scene_schema_draft_07())
many = settings(deadline=None, max_examples=70, suppress_health_check=[HealthCheck.too_slow])


def reached(document: Any, path: str) -> bool:
    """Whether a JSON pointer leads to a value, or to a missing member of an object that is there."""
    here = document
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    for depth, step in enumerate(steps):
        if isinstance(here, list):
            if not int(step) < len(here):
                return False
            here = here[int(step)]
        elif isinstance(here, dict):
            if step not in here:
                return depth == len(steps) - 1
            here = here[step]
        else:
            return False
    return True


@many
@given(data=st.data())
def test_reading_any_json_value_never_raises(drawn: Any, data: st.DataObject) -> None:
    value = data.draw(drawn.json_values | drawn.documents)
    report = Report()
    assert isinstance(read_scene(value, report), Scene)
    assert {row.code for row in report.rows} <= {"OUTER_FIELD_NESTED"}


@many
@given(data=st.data())
def test_validating_any_json_value_gives_diagnostics_that_point_into_it(drawn: Any, data: st.DataObject) -> None:
    value = data.draw(drawn.json_values | drawn.documents)
    before = copy.deepcopy(value)
    rows = validate(value)
    assert value == before
    assert rows == validate(value)
    for row in rows:
        assert row.path is not None
        assert reached(value, row.path), row
        json.dumps(row.as_json(), allow_nan=False)


@many
@given(data=st.data())
def test_the_schemas_and_the_validator_agree_on_the_shape(drawn: Any, data: st.DataObject) -> None:
    document = data.draw(drawn.documents)
    errors = [row for row in validate(document) if row.severity is Severity.ERROR]
    shapely = not any(row.code in ERRORS_OF_SHAPE for row in errors)
    assert MODERN.is_valid(document) is shapely, (errors, [error.message for error in MODERN.iter_errors(document)])
    assert DRAFT_07.is_valid(document) is shapely


@many
@given(data=st.data())
def test_a_document_differs_from_itself_in_nothing(drawn: Any, data: st.DataObject) -> None:
    document = data.draw(drawn.documents)
    assert difference(document, document) == Difference()
    assert difference(document, json.loads(json.dumps(document))) == Difference()


@many
@given(data=st.data())
def test_there_and_back_swaps_added_and_removed(drawn: Any, data: st.DataObject) -> None:
    old, new = data.draw(drawn.documents), data.draw(drawn.documents)
    there, back = difference(old, new), difference(new, old)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert there.changed_constraint_ids == back.changed_constraint_ids


@many
@given(data=st.data())
def test_a_document_survives_being_written_and_strictly_read(drawn: Any, data: st.DataObject) -> None:
    document = data.draw(drawn.documents)
    assert parse(json.dumps(document).encode()) == document


@many
@given(st.dictionaries(st.integers(0, 9), st.integers(0, 9)))
def test_cycles_are_found_once_and_all(following: dict[int, int]) -> None:
    named = {str(key): str(value) for key, value in following.items()}
    found = list(cycles(named))
    on_cycle = {start for start in named if _returns(named, start)}
    assert {name for cycle in found for name in cycle} == on_cycle
    assert sum(map(len, found)) == len(on_cycle)
    for cycle in found:
        assert all(named[one] == other for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def _returns(following: dict[str, str], start: str) -> bool:
    here: str | None = following.get(start)
    for _ in following:
        if here == start:
            return True
        here = following.get(here) if here is not None else None
    return False
