"""Over all example scenes: no word of three letters or more that an author wrote is left, in whatever place."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import scenograph.scene.vocabulary
from scenograph.diagnostics import Severity
from scenograph.engine.icons import KnownIcons
from scenograph.scene.anonymizing import anonymized
from scenograph.scene.colors import parse_color
from scenograph.scene.validation import validate

SCENES = sorted((Path(__file__).parents[1] / "scenes").glob("*.json"))
WORDS = re.compile(r"[^\W\d_]{2,}")
ICONS = KnownIcons()
PICTURES = {"data", "href", "mimeType"}
# Words that a font, a key of a column or an icon's key may keep, for the engine reads them.
READ_IN_NAMES = {"aws", "sans", "serif", "mono", "monospace", "unique", "key", "primary", "foreign"}


def vocabulary(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        yield from vocabulary(tuple(value.values()))
    elif isinstance(value, tuple | frozenset):
        for inner in value:
            yield from vocabulary(inner)


NAMES = {name for constant in vars(scenograph.scene.vocabulary).values() for name in vocabulary(constant)}
NAMES |= {"node", "edge", "frame", "group", "text", "image", "guide"}


def is_public(value: str) -> bool:
    """Whether a value is one that every author chooses from: whatever member it stands in, it tells nothing."""
    return value in NAMES or parse_color(value) is not None or ICONS.knows(value)


READ_BY_THE_ENGINE = {"pk", "fk", "uk", "columns", "showlifelinefeet", "operator", "operands", "over", "side", "align"}
Document = dict[str, Any]

# Content of many kinds in one document: what people really put into diagrams.
WRITTEN: Document = {
    "schemaVersion": "0.1",
    "diagramFamily": "entityRelationship",
    "scene": {"id": "acme-billing", "title": "Acme Billing", "units": "px", "canvas": {"background": "#fff"}},
    "elements": [
        {"id": "tblInvoice", "kind": "node", "nodeType": "er.entity", "label": "Invoice", "name": "the invoices",
         "extensions": {"columns": [{"name": "invoice_id", "type": "uuid", "pk": True},
                                    {"name": "customerEmail", "type": "varchar(80)", "nullable": True}]}},
        {"id": "tblCustomer", "kind": "node", "nodeType": "er.entity", "label": "Customer\nВнутренний 顧客 größe",
         "metadata": {"owner": "jane.doe@acme.example", "ticket": "ACME-4711"},
         "extensions": {"columns": [{"key": "PK", "name": "customerEmail"}]}},
        {"id": "owns", "kind": "edge", "label": "paidBy [if overdue] / remindCustomer",
         "from": {"elementId": "tblInvoice", "column": "customerEmail"}, "to": {"elementId": "tblCustomer"}},
        {"id": "zone", "kind": "frame", "title": "Internal network", "children": ["tblInvoice"]},
        {"id": "gate", "kind": "node", "nodeType": "acme.turnstile", "icon": "aws:turnstile-of-acme", "label": "Gate"},
        {"id": "remark", "kind": "text", "content": "see https://wiki.acme.example/Billing?page=Overdue"},
        {"id": "couple", "kind": "group", "label": "Money", "children": ["tblCustomer"]},
    ],
    "styles": {"overdue": {"stroke": "tomato", "fontFamily": "Acme Grotesk"}},
    "constraints": [{"id": "row", "type": "align", "elements": ["tblInvoice", "tblCustomer"], "axis": "y"}],
    "extensions": {"department": "Accounting"},
    "secretPlan": "world domination",
}  # fmt: skip
DOCUMENTS = {path.stem: json.loads(path.read_text("utf-8")) for path in SCENES} | {"written": WRITTEN}


def strings(value: object, member: str = "") -> Iterator[str]:
    """Every text that is the author's own, names of members in the author's own maps included."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if member in {"styles", "assets", "extensions", "metadata"}:
                yield name
            yield from strings(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, member)
    elif isinstance(value, str) and member not in PICTURES and not is_public(value):
        yield value


def words_of(document: Document) -> set[str]:
    own = {key: value for key, value in document.items() if key != "extensions"}
    return {word.casefold() for text in strings(own) for word in WORDS.findall(text)}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_word_of_the_author_is_left(name: str) -> None:
    original = DOCUMENTS[name]
    words = words_of(original)
    assert words or name != "written"
    for seed in range(5):
        made = anonymized(original, random.Random(seed).randrange, ICONS)  # noqa: S311 - a test wants the same again
        text = "\n".join(strings(made)).casefold()
        whole = set(WORDS.findall(text))
        left = {
            word for word in words - READ_BY_THE_ENGINE - READ_IN_NAMES if word in (text if len(word) > 2 else whole)
        }
        assert left == set()
        assert [row for row in validate(made) if row.severity is Severity.ERROR] == []


def test_there_are_scenes_of_many_kinds() -> None:
    assert len(DOCUMENTS) > 10
    assert {"invoice", "jane", "overdue", "remindcustomer", "внутренний"} <= words_of(WRITTEN)
