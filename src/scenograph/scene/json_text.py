"""A JSON object of which the text is at hand, or the value: the other is made when it is first asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from scenograph.scene.json_values import JsonObject


class JsonText:
    """The object that a JSON text holds, or a text that is made when somebody asks for it. Never changed."""

    def __init__(self, text: str | Callable[[], str]) -> None:
        self._given = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonText) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @staticmethod
    def of(value: Mapping[str, Any]) -> JsonText:
        """The text of a value, which is at hand as well."""
        made = JsonText(json.dumps(value, separators=(",", ":")))
        made.__dict__["value"] = value
        return made

    @cached_property
    def text(self) -> str:
        """The text."""
        return self._given if isinstance(self._given, str) else self._given()

    @cached_property
    def value(self) -> JsonObject:
        """What the text says."""
        return json.loads(self.text)
