"""The output schemas: what the structured content of each tool holds (R-TOOL-3).

`note` is there when something was left out for its size; what may be left out is not required.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TEXT, WHOLE, TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
IDS = {"type": "array", "items": TEXT}
ROWS = {"type": "array", "items": {"type": "object"}}
DOCUMENT = {"type": "object"}
REMARKS = {
    "type": "array",
    "items": {"type": "object", "required": ["severity", "code", "message"]},
}
COUNTS = {"type": "object", "required": ["added", "removed", "modified"]}


def output(*optional: str, **members: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these members, all required but the `optional` ones."""
    return {
        "type": "object",
        "properties": members,
        "required": [name for name in members if name not in optional],
    }


CREATED = output(sceneId=TEXT, revision=WHOLE, diagnostics=REMARKS)
APPLIED = output(applied=TRUTH, appliedOps=WHOLE, revision=WHOLE, changedElementIds=IDS, diagnostics=REMARKS)
READ = output("scene", "outline", "elements", sceneId=TEXT, revision=WHOLE, scene=DOCUMENT, outline=TEXT, elements=ROWS)
VALIDATED = output(ok=TRUTH, diagnostics=REMARKS)
NORMALIZED = output("elements", "computed", schemaVersion=TEXT, scene=DOCUMENT, elements=ROWS, computed=DOCUMENT)
RENDERED = output("content", mimeType=TEXT, content=TEXT)
COMPARED = output(
    sceneId=TEXT,
    fromRevision=WHOLE,
    toRevision=WHOLE,
    summary=COUNTS,
    added=IDS,
    removed=IDS,
    modified=IDS,
    changedConstraintIds={"type": "array"},
)
HISTORY = output(sceneId=TEXT, currentRevision=WHOLE, revisions=ROWS)
DELETED = output(deleted=TRUTH, sceneId=TEXT, soft=TRUTH, note=TEXT)
RESTORED = output(restored=TRUTH, sceneId=TEXT, revision=WHOLE)
RECOVERABLE = output(items=ROWS)
SUBMITTED = output(sceneId=TEXT, privacyStatus=TEXT, supportSubmittedAt=TEXT, supportAnonymized=TRUTH, auditUrl=TEXT)
PUBLISHED = output(sceneId=TEXT, privacyStatus=TEXT, madePublicAt=TEXT, publicUrl=TEXT)
PRIVATE = output(sceneId=TEXT, privacyStatus=TEXT)
LISTED = output(items=ROWS)
TAKEN_BACK = output(sceneId=TEXT, revision=WHOLE, restoredRevision=WHOLE, changedElementIds=IDS)
IMPORTED = output("sceneId", "revision", "scene", sceneId=TEXT, revision=WHOLE, scene=DOCUMENT, diagnostics=REMARKS)
SYNCHRONIZED = output("ops", sceneId=TEXT, revision=WHOLE, applied=WHOLE, ops=ROWS, diagnostics=REMARKS)
EXPORTED = output("path", mimeType=TEXT, bytes=WHOLE, path=TEXT, diagnostics=REMARKS)
ICONS = output(icons=DOCUMENT)
FORWARDED = output("reply", status=WHOLE, reply=DOCUMENT)
PAGE = output(topic=TEXT)
