"""Dataclasses whose methods are written late behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from functools import cached_property
from typing import Any

import pytest

from scenograph import late_dataclasses
from scenograph.late_dataclasses import FrozenInstanceError, field, fields, replace

OURS, STANDARD = late_dataclasses, dataclasses
FORMS = (
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True},
    {"frozen": True},
    {"slots": True},
    {},
)


def kinds_by(library: Any, form: dict[str, bool]) -> tuple[type[Any], type[Any]]:
    """A class and one that extends it."""

    @library.dataclass(**form)
    class Base:
        type: str
        made: int = 3
        rows: list[int] = library.field(default_factory=list)

    @library.dataclass(**form)
    class Extended(Base):
        hash: float = library.field(default=0.5, compare=False)
        width: int = library.field(default=1, kw_only=True)
        secret: str = library.field(default="s", repr=False)

    return Base, Extended


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_instances_are_made_compared_and_shown_as_in_the_standard_library(form: dict[str, bool]) -> None:
    told: list[list[object]] = []
    for library in (OURS, STANDARD):
        base, extended = kinds_by(library, form)
        one, other = extended(type="a"), extended(type="a", hash=9.0)
        told.append(
            [
                repr(one),
                one == other,
                one == extended(type="b"),
                one == base(type="a"),
                one.rows is not other.rows,
                repr(library.replace(one, made=7, width=2)),
                one.made,
                extended.__match_args__,
                [row.name for row in library.fields(extended)],
                hasattr(one, "__dict__"),
                extended.__hash__ is None,
                extended.__qualname__.rpartition(".")[2],
            ]
        )
    assert told[0] == told[1]


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("given", [{}, {"type": "a", "colour": 1}])
def test_a_missing_and_a_strange_member_are_refused_each_time(form: dict[str, bool], given: dict[str, Any]) -> None:
    for library in (OURS, STANDARD):
        _, extended = kinds_by(library, form)
        for _ in range(2):
            with pytest.raises(TypeError):
                extended(**given)


def test_a_frozen_instance_cannot_be_changed_and_has_the_hash_of_its_equals() -> None:
    @late_dataclasses.dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 0

    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x  # type: ignore[misc]
    assert {point, Point(1), replace(point, x=1)} == {point}
    with pytest.raises(TypeError):
        replace(point, z=1)


@OURS.dataclass(frozen=True, slots=True)
class Point:
    x: float
    rest: tuple[int, ...] = (1, 2)


def test_a_frozen_instance_with_slots_can_be_copied_and_pickled() -> None:
    one = Point(x=0.5)
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301


def test_what_is_derived_is_derived_anew_for_a_replaced_instance() -> None:
    @late_dataclasses.dataclass(frozen=True, slots=True)
    class Square:
        side: int
        area: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "area", self.side * self.side)

    assert replace(Square(2), side=3).area == 9


def test_a_class_without_slots_keeps_what_is_computed_once() -> None:
    @late_dataclasses.dataclass(frozen=True)
    class Text:
        words: str
        asked: list[int] = field(default_factory=list)

        @cached_property
        def length(self) -> int:
            self.asked.append(1)
            return len(self.words)

    text = Text("abc")
    assert [text.length, text.length, text.asked] == [3, 3, [1]]


def test_what_a_class_defines_itself_stays() -> None:
    @late_dataclasses.dataclass(slots=True)
    class Named:
        name: str = field(metadata={"doc": "Its name."})

        def __repr__(self) -> str:
            return self.name

    assert repr(Named("n")) == "n"
    assert [row.metadata["doc"] for row in fields(Named)] == ["Its name."]


def test_importing_the_engine_writes_few_methods() -> None:
    program = (
        "import builtins; plain = builtins.exec; texts = []\n"
        "builtins.exec = lambda text, *rest: (texts.append(str(text)), plain(text, *rest))\n"
        "import scenograph.engine.pipeline\n"
        "print(sum(one.startswith('def __') for one in texts))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert 0 < int(told.stdout) < 100


def test_what_no_caller_gives_begins_anew_in_a_replaced_instance() -> None:
    @late_dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Kept:
        name: str = ""
        seen: int = field(default=0, init=False)

    first = Kept(name="a")
    object.__setattr__(first, "seen", 3)
    assert (replace(first, name="b").name, replace(first, name="b").seen) == ("b", 0)
