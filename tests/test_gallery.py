"""The pages of the gallery show all golden pictures, which tests/golden holds, and every name of the vocabulary."""

from __future__ import annotations

import json
import re

from golden_scenes import GALLERY, golden_scenes
from make_gallery import gallery_pages

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

SCENES = golden_scenes()


def test_the_pages_are_written_from_the_golden_scenes_and_the_rules() -> None:
    pages = gallery_pages(SCENES)
    assert {path.name: path.read_text("utf-8") for path in GALLERY.glob("*.md")} == pages, "run scripts/make_gallery.py"


def test_every_picture_of_the_folder_is_shown() -> None:
    pages = "".join(path.read_text("utf-8") for path in GALLERY.glob("*.md"))
    linked = {name for name in re.findall(r"\((.+?\.svg)\)", pages) if not name.startswith("../")}
    assert linked == {f"{path.parent.name}/{path.name}" for path in GALLERY.rglob("*.svg")}


def test_every_name_of_the_vocabulary_is_shown() -> None:
    shown = json.dumps([scene.document for scene in SCENES])
    typed = [name for names in (*NODE_TYPES.values(), *EDGE_TYPES.values()) for name in names]
    rows = (ARROWS, CARDINALITIES, CONTAINER_TYPES, DIAGRAM_FAMILIES, GENERIC_NODE_TYPES, ROUTERS, SHAPES, typed)
    missing = {name for names in rows for name in names if f'"{name}"' not in shown}
    assert missing == set(), "show them in a golden scene (docs/extending.md)"


def test_every_golden_scene_is_a_sound_document() -> None:
    remarks = {
        (scene.name, row.code) for scene in SCENES for row in validate(scene.document) if row.severity == "error"
    }
    assert remarks == set()


def test_the_gallery_stays_small() -> None:
    assert sum(path.stat().st_size for path in GALLERY.rglob("*.svg")) < 4_000_000
