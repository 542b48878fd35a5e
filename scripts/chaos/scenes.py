"""The scene that the writers edit, and how a revision's content tells who wrote it."""

from __future__ import annotations

from typing import Any


class Broken(Exception):  # noqa: N818 - a promise, not an error of the script
    """What was promised does not hold."""


def require(holds: object, sentence: str) -> None:
    """Broken with that sentence unless it holds."""
    if not holds:
        raise Broken(sentence)


def document(scene_id: str) -> dict[str, Any]:
    """Two nodes and what connects them."""
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": scene_id, "title": "Trouble", "units": "px", "canvas": {"width": 800, "height": 600}},
        "elements": [
            {"id": "a", "kind": "node", "nodeType": "service", "label": "nobody"},
            {"id": "b", "kind": "node", "nodeType": "database", "label": "B"},
            {"id": "ab", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}},
        ],
    }


def signed(scene_id: str, base: int, signature: str) -> dict[str, Any]:
    """A batch after which the scene's first element bears `signature`."""
    op = {"op": "updateNode", "id": "a", "label": signature}
    return {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": [op], "message": signature}


def signature_of(scene: dict[str, Any]) -> str:
    """Who wrote it."""
    return str(scene["elements"][0]["label"])


def percentile(seconds: list[float], percent: float) -> float:
    """The figure below which that many percent are; 0 of none."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * percent / 100))] if seconds else 0.0


def spread(seconds: list[float]) -> str:
    """Their median and their 99th percentile, in words."""
    return f"p50 {percentile(seconds, 50) * 1000:.0f} ms, p99 {percentile(seconds, 99) * 1000:.0f} ms"
