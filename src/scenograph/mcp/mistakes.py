"""The usual mistakes in handing over a scene document or a batch, each with the right shape to show.

A row recognizes one mistake from the value alone; what is wrong inside a document is the service's to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

from scenograph.late_dataclasses import dataclass
from scenograph.mcp.showing import kind, quoted

DOCUMENT_SHAPE = (
    '{"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": {"id": "shop", "units": "px", "canvas": {}}, '
    '"elements": [{"id": "web", "kind": "node", "nodeType": "client", "label": "Web shop"}]}'
)
OPS_SHAPE = '[{"op": "updateNode", "id": "web", "label": "Shop"}, {"op": "deleteElement", "id": "old"}]'
JSON_PATCH_NAMES = {"add", "remove", "replace", "move", "copy", "test"}
_FENCE = re.compile(r"\s*(```\w*\s*)?[\[{]")


@dataclass(frozen=True, slots=True)
class Mistake:
    """`recognizes` is asked with the value; `answer` makes the sentence."""

    recognizes: Callable[[Any], bool]
    answer: Callable[[Any], str]


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, Mapping)


def is_array(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether it is a JSON array."""
    return isinstance(value, list)


def looks_like_json(value: Any) -> bool:
    """Text that holds an object or an array, in a code fence or not."""
    return isinstance(value, str) and _FENCE.match(value) is not None


def _is_document(value: Any) -> bool:
    return is_object(value) and ("elements" in value or "schemaVersion" in value)


def _is_reply(value: Any) -> bool:
    return is_object(value) and "revision" in value and _is_document(value.get("scene"))


def _is_wrapped(value: Any) -> bool:
    return is_object(value) and "elements" not in value and _is_document(value.get("scene"))


def _is_inner_scene(value: Any) -> bool:
    return (
        is_object(value)
        and not {"scene", "elements", "schemaVersion"} & value.keys()
        and bool({"id", "canvas", "units", "title"} & value.keys())
    )


SCENE_MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        looks_like_json,
        lambda _value: "scene is text that holds JSON. Pass the object itself, without quotes round it.",
    ),
    Mistake(
        lambda value: isinstance(value, str),
        lambda value: (
            f"scene is the text {quoted(value)}; an id is not a document. The whole document belongs here; "
            "a stored one is read with dsp_get_scene and rendered by dsp_render_scene with sceneId."
        ),
    ),
    Mistake(is_array, lambda _value: "scene is an array. Elements belong in the document's member elements."),
    Mistake(
        lambda value: not is_object(value),
        lambda value: f"scene must be a scene document, an object, not {kind(value)}.",
    ),
    Mistake(
        _is_reply,
        lambda _value: "scene is the whole reply of dsp_get_scene. Pass only its member scene, the document.",
    ),
    Mistake(
        _is_wrapped,
        lambda _value: 'scene is wrapped twice: {"scene": {"scene": …}}. Pass what is inside.',
    ),
    Mistake(
        _is_inner_scene,
        lambda _value: (
            "scene is only the inner part with id and canvas. The whole document belongs here: that part is its "
            "member scene, beside schemaVersion and elements."
        ),
    ),
)

OPS_MISTAKES: tuple[Mistake, ...] = (
    Mistake(looks_like_json, lambda _value: "ops is text that holds JSON. Pass the array itself."),
    Mistake(is_object, lambda _value: "ops is one object. Pass an array, also for a single operation."),
    Mistake(lambda value: not is_array(value), lambda value: f"ops must be an array of operations, not {kind(value)}."),
    Mistake(
        lambda value: any(_is_json_patch(op) for op in value),
        lambda _value: "ops looks like JSON Patch (op, path, value). The operations here name elements by id.",
    ),
    Mistake(
        lambda value: any(not _names_an_operation(op) for op in value),
        lambda value: (
            f"ops[{next(at for at, op in enumerate(value) if not _names_an_operation(op))}] has no op: every operation "
            'is an object whose member op is its name, such as {"op": "createNode", …}.'
        ),
    ),
)


def _is_json_patch(op: Any) -> bool:
    return is_object(op) and op.get("op") in JSON_PATCH_NAMES and "path" in op


def _names_an_operation(op: Any) -> bool:
    return is_object(op) and isinstance(op.get("op"), str)


def found_in(value: Any, mistakes: Sequence[Mistake]) -> str | None:
    """The answer to the first mistake that `value` shows; None when it shows none."""
    return next((mistake.answer(value) for mistake in mistakes if mistake.recognizes(value)), None)


def spread_document(arguments: Mapping[str, Any]) -> str | None:
    """The answer to a document whose members were given as arguments; None when that is not what happened."""
    if not {"schemaVersion", "elements"} & arguments.keys() or "ops" in arguments:
        return None
    return "The document's members were given as arguments. Pass one argument, scene, that holds the whole document."


def with_shape(sentence: str, name: str, shape: str) -> str:
    """The sentence, and under it the argument as it should look."""
    return f"{sentence}\nRight shape: {json.dumps(name)}: {shape}"
