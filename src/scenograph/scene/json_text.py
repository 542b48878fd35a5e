"""A JSON object as text or value: the missing form is made on first use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from scenograph.scene.json_values import JsonObject


class JsonText:
    """An immutable JSON object from a text, or from a function that makes the text on first use."""

    def __init__(self, text: str | Callable[[], str]) -> None:
        self._given = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonText) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @staticmethod
    def of(value: Mapping[str, Any]) -> JsonText:
        """The text of a value, with the value already at hand."""
        made = JsonText(json.dumps(value, separators=(",", ":")))
        made.__dict__["value"] = value
        return made

    @cached_property
    def text(self) -> str:
        """The text."""
        return self._given if isinstance(self._given, str) else self._given()

    @cached_property
    def value(self) -> JsonObject:
        """The parsed text."""
        return json.loads(self.text)
