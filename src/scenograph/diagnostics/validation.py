"""Errors and remarks about a document (R-VALID-2): shape, references, remarks."""

from __future__ import annotations

from scenograph.diagnostics.rows import DOCUMENT, Code, Severity

UNSUPPORTED_SCHEMA_VERSION = Code(
    "UNSUPPORTED_SCHEMA_VERSION",
    Severity.ERROR,
    "{name} {given} is not supported; use {allowed}.",
    when="`schemaVersion` is not 0.1.",
    path="/schemaVersion",
    data=(
        "allowed",
        "suggestion",
    ),
)
MISSING_FIELD = Code(
    "MISSING_FIELD",
    Severity.ERROR,
    "{name} is required{why}.{hint}",
    when="A required member is left out.",
    data=(
        "allowed",
        "add",
    ),
)
INVALID_TYPE = Code(
    "INVALID_TYPE",
    Severity.ERROR,
    "{name} must be {expected}, not {given}.",
    when="A value is of another JSON type.",
    data=("allowed",),
)
INVALID_VALUE = Code(
    "INVALID_VALUE",
    Severity.ERROR,
    "{name} cannot be {given}; it must be {expected}.",
    when="A value is of the right type but none of those allowed.",
    data=(
        "allowed",
        "suggestion",
    ),
)
INVALID_ID = Code(
    "INVALID_ID",
    Severity.ERROR,
    "{name} cannot be {given}; an id here is {expected}.",
    when="An id has characters or a length that ids cannot have, or is reserved.",
    data=("pattern",),
)
INVALID_COLOR = Code(
    "INVALID_COLOR",
    Severity.ERROR,
    "{name} cannot be {given}; a colour is hex, rgb(), rgba(), hsl(), hsla(), a CSS colour name, none or transparent.",
    when="A value is not a colour.",
)
OUT_OF_RANGE = Code(
    "OUT_OF_RANGE",
    Severity.ERROR,
    "{name} must be {expected}, not {given}.",
    when="A number is beyond its limits.",
    data=(
        "min",
        "max",
    ),
)
LIMIT_EXCEEDED = Code(
    "LIMIT_EXCEEDED",
    Severity.ERROR,
    "{name} holds {count} {what}; at most {limit} are allowed.",
    when="A count or a length is beyond its limit.",
    data=(
        "count",
        "limit",
        "containers",
    ),
)
UNKNOWN_FIELD = Code(
    "UNKNOWN_FIELD",
    Severity.WARNING,
    "{name} is not a known field of {owner}; it is kept and has no effect.",
    when="A member is not known; an error in an operation, a warning elsewhere.",
    data=("suggestion",),
)
FIELD_IGNORED = Code(
    "FIELD_IGNORED",
    Severity.WARNING,
    "{name} has no effect: {kept} is given as well and takes precedence.",
    when="A member stands beside the one that it is another name for, or a misplaced one beside the one at the root.",
    data=("counts",),
)
NO_EFFECT = Code(
    "NO_EFFECT",
    Severity.INFO,
    "{name} has no effect on {of}: it is read by {readers}.{way}",
    when="A member stands where nothing reads it, such as `extensions.columns` of a service; once for each member.",
    data=(
        "elementIds",
        "count",
    ),
)
TOO_MANY_DIAGNOSTICS = Code(
    "TOO_MANY_DIAGNOSTICS",
    Severity.INFO,
    "{count} further problem(s) were found; the first {limit} are shown.",
    when="More than 200 problems were found.",
    path=DOCUMENT,
    data=(
        "count",
        "limit",
    ),
)
IMAGE_NOT_ALLOWED = Code(
    "IMAGE_NOT_ALLOWED",
    Severity.ERROR,
    "{name} cannot be used as a picture: {why}. Allowed are png, jpeg, gif and webp.",
    when="A picture is not a base64 data URI of a png, jpeg, gif or webp within the limits.",
    data=("allowed",),
)
INVALID_LINK = Code(
    "INVALID_LINK",
    Severity.ERROR,
    "{name} cannot be {given}: {why}. A link begins with http://, https:// or mailto:.",
    when="A link is not an http, https or mailto address, or its host holds characters that are not seen.",
    data=("allowed",),
)
DUPLICATE_ID = Code(
    "DUPLICATE_ID",
    Severity.ERROR,
    "The id {id} is used by {count} elements; ids are unique within a scene.",
    when="Elements share an id; told once for each id.",
    data=("paths",),
)
CHILD_NOT_FOUND = Code(
    "CHILD_NOT_FOUND",
    Severity.ERROR,
    "{container} lists the child {id}, which does not exist.",
    when="A container lists an id that no element has.",
    data=("suggestion",),
)
CHILD_KIND_NOT_ALLOWED = Code(
    "CHILD_KIND_NOT_ALLOWED",
    Severity.ERROR,
    "{container} lists the child {id}, which is an edge; edges cannot be children.{way}",
    when="A container lists an edge.",
)
SELF_CONTAINMENT = Code(
    "SELF_CONTAINMENT",
    Severity.ERROR,
    "{id} lists itself as a child.",
    when="A container lists itself.",
)
CONTAINMENT_CYCLE = Code(
    "CONTAINMENT_CYCLE",
    Severity.ERROR,
    "Containers contain one another in a circle: {cycle}.",
    when="Containers contain one another in a circle.",
    data=("cycle",),
)
MULTIPLE_PARENTS = Code(
    "MULTIPLE_PARENTS",
    Severity.ERROR,
    "{id} is listed as a child more than once, in: {parents}; it can be in one place only.",
    when="An element is listed as a child more than once.",
    data=(
        "parents",
        "paths",
    ),
)
ENDPOINT_NOT_FOUND = Code(
    "ENDPOINT_NOT_FOUND",
    Severity.ERROR,
    "The edge {edge} ends at {id}, which does not exist.",
    when="An edge ends at an id that no element has.",
    data=("suggestion",),
)
ENDPOINT_KIND_NOT_ALLOWED = Code(
    "ENDPOINT_KIND_NOT_ALLOWED",
    Severity.ERROR,
    "The edge {edge} ends at {id}, which is of kind {kind}; an edge ends at a node, a frame or a group.",
    when="An edge ends at a text, an image, a guide or an edge.",
    data=("allowed",),
)
PORT_NOT_FOUND = Code(
    "PORT_NOT_FOUND",
    Severity.ERROR,
    "{id} has no port {port}; it has: {allowed}.",
    when="An end names a port that its element does not have.",
    data=(
        "allowed",
        "elementId",
        "suggestion",
    ),
)
DUPLICATE_PORT_ID = Code(
    "DUPLICATE_PORT_ID",
    Severity.ERROR,
    "{id} has more than one port {port}.",
    when="Ports of one node share an id.",
)
LAYOUT_TARGET_NOT_FOUND = Code(
    "LAYOUT_TARGET_NOT_FOUND",
    Severity.ERROR,
    "The layout of {id} refers to {target}, which does not exist or has no place.",
    when="A relative layout names an id that does not exist or has no place.",
    data=("suggestion",),
)
LAYOUT_TARGET_CYCLE = Code(
    "LAYOUT_TARGET_CYCLE",
    Severity.ERROR,
    "Layouts refer to one another in a circle: {cycle}.",
    when="Relative layouts refer to one another in a circle, also by way of containers.",
    data=("cycle",),
)
LAYOUT_TARGET_NOT_CONTAINER = Code(
    "LAYOUT_TARGET_NOT_CONTAINER",
    Severity.ERROR,
    "{id} is to be inside {target}, which is neither a frame nor a group.",
    when="An element is to stand inside something that is neither a frame nor a group.",
)
ATTACHMENT_HOST_NOT_FOUND = Code(
    "ATTACHMENT_HOST_NOT_FOUND",
    Severity.ERROR,
    "{id} is attached to {host}, which does not exist.",
    when="A node is attached to an id that no element has.",
    data=("suggestion",),
)
ATTACHMENT_HOST_NOT_ALLOWED = Code(
    "ATTACHMENT_HOST_NOT_ALLOWED",
    Severity.ERROR,
    "{id} is attached to {host}, which {why}; a host is another node or a frame that is attached to nothing.",
    when="A node is attached to itself, to what is attached itself, or to what is neither a node nor a frame.",
)
STYLE_NOT_FOUND = Code(
    "STYLE_NOT_FOUND",
    Severity.ERROR,
    "{id} uses the style {style}, which 'styles' does not define.",
    when="A named style is not defined.",
    data=("suggestion",),
)
ASSET_NOT_FOUND = Code(
    "ASSET_NOT_FOUND",
    Severity.ERROR,
    "{id} uses the asset {asset}, which 'assets' does not define.",
    when="A named asset is not defined.",
    data=("suggestion",),
)
DUPLICATE_CONSTRAINT_ID = Code(
    "DUPLICATE_CONSTRAINT_ID",
    Severity.ERROR,
    "The id {id} is used by {count} constraints; constraint ids are unique.",
    when="Constraints share an id.",
    data=("paths",),
)
CONSTRAINT_ELEMENT_NOT_FOUND = Code(
    "CONSTRAINT_ELEMENT_NOT_FOUND",
    Severity.ERROR,
    "The constraint {constraint} names {id}, which does not exist or has no place.",
    when="A constraint names an id that does not exist or has no place.",
    data=("suggestion",),
)
UNKNOWN_NODE_TYPE = Code(
    "UNKNOWN_NODE_TYPE",
    Severity.WARNING,
    "{type} is not a known node type; it is drawn as a plain node.{hint} Known: {allowed}.",
    when="A node type with a prefix is not known, or one without a prefix is near a known one.",
    data=(
        "allowed",
        "allowedCount",
        "suggestion",
    ),
)
UNKNOWN_EDGE_TYPE = Code(
    "UNKNOWN_EDGE_TYPE",
    Severity.WARNING,
    "{type} is not a known edge type; it is drawn as a plain line.{hint} Known: {allowed}.",
    when="An edge type with a prefix is not known, or one without a prefix is near a known one.",
    data=(
        "allowed",
        "allowedCount",
        "suggestion",
    ),
)
UNKNOWN_ICON = Code(
    "UNKNOWN_ICON",
    Severity.WARNING,
    "There is no icon {icon}; nothing is drawn for it. Nearest: {nearest}.",
    when="No icon has this key.",
    data=(
        "nearest",
        "suggestion",
    ),
)
EDGE_COLUMN_NOT_FOUND = Code(
    "EDGE_COLUMN_NOT_FOUND",
    Severity.WARNING,
    "{id} has no column {column}; the edge is anchored at the centre of a side. Available columns: {available}.",
    when="An end names a column that its entity does not have; the end is anchored at the middle of a side.",
    path="/elements/<edge>/<from or to>/column",
    data=(
        "allowed",
        "allowedCount",
        "suggestion",
    ),
)
FRAGMENT_MESSAGE_NOT_FOUND = Code(
    "FRAGMENT_MESSAGE_NOT_FOUND",
    Severity.WARNING,
    "{fragment} lists {id} in an operand, which is not a message, note or fragment; it is left out.",
    when="An operand lists an id that is not a message, note or fragment.",
    data=("suggestion",),
)
NOTE_LIFELINE_NOT_FOUND = Code(
    "NOTE_LIFELINE_NOT_FOUND",
    Severity.WARNING,
    "The note {note} is to stand over {id}, which is not a lifeline; it is left out.",
    when="A note is to stand over an id that is not a lifeline.",
    data=("suggestion",),
)
SELF_LOOP = Code(
    "SELF_LOOP",
    Severity.WARNING,
    "The edge {edge} leads from {id} to itself.",
    when="An edge leads from an element to itself in a family where that is unusual.",
)
ORPHAN_SCREEN = Code(
    "ORPHAN_SCREEN",
    Severity.WARNING,
    "No path from an entry reaches the screen {id}.",
    when="No path from an entry reaches a screen of a user interface flow.",
)
