"""What must hold between the members of one object: some are needed, some exclude others."""

from __future__ import annotations

from scenograph.diagnostics import INVALID_VALUE
from scenograph.late_dataclasses import dataclass
from scenograph.scene.fields import FINE, Problem, Problems, Schema
from scenograph.scene.json_values import JsonObject, kind_of, listed, pointer
from scenograph.scene.values import missing


@dataclass(frozen=True, slots=True)
class Requirement:
    """Members that must be there: all of `needs`, or with `any_of` at least one.

    With `when` only if that member is there; with `equals` only if it has that value.
    """

    needs: tuple[str, ...]
    when: str = ""
    equals: str = ""
    any_of: bool = False

    def check(self, members: JsonObject) -> Problems:
        """MISSING_FIELD for what is not there."""
        if self.when and (self.when not in members or (self.equals and members[self.when] != self.equals)):
            return FINE
        absent = tuple(name for name in self.needs if name not in members)
        if not absent or (self.any_of and len(absent) < len(self.needs)):
            return FINE
        if self.any_of:
            return (missing(self.needs[0], f"unless {' or '.join(self.needs[1:])} is given"),)
        return tuple(missing(name, self._why()) for name in absent)

    def _why(self) -> str:
        if not self.when:
            return ""
        return f"when {self.when} is {self.equals}" if self.equals else f"together with {self.when}"

    def schema(self) -> Schema:
        """The same as a JSON Schema."""
        needs: Schema = {"anyOf": [{"required": [name]} for name in self.needs]}
        needs = needs if self.any_of else {"required": list(self.needs)}
        if not self.when:
            return needs
        condition: Schema = {"required": [self.when]}
        if self.equals:
            condition["properties"] = {self.when: {"const": self.equals}}
        return {"if": condition, "then": needs}


@dataclass(frozen=True, slots=True)
class Excludes:
    """Members that cannot stand together."""

    one: str
    others: tuple[str, ...]

    def check(self, members: JsonObject) -> Problems:
        """INVALID_VALUE for a member beside one that excludes it."""
        beside = [name for name in self.others if name in members]
        if self.one not in members or not beside:
            return FINE
        expected = f"left out beside {listed(beside)}"
        return (Problem(pointer(self.one), INVALID_VALUE, {"given": kind_of(members[self.one]), "expected": expected}),)

    def schema(self) -> Schema:
        """The same as a JSON Schema."""
        others = [{"required": [name]} for name in self.others]
        return {"if": {"required": [self.one]}, "then": {"not": {"anyOf": others}}}
