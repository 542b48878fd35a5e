"""The diagnostics of validation and operations, in the order in which the reference tells them."""

from __future__ import annotations

from scenograph import diagnostics as codes

SHAPE_CODES = (
    codes.UNSUPPORTED_SCHEMA_VERSION,
    codes.MISSING_FIELD,
    codes.INVALID_TYPE,
    codes.INVALID_VALUE,
    codes.INVALID_ID,
    codes.INVALID_COLOR,
    codes.OUT_OF_RANGE,
    codes.LIMIT_EXCEEDED,
    codes.IMAGE_NOT_ALLOWED,
    codes.INVALID_LINK,
)
RULE_CODES = (
    codes.DUPLICATE_ID,
    codes.CHILD_NOT_FOUND,
    codes.CHILD_KIND_NOT_ALLOWED,
    codes.SELF_CONTAINMENT,
    codes.CONTAINMENT_CYCLE,
    codes.MULTIPLE_PARENTS,
    codes.ENDPOINT_NOT_FOUND,
    codes.ENDPOINT_KIND_NOT_ALLOWED,
    codes.PORT_NOT_FOUND,
    codes.DUPLICATE_PORT_ID,
    codes.LAYOUT_TARGET_NOT_FOUND,
    codes.LAYOUT_TARGET_CYCLE,
    codes.LAYOUT_TARGET_NOT_CONTAINER,
    codes.ATTACHMENT_HOST_NOT_FOUND,
    codes.ATTACHMENT_HOST_NOT_ALLOWED,
    codes.STYLE_NOT_FOUND,
    codes.ASSET_NOT_FOUND,
    codes.DUPLICATE_CONSTRAINT_ID,
    codes.CONSTRAINT_ELEMENT_NOT_FOUND,
)
REMARK_CODES = (
    codes.UNKNOWN_FIELD,
    codes.UNKNOWN_NODE_TYPE,
    codes.UNKNOWN_EDGE_TYPE,
    codes.UNKNOWN_ICON,
    codes.EDGE_COLUMN_NOT_FOUND,
    codes.FRAGMENT_MESSAGE_NOT_FOUND,
    codes.NOTE_LIFELINE_NOT_FOUND,
    codes.SELF_LOOP,
    codes.ORPHAN_SCREEN,
    codes.MISSING_DIAGRAM_FAMILY,
    codes.OUTER_FIELD_NESTED,
    codes.FIELD_IGNORED,
    codes.TOO_MANY_DIAGNOSTICS,
)
OPERATION_CODES = (
    codes.UNKNOWN_OP,
    codes.OP_TARGET_NOT_FOUND,
    codes.OP_ID_EXISTS,
    codes.OP_WRONG_KIND,
    codes.OP_NOT_PLACED,
    codes.DANGLING_REFERENCE,
    codes.CASCADE_DELETED,
    codes.SYNC_RENAME,
    codes.SYNC_KEPT,
)
