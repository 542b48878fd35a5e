"""Labels that say the same on several edges of one source: a reader cannot tell the edges apart.

In: a scene. Out: one remark for each source and text; edges that only share their target are none of it, edges from an
element to itself are. What is drawn of the labels does not matter: edges that are drawn as one may still be one edge
written twice. Rule R-FAN-5.
"""

from __future__ import annotations

from scenograph.diagnostics import LABEL_DUPLICATION_DETECTED, Report
from scenograph.scene.model import Edge, Scene


def report_duplicate_labels(scene: Scene, report: Report) -> None:
    """One remark for each label that leaves one element more than once, in the order of elements and labels."""
    alike: dict[tuple[str, str], list[str]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.label:
            alike.setdefault((edge.source.element_id, edge.label), []).append(edge.id)
    for (source, label), edges in sorted(alike.items()):
        if len(edges) > 1:
            report.add(
                LABEL_DUPLICATION_DETECTED,
                data={
                    "labelText": label,
                    "sharedEndpoint": {"kind": "source", "elementId": source},
                    "edgeIds": sorted(edges),
                },
                count=len(edges),
                id=source,
                label=label,
            )
