"""The names that validation knows and the rows that the engine draws are the same."""

from __future__ import annotations

from scenograph.engine import icons
from scenograph.engine.families.catalog import EDGE_KINDS, FAMILIES, NODE_KINDS
from scenograph.engine.markers import MARKERS
from scenograph.engine.place.algorithms import ALGORITHMS
from scenograph.engine.route.courses.routers import ROUTERS
from scenograph.engine.shapes import SHAPES
from scenograph.scene import vocabulary


def test_every_family_is_in_both_tables() -> None:
    assert set(vocabulary.DIAGRAM_FAMILIES) == set(FAMILIES)


def test_every_node_type_is_in_both_tables() -> None:
    known = {name for names in vocabulary.NODE_TYPES.values() for name in names} | set(vocabulary.GENERIC_NODE_TYPES)
    assert known == set(NODE_KINDS)


def test_every_edge_type_is_in_both_tables() -> None:
    known = {name for names in vocabulary.EDGE_TYPES.values() for name in names} | {vocabulary.DEFAULT_EDGE_TYPE}
    assert known == set(EDGE_KINDS)


def test_every_shape_router_and_algorithm_is_in_both_tables() -> None:
    assert set(vocabulary.SHAPES) == set(SHAPES)
    assert set(vocabulary.ROUTERS) == set(ROUTERS)
    assert set(vocabulary.ALGORITHMS) == set(ALGORITHMS)


def test_every_arrow_an_author_may_choose_is_drawn() -> None:
    assert set(vocabulary.ARROWS) <= set(MARKERS)


def test_the_registry_that_validation_asks_agrees_with_the_one_that_draws() -> None:
    known = icons.KnownIcons()
    for key in ("lucide:database", "aws:s3", "gcp:nothing-like-this", "unknown:database", "", "lucide:", "database"):
        assert known.knows(key) is (icons.find(key) is not None)
    assert known.nearest("lucide:databse")[0].startswith("lucide:database")
