"""The gallery shows everything the vocabulary names, and each of its pictures is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from gallery.families import family_pages
from gallery.sheets import vocabulary_pages
from gallery.subjects import subject_pages

from scenograph.engine.themes import THEMES
from scenograph.scene.validation import validate
from scenograph.scene.vocabulary import (
    ARROWS,
    CARDINALITIES,
    CONTAINER_TYPES,
    DIAGRAM_FAMILIES,
    EDGE_TYPES,
    GENERIC_NODE_TYPES,
    NODE_TYPES,
    ROUTERS,
    SHAPES,
)

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"
PAGES = [*family_pages(), *vocabulary_pages(), *subject_pages()]
SEQUENCE_EDGES = {"sequence.create", "sequence.async", "sequence.destroy"}  # drawn on the golden `sequence-lives`


def test_every_name_of_the_vocabulary_is_shown() -> None:
    shown = json.dumps([page.scene for page in PAGES])
    typed = [name for names in (*NODE_TYPES.values(), *EDGE_TYPES.values()) for name in names]
    rows = (ARROWS, CARDINALITIES, CONTAINER_TYPES, DIAGRAM_FAMILIES, GENERIC_NODE_TYPES, ROUTERS, SHAPES, typed)
    missing = {name for names in rows for name in names if f'"{name}"' not in shown}
    assert missing <= SEQUENCE_EDGES
    assert {page.theme for page in PAGES} == set(THEMES)


def test_every_page_is_a_sound_scene() -> None:
    remarks = {(page.name, row.code) for page in PAGES for row in validate(page.scene) if row.severity == "error"}
    assert remarks == set()


def test_the_readme_shows_every_picture_of_the_folder() -> None:
    linked = set(re.findall(r"\((.+?\.svg)\)", (GALLERY / "README.md").read_text("utf-8")))
    assert linked == {file.name for file in GALLERY.glob("*.svg")} == {f"{page.name}.svg" for page in PAGES}


def test_the_gallery_stays_small() -> None:
    assert sum(file.stat().st_size for file in GALLERY.iterdir()) < 6_000_000
