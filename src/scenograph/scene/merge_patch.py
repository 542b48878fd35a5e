"""JSON Merge Patch (RFC 7396)."""

from __future__ import annotations

from scenograph.scene.json_values import JsonObject, is_object


def merge_patch(target: object, patch: object) -> object:
    """The patched value; neither argument is changed, untouched parts are shared with the target."""
    return merged(target if is_object(target) else {}, patch) if is_object(patch) else patch


def merged(target: JsonObject, patch: JsonObject) -> JsonObject:
    """An object patched by an object: null removes a member, an object merges, anything else replaces."""
    result = dict(target)
    for name, change in patch.items():
        if change is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), change)
    return result
