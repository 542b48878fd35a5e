"""Every remark the service makes about a scene: one row a code, one value a remark.

A stage takes a `Report` and adds to it; nobody removes from it. The rows below are the single source of severities
and wordings (specification: "Render and normalization diagnostics"; decisions: sections 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a diagnostic weighs: only `error` stops a scene from being stored."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the table: the name, the weight and the sentence with its `{holes}`."""

    name: str
    severity: Severity
    wording: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark. `path` is a JSON pointer into the document; `data` holds plain JSON values."""

    code: str
    severity: Severity
    message: str
    path: str | None = None
    element_id: str | None = None
    data: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """The wire form (specification: "Other records", Diagnostic): members that are unset are left out."""
        known = {"code": self.code, "severity": self.severity.value, "message": self.message}
        optional = {"path": self.path, "elementId": self.element_id, "data": self.data}
        return known | {name: value for name, value in optional.items() if value is not None}


@dataclass(slots=True)
class Report:
    """An append-only list of diagnostics that the stages share."""

    _rows: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(
        self,
        code: Code,
        *,
        path: str | None = None,
        element_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        **holes: object,
    ) -> None:
        """Append one remark; `holes` fill the wording of `code`."""
        message = code.wording.format(**holes)
        self._rows.append(Diagnostic(code.name, code.severity, message, path, element_id, data))

    def extend(self, rows: Iterator[Diagnostic] | list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
        """Append remarks made elsewhere."""
        self._rows.extend(rows)

    @property
    def rows(self) -> tuple[Diagnostic, ...]:
        """What was said so far, in the order it was said."""
        return tuple(self._rows)

    @property
    def has_errors(self) -> bool:
        """Whether any remark forbids storing the scene."""
        return any(row.severity is Severity.ERROR for row in self._rows)


_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR

# --- rendering and normalizing -------------------------------------------------------------------------------------
MISSING_DIAGRAM_FAMILY = Code(
    "MISSING_DIAGRAM_FAMILY", _INFO, "diagramFamily is not declared; declare one of: {allowed}."
)
OUTER_FIELD_NESTED = Code(
    "OUTER_FIELD_NESTED", _INFO, "The place for {fields} is the document root, not scene; {outcome}."
)
TEXT_OVERFLOW = Code(
    "TEXT_OVERFLOW",
    _WARNING,
    "The text of '{id}' needs {required} px of height but only {available} px are available; "
    "enlarge the element, shorten the label or leave its size out.",
)
CANVAS_AUTO_EXTENDED = Code(
    "CANVAS_AUTO_EXTENDED",
    _INFO,
    "The declared canvas is too small for its content; it was extended to {width} x {height} px.",
)
EDGE_CHANNEL_CROWDED = Code(
    "EDGE_CHANNEL_CROWDED",
    _INFO,
    "{count} edge(s) run less than {clearance} px beside another one, because their channel has no more room.",
)
EDGE_OBSTACLE_GRAZED = Code(
    "EDGE_OBSTACLE_GRAZED",
    _INFO,
    "{count} edge(s) come within {clearance} px of an element they do not belong to, because no clear path exists.",
)
EDGE_LABEL_SUPPRESSED_FANIN = Code(
    "EDGE_LABEL_SUPPRESSED_FANIN",
    _INFO,
    "{count} edge label(s) repeat what another edge brings from the same source unit to the same target; {groups} "
    "group(s) are drawn as one trunk with one label (style.forceLabel keeps an edge out).",
)
EDGE_LABEL_FANIN_BUNDLED = Code(
    "EDGE_LABEL_FANIN_BUNDLED",
    _INFO,
    "{count} edges bring equal labels to the same targets from different sources; they are drawn as {groups} trunk(s), "
    "each edge with its own label (style.forceLabel keeps an edge out).",
)
LABEL_DUPLICATION_DETECTED = Code(
    "LABEL_DUPLICATION_DETECTED",
    _WARNING,
    "{count} edges leave {id} with the same label '{label}'; say what makes each of them different.",
)
LAYOUT_ABSOLUTE_AT_ORIGIN = Code(
    "LAYOUT_ABSOLUTE_AT_ORIGIN", _INFO, "{count} absolute node(s) sit at exactly x=0, y=0; {outcome}."
)
EDGE_LABEL_SUPPRESSED_REDUNDANT = Code(
    "EDGE_LABEL_SUPPRESSED_REDUNDANT",
    _INFO,
    "{count} edge label(s) only repeat the name of a column at an end; the edges are anchored at its row instead "
    "(style.forceLabel keeps a label).",
)

# --- rendering: canvas and layout strategy ---------------------------------------------------------------------------
CANVAS_AUTO_TIGHTENED = Code(
    "CANVAS_AUTO_TIGHTENED",
    _INFO,
    "The content is a flat strip on a tall canvas; the canvas height was reduced from {declared} to {height} px.",
)
CANVAS_CONTENT_OFFSET = Code(
    "CANVAS_CONTENT_OFFSET",
    _INFO,
    "The middle of the content lies {across} and {along} the middle of the canvas.",
)
LAYOUT_STRATEGY_OVERRIDDEN = Code(
    "LAYOUT_STRATEGY_OVERRIDDEN",
    _INFO,
    "Every node has an absolute position, so the layout strategy '{algorithm}' has nothing to place.",
)
FONT_SUBSTITUTED = Code("FONT_SUBSTITUTED", _INFO, "No font of {asked} is embedded; the text is drawn in {used}.")
CONSTRAINT_UNSATISFIED = Code(
    "CONSTRAINT_UNSATISFIED",
    _WARNING,
    "The constraint {constraint} ({type}) was left out: it cannot hold together with the constraints before it, with "
    "what is locked or with the sizes that are given.",
)
EFFORT_LIMITED = Code(
    "EFFORT_LIMITED",
    _INFO,
    "The effort for {stage} reached its bound; the best that was found until then is drawn.",
)
VIEW_ID_NOT_FOUND = Code(
    "VIEW_ID_NOT_FOUND", _WARNING, "The view names {id}, which is no {what} of this scene{near}; it is left out."
)

# --- validation: the shape of a document (decisions: section 3) -----------------------------------------------------
UNSUPPORTED_SCHEMA_VERSION = Code(
    "UNSUPPORTED_SCHEMA_VERSION", _ERROR, "{name} {given} is not supported; use {allowed}."
)
MISSING_FIELD = Code("MISSING_FIELD", _ERROR, "{name} is required{why}.{hint}")
INVALID_TYPE = Code("INVALID_TYPE", _ERROR, "{name} must be {expected}, not {given}.")
INVALID_VALUE = Code("INVALID_VALUE", _ERROR, "{name} cannot be {given}; it must be {expected}.")
INVALID_ID = Code("INVALID_ID", _ERROR, "{name} cannot be {given}; an id here is {expected}.")
INVALID_COLOR = Code(
    "INVALID_COLOR",
    _ERROR,
    "{name} cannot be {given}; a colour is hex, rgb(), rgba(), hsl(), hsla(), a CSS colour name, none or transparent.",
)
OUT_OF_RANGE = Code("OUT_OF_RANGE", _ERROR, "{name} must be {expected}, not {given}.")
LIMIT_EXCEEDED = Code("LIMIT_EXCEEDED", _ERROR, "{name} holds {count} {what}; at most {limit} are allowed.")
UNKNOWN_FIELD = Code("UNKNOWN_FIELD", _WARNING, "{name} is no known field of {owner}; it is kept and has no effect.")
FIELD_IGNORED = Code("FIELD_IGNORED", _WARNING, "{name} has no effect: {kept} stands beside it and counts.")
TOO_MANY_DIAGNOSTICS = Code(
    "TOO_MANY_DIAGNOSTICS", _INFO, "{count} further problem(s) were found; the first {limit} are shown."
)
IMAGE_NOT_ALLOWED = Code(
    "IMAGE_NOT_ALLOWED", _ERROR, "{name} is no picture that may be used: {why}. Allowed are png, jpeg, gif and webp."
)
INVALID_LINK = Code(
    "INVALID_LINK",
    _ERROR,
    "{name} cannot be {given}: {why}. A link begins with http://, https:// or mailto:.",
)

# --- validation: names and references (decisions: section 3) ---------------------------------------------------------
DUPLICATE_ID = Code("DUPLICATE_ID", _ERROR, "The id {id} is used by {count} elements; ids are unique within a scene.")
CHILD_NOT_FOUND = Code("CHILD_NOT_FOUND", _ERROR, "{container} lists the child {id}, which does not exist.")
CHILD_KIND_NOT_ALLOWED = Code(
    "CHILD_KIND_NOT_ALLOWED", _ERROR, "{container} lists the child {id}, which is an edge; edges cannot be children."
)
SELF_CONTAINMENT = Code("SELF_CONTAINMENT", _ERROR, "{id} lists itself as a child.")
CONTAINMENT_CYCLE = Code("CONTAINMENT_CYCLE", _ERROR, "Containers contain one another in a circle: {cycle}.")
MULTIPLE_PARENTS = Code(
    "MULTIPLE_PARENTS", _ERROR, "{id} is listed as a child more than once, in: {parents}; it can be in one place only."
)
ENDPOINT_NOT_FOUND = Code("ENDPOINT_NOT_FOUND", _ERROR, "The edge {edge} ends at {id}, which does not exist.")
ENDPOINT_KIND_NOT_ALLOWED = Code(
    "ENDPOINT_KIND_NOT_ALLOWED",
    _ERROR,
    "The edge {edge} ends at {id}, which is of kind {kind}; an edge ends at a node, a frame or a group.",
)
PORT_NOT_FOUND = Code("PORT_NOT_FOUND", _ERROR, "{id} has no port {port}; it has: {allowed}.")
DUPLICATE_PORT_ID = Code("DUPLICATE_PORT_ID", _ERROR, "{id} has more than one port {port}.")
LAYOUT_TARGET_NOT_FOUND = Code(
    "LAYOUT_TARGET_NOT_FOUND", _ERROR, "The layout of {id} refers to {target}, which is no element with a place."
)
LAYOUT_TARGET_CYCLE = Code("LAYOUT_TARGET_CYCLE", _ERROR, "Layouts refer to one another in a circle: {cycle}.")
LAYOUT_TARGET_NOT_CONTAINER = Code(
    "LAYOUT_TARGET_NOT_CONTAINER", _ERROR, "{id} is to be inside {target}, which is no frame or group."
)
STYLE_NOT_FOUND = Code("STYLE_NOT_FOUND", _ERROR, "{id} uses the style {style}, which 'styles' does not define.")
ASSET_NOT_FOUND = Code("ASSET_NOT_FOUND", _ERROR, "{id} uses the asset {asset}, which 'assets' does not define.")
DUPLICATE_CONSTRAINT_ID = Code(
    "DUPLICATE_CONSTRAINT_ID", _ERROR, "The id {id} is used by {count} constraints; constraint ids are unique."
)
CONSTRAINT_ELEMENT_NOT_FOUND = Code(
    "CONSTRAINT_ELEMENT_NOT_FOUND",
    _ERROR,
    "The constraint {constraint} names {id}, which is no element with a place.",
)

# --- validation: remarks (decisions: section 3) ----------------------------------------------------------------------
UNKNOWN_NODE_TYPE = Code(
    "UNKNOWN_NODE_TYPE",
    _WARNING,
    "{type} is no known node type; it is drawn as a plain node.{hint} Known: {allowed}.",
)
UNKNOWN_EDGE_TYPE = Code(
    "UNKNOWN_EDGE_TYPE",
    _WARNING,
    "{type} is no known edge type; it is drawn as a plain line.{hint} Known: {allowed}.",
)
UNKNOWN_ICON = Code(
    "UNKNOWN_ICON",
    _WARNING,
    "There is no icon {icon}; nothing is drawn for it. Nearest: {nearest}.",
)
EDGE_COLUMN_NOT_FOUND = Code(
    "EDGE_COLUMN_NOT_FOUND",
    _WARNING,
    "{id} has no column {column}; the edge is anchored at the centre of a side. Available columns: {available}.",
)
FRAGMENT_MESSAGE_NOT_FOUND = Code(
    "FRAGMENT_MESSAGE_NOT_FOUND",
    _WARNING,
    "{fragment} lists {id} in an operand, which is no message, note or fragment; it is left out.",
)
NOTE_LIFELINE_NOT_FOUND = Code(
    "NOTE_LIFELINE_NOT_FOUND", _WARNING, "The note {note} is to stand over {id}, which is no lifeline; it is left out."
)
SELF_LOOP = Code("SELF_LOOP", _WARNING, "The edge {edge} leads from {id} to itself.")
ORPHAN_SCREEN = Code("ORPHAN_SCREEN", _WARNING, "No path from an entry reaches the screen {id}.")

# --- operations (decisions: section 4) -------------------------------------------------------------------------------
UNKNOWN_OP = Code("UNKNOWN_OP", _ERROR, "There is no operation {given}; known are: {allowed}.")
OP_TARGET_NOT_FOUND = Code("OP_TARGET_NOT_FOUND", _ERROR, "There is no {what} {id}.")
OP_ID_EXISTS = Code("OP_ID_EXISTS", _ERROR, "The {what} {id} exists already; choose another id or update it.")
OP_WRONG_KIND = Code("OP_WRONG_KIND", _ERROR, "{id} is of kind {kind}; {rule}.")
OP_NOT_PLACED = Code(
    "OP_NOT_PLACED", _ERROR, "The place of {id} is not known, so it cannot be moved from there; give x and y."
)
DANGLING_REFERENCE = Code("DANGLING_REFERENCE", _ERROR, "{id} is still referred to by: {references}.")
CASCADE_DELETED = Code("CASCADE_DELETED", _INFO, "With {id}, {what}.")

# --- files in other formats (decisions: section 17) ------------------------------------------------------------------
EXPORT_LOSS = Code("EXPORT_LOSS", _INFO, "{form} has no form for: {what}.")

# --- sources of other tools (decisions: section 18) ------------------------------------------------------------------
UNREADABLE_SOURCE = Code("UNREADABLE_SOURCE", _ERROR, "Line {line} of the source: expected {expected}.")
SYNC_RENAME = Code("SYNC_RENAME", _INFO, "{before} may be called {after} now: {outcome}.")
SYNC_KEPT = Code(
    "SYNC_KEPT",
    _WARNING,
    "{count} element(s) are no longer in the source, but are kept, because a part of it was not understood; "
    "prune removes them.",
)
IMPORT_LOSS = Code("IMPORT_LOSS", _WARNING, "Line {line} of the source: {what}; the rest was imported.")
