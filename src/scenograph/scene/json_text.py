"""A JSON object of which the text is at hand, or the value: the other is made when it is first asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from scenograph.scene.json_values import JsonObject


class JsonText:
    """The object that a JSON text holds. Never changed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @staticmethod
    def of(value: Mapping[str, Any]) -> JsonText:
        """The text of a value, which is at hand as well."""
        made = JsonText(json.dumps(value, separators=(",", ":")))
        made.__dict__["value"] = value
        return made

    @cached_property
    def value(self) -> JsonObject:
        """What the text says."""
        return json.loads(self.text)
