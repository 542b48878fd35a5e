"""The page `docs/scene-format.md`, written from the field descriptions.

uv run python -m scenograph.scene.description.reference > docs/scene-format.md
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scenograph import diagnostics
from scenograph.scene.defaults import DEFAULTS, DEFAULTS_RECORDS
from scenograph.scene.description import document as document_fields
from scenograph.scene.description import elements
from scenograph.scene.description.elements import StyleOrName
from scenograph.scene.description.fields import (
    AnyOf,
    Choice,
    ColorText,
    Field,
    FieldType,
    Identifier,
    ListOf,
    MapOf,
    Named,
    Number,
    PatchOf,
    Record,
    SchemaOnly,
    TextType,
    Variants,
)
from scenograph.scene.description.operations import OPERATION_RECORDS, REQUEST
from scenograph.scene.examples import EXAMPLES
from scenograph.scene.image_data import ASSET, AssetRecord
from scenograph.scene.json_values import JsonObject, figure
from scenograph.scene.limits import LIMITS, Limits
from scenograph.scene.strict_json import MAX_DEPTH
from scenograph.scene.vocabulary import DEFAULT_EDGE_TYPE, EDGE_TYPES, GENERIC_NODE_TYPES, NODE_TYPES

# The diagnostics of validation and operations, in the order of the reference.


SHAPE_CODES = (
    diagnostics.UNSUPPORTED_SCHEMA_VERSION,
    diagnostics.MISSING_FIELD,
    diagnostics.INVALID_TYPE,
    diagnostics.INVALID_VALUE,
    diagnostics.INVALID_ID,
    diagnostics.INVALID_COLOR,
    diagnostics.OUT_OF_RANGE,
    diagnostics.LIMIT_EXCEEDED,
    diagnostics.IMAGE_NOT_ALLOWED,
    diagnostics.INVALID_LINK,
)
RULE_CODES = (
    diagnostics.DUPLICATE_ID,
    diagnostics.CHILD_NOT_FOUND,
    diagnostics.CHILD_KIND_NOT_ALLOWED,
    diagnostics.SELF_CONTAINMENT,
    diagnostics.CONTAINMENT_CYCLE,
    diagnostics.MULTIPLE_PARENTS,
    diagnostics.ENDPOINT_NOT_FOUND,
    diagnostics.ENDPOINT_KIND_NOT_ALLOWED,
    diagnostics.PORT_NOT_FOUND,
    diagnostics.DUPLICATE_PORT_ID,
    diagnostics.LAYOUT_TARGET_NOT_FOUND,
    diagnostics.LAYOUT_TARGET_CYCLE,
    diagnostics.LAYOUT_TARGET_NOT_CONTAINER,
    diagnostics.ATTACHMENT_HOST_NOT_FOUND,
    diagnostics.ATTACHMENT_HOST_NOT_ALLOWED,
    diagnostics.STYLE_NOT_FOUND,
    diagnostics.ASSET_NOT_FOUND,
    diagnostics.DUPLICATE_CONSTRAINT_ID,
    diagnostics.CONSTRAINT_ELEMENT_NOT_FOUND,
)
REMARK_CODES = (
    diagnostics.UNKNOWN_FIELD,
    diagnostics.UNKNOWN_NODE_TYPE,
    diagnostics.UNKNOWN_EDGE_TYPE,
    diagnostics.UNKNOWN_ICON,
    diagnostics.EDGE_COLUMN_NOT_FOUND,
    diagnostics.FRAGMENT_MESSAGE_NOT_FOUND,
    diagnostics.NOTE_LIFELINE_NOT_FOUND,
    diagnostics.SELF_LOOP,
    diagnostics.ORPHAN_SCREEN,
    diagnostics.MISSING_DIAGRAM_FAMILY,
    diagnostics.OUTER_FIELD_NESTED,
    diagnostics.FIELD_IGNORED,
    diagnostics.NO_EFFECT,
    diagnostics.TOO_MANY_DIAGNOSTICS,
)
OPERATION_CODES = (
    diagnostics.UNKNOWN_OP,
    diagnostics.OP_TARGET_NOT_FOUND,
    diagnostics.OP_ID_EXISTS,
    diagnostics.OP_WRONG_KIND,
    diagnostics.OP_NOT_PLACED,
    diagnostics.DANGLING_REFERENCE,
    diagnostics.CASCADE_DELETED,
    diagnostics.SYNC_RENAME,
    diagnostics.SYNC_KEPT,
)


RECORDS: tuple[Record, ...] = (
    document_fields.DOCUMENT,
    document_fields.SCENE,
    document_fields.CANVAS,
    document_fields.EXTENSIONS,
    document_fields.LAYOUT_STRATEGY,
    document_fields.LEGEND.record,
    document_fields.LEGEND_ENTRY,
    elements.PALETTE,
    elements.STYLE,
    elements.LAYOUT,
    *elements.ELEMENT_RECORDS.values(),
    elements.LINK,
    document_fields.VIEW,
    document_fields.PAGE.record,
    elements.PORT,
    elements.ATTACHMENT,
    elements.ENDPOINT,
    elements.ARROW_ENDS,
    elements.WAYPOINT,
    elements.NODE_EXTENSIONS,
    elements.COLUMN,
    elements.EDGE_EXTENSIONS,
    elements.FRAME_EXTENSIONS,
    elements.OPERAND,
    DEFAULTS,
    *DEFAULTS_RECORDS.values(),
    ASSET.record,
)
_COMMON = tuple(row.name for row in elements.GUIDE.fields if row.name in elements.TEXT.members and row.name != "kind")


def render_reference() -> str:
    """The whole page, Markdown."""
    return "\n".join(
        [*_intro(), *_records(), *_constraints(), *_operations(), *_names(), *_codes(), *_limits(), *_examples()]
    )


def _intro() -> Iterator[str]:
    yield "# The scene format\n"
    command = "uv run python -m scenograph.scene.description.reference"
    yield f"<!-- Written by `{command}`; change the descriptions, not this page. -->\n"
    yield "A scene is one JSON document. What follows is written from the same descriptions that validate documents and"
    yield "make the published schemas (`/schemas/scene.schema.json`, `/schemas/ops.schema.json`).\n"
    yield "- JSON is read strictly: UTF-8 without a byte order mark, no NaN or Infinity, no number beyond a double, no"
    yield f"  duplicate keys, no lone surrogates, at most {MAX_DEPTH} levels deep."
    yield "- Lengths are px; y grows downwards."
    yield "- A member nobody knows is kept and remarked (`UNKNOWN_FIELD`); `extensions` and `metadata` are free."
    yield "- A colour is hex (3, 4, 6 or 8 digits), `rgb()`, `rgba()`, `hsl()`, `hsla()` in comma or space syntax, a"
    yield "  CSS colour name, `none` or `transparent`.\n"


def _records() -> Iterator[str]:
    yield "## Fields\n"
    for record in RECORDS:
        if record.name == "Node":
            yield "### Element\n"
            kinds = ", ".join(f"[`{kind}`](#{kind})" for kind in elements.ELEMENT_RECORDS)
            yield f"{elements.ELEMENT.doc} Its `kind` is one of {kinds}. Every kind has {_code_list(_COMMON)};"
            yield "they are told once, under Node.\n"
        hidden = _COMMON if record in elements.ELEMENT_RECORDS.values() and record.name != "Node" else ()
        yield f"### {record.name}\n"
        yield f"{record.doc}\n"
        yield from _fields(row for row in record.fields if row.name not in hidden)


def _fields(rows: Iterable[Field]) -> Iterator[str]:
    yield "| field | type | required | default | meaning |"
    yield "|---|---|---|---|---|"
    for row in rows:
        default = "" if row.default is None else f"`{json.dumps(row.default)}`"
        also = f" Also read from {', '.join(f'`{alias}`' for alias in row.aliases)}." if row.aliases else ""
        cells = (f"`{row.name}`", _type(row.type), "yes" if row.required else "", default, _cell(row.doc + also))
        yield f"| {' | '.join(cells)} |"
    yield ""


def _type(kind: FieldType) -> str:
    """A field type in the words of a table cell."""
    for cls, words in _TYPE_WORDS:
        if isinstance(kind, cls):
            return words(kind)
    return kind.words


def _choice(kind: Choice) -> str:
    return _code_list(kind.values)


def _number(kind: Number) -> str:
    low, high = kind.range(LIMITS)
    return f"{'integer' if kind.whole else 'number'}, {figure(low)} to {figure(high)}"


def _text(kind: TextType) -> str:
    return f"string, at most {getattr(LIMITS, kind.limit)} characters"


def _any_of(kind: AnyOf) -> str:
    return " or ".join(dict.fromkeys(_type(option) for option in kind.options))


def _link(kind: Record | Variants | AssetRecord) -> str:
    return f"[{kind.name}](#{kind.name.lower()})"


_TYPE_WORDS: tuple[tuple[type, Callable[[Any], str]], ...] = (
    (Record, _link),
    (Named, lambda kind: f"{_code_list(kind.values)} or {_link(kind.record)}"),
    (Variants, _link),
    (AssetRecord, _link),
    (ListOf, lambda kind: f"array of {_type(kind.item)}"),
    (MapOf, lambda kind: f"object of {_type(kind.value)}"),
    (PatchOf, lambda kind: f"{_type(kind.value)} or null"),
    (AnyOf, _any_of),
    (SchemaOnly, lambda _: "[operation](#operations)"),
    (Choice, _choice),
    (Number, _number),
    (TextType, _text),
    (Identifier, lambda _: "id"),
    (ColorText, lambda _: "colour"),
    (StyleOrName, lambda _: "[Style](#style) or the name of one"),
)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def _constraints() -> Iterator[str]:
    yield "### Constraint\n"
    yield f"{document_fields.CONSTRAINT.doc} Every constraint has `id`, `type` and `elements`.\n"
    yield "| type | further members | meaning |"
    yield "|---|---|---|"
    for name, record in document_fields.CONSTRAINT_RECORDS.items():
        own = ", ".join(_member(row) for row in record.fields[3:])
        yield f"| `{name}` | {own} | {_cell(record.doc)} |"
    yield ""


def _member(row: Field) -> str:
    return f"`{row.name}`" + ("" if row.required else " (optional)")


def _operations() -> Iterator[str]:
    yield "## Operations\n"
    yield f"{REQUEST.doc}\n"
    yield from _fields(REQUEST.fields)
    yield "An operation may refer to what an earlier operation of the batch made; references are checked once, at the"
    yield "end. Paths of diagnostics begin with `/ops/<i>`. The answer's `changedElementIds` are sorted and hold every"
    yield "element that was added, removed or modified, and those whose container or painting order changed too.\n"
    yield "| op | members | meaning |"
    yield "|---|---|---|"
    for name, record in OPERATION_RECORDS.items():
        yield f"| `{name}` | {_operation_members(name, record)} | {_cell(record.doc)} |"
    yield ""


def _operation_members(name: str, record: Record) -> str:
    rows = record.fields[1:]
    kind = next(
        (kind for kind in ("Node", "Edge", "Frame", "Text", "Image", "Guide") if name.endswith(kind)), "element"
    )
    if name == "createEdge":
        return "`id`, the members of [Edge](#edge)"
    if name.startswith("create"):
        return f"`id`, `parentId` (optional), the members of [{kind}](#{kind.lower()})"
    if name.startswith("update") and name not in {"updateScene", "updateConstraint"}:
        return "`id`, any members of the element"
    if name == "updateConstraint":
        return "`id`, any members of the constraint"
    return ", ".join(_member(row) for row in rows)


def _names() -> Iterator[str]:
    yield "## Node and edge types\n"
    yield "An unprefixed type is free text; an unknown name under a family's prefix is remarked.\n"
    yield "| prefix | node types | edge types |"
    yield "|---|---|---|"
    yield f"| | {_code_list(GENERIC_NODE_TYPES)} | `{DEFAULT_EDGE_TYPE}` |"
    for prefix in NODE_TYPES:
        yield f"| `{prefix}.` | {_code_list(NODE_TYPES[prefix])} | {_code_list(EDGE_TYPES[prefix])} |"
    yield ""


def _code_list(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


def _codes() -> Iterator[str]:
    yield "## Diagnostics of validation and operations\n"
    yield "Each has a JSON pointer `path`; `data.allowed` where the allowed values are known, `data.suggestion` where a"
    yield f"near name exists. At most {LIMITS.diagnostics} are told at once, errors first.\n"
    groups = (
        ("The shape of a value", SHAPE_CODES),
        ("Names and references", RULE_CODES),
        ("Remarks: the scene still renders", REMARK_CODES),
        ("Operations", OPERATION_CODES),
    )
    for title, rows in groups:
        yield f"### {title}\n"
        yield "| code | severity | sentence |"
        yield "|---|---|---|"
        for row in rows:
            sentence = re.sub(r"\{(\w+)\}", r"‹\1›", row.wording)
            yield f"| `{row.name}` | {row.severity.value} | {_cell(sentence)} |"
        yield ""


def _limits() -> Iterator[str]:
    yield "## Limits\n"
    yield "Counts and lengths beyond a limit are `LIMIT_EXCEEDED`, numbers beyond one are `OUT_OF_RANGE`.\n"
    yield "The setting `DOCUMENT_LIMITS` changes them, up to the highest value: `elements=2000,nesting=16`. A stored"
    yield "scene that is beyond a lowered limit can still be read and rendered.\n"
    yield "| limit | default | highest | what |"
    yield "|---|---|---|---|"
    for name, default, doc, most in Limits.rows():
        yield f"| {name} | {default:,} | {most:,} | {doc} |"
    yield ""


def _examples() -> Iterator[str]:
    yield "## One example a family\n"
    for family, document in EXAMPLES.items():
        yield f"### {family}\n"
        yield f"```json\n{written(document)}\n```\n"


def written(document: JsonObject) -> str:
    """A document as JSON with a line for each element."""
    lines: list[str] = []
    for name, value in document.items():
        if name == "elements":
            rows = ",\n    ".join(json.dumps(element, ensure_ascii=False) for element in value)
            lines.append(f'  "elements": [\n    {rows}\n  ]')
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}"


if __name__ == "__main__":
    sys.stdout.write(render_reference())
