"""`dataclass`, `field` and `replace` as in the standard library, with methods generated on first call.

The standard library generates six methods for every class and compiles them during import. Their compilation took a
third of the time of a small picture on the command line, and most are never called. Here a class starts with stand-ins,
and the first call of a stand-in generates its method. The interface is the same (PEP 557, PEP 681), without the unused
`order`, `unsafe_hash`, `InitVar`, `ClassVar` and `KW_ONLY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MemberDescriptorType
from typing import Any, NoReturn, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")
MISSING: Any = object()
"""The mark of a member without a default."""
_FIELDS, _AFTER, _REPLACE = "__fields__", "__post_init__", "__replace__"


class FrozenInstanceError(AttributeError):
    """Somebody wants to change a frozen instance."""


class ClassMember:
    """A member of a dataclass: name, default or factory, and the methods that include the member."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "metadata", "name", "repr")

    def __init__(  # noqa: PLR0913 - PEP 681 names them
        self,
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        init: bool = True,
        repr: bool = True,  # noqa: A002
        compare: bool = True,
        kw_only: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = ""
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = kw_only
        self.metadata = metadata or {}


@overload
def field(
    *,
    default: T,
    init: bool = ...,
    repr: bool = ...,
    compare: bool = ...,
    kw_only: bool | None = ...,
    metadata: Mapping[str, Any] | None = ...,
) -> T: ...
@overload
def field(
    *,
    default_factory: Callable[[], T],
    init: bool = ...,
    repr: bool = ...,
    compare: bool = ...,
    kw_only: bool | None = ...,
    metadata: Mapping[str, Any] | None = ...,
) -> T: ...
@overload
def field(
    *,
    init: bool = ...,
    repr: bool = ...,
    compare: bool = ...,
    kw_only: bool | None = ...,
    metadata: Mapping[str, Any] | None = ...,
) -> Any: ...
def field(**said: Any) -> Any:
    """The options of a member besides its type. `metadata` is for readers of `fields`."""
    return ClassMember(**said)


@overload
def dataclass(kind: type[T], /) -> type[T]: ...
@overload
def dataclass(
    *, frozen: bool = ..., slots: bool = ..., kw_only: bool = ..., eq: bool = ...
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(field_specifiers=(field,))
def dataclass(
    kind: type[Any] | None = None,
    /,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
) -> Any:
    """The class with the methods of a dataclass. With `slots` the result is a new class of the same name."""

    def made(kind: type[Any]) -> type[Any]:
        own = tuple(_own_fields(kind, kw_only=kw_only))
        table: dict[str, ClassMember] = {}
        for base in reversed(kind.__mro__[1:]):
            table |= vars(base).get(_FIELDS, {})
        table |= {row.name: row for row in own}
        home: list[type[Any]] = []
        members = _methods(home, frozen=frozen, eq=eq)
        members[_FIELDS] = table
        members["__match_args__"] = tuple(row.name for row in table.values() if row.init and not row.kw_only)
        members |= vars(kind)
        home.append(_slotted(kind, own, members) if slots else _filled(kind, own, members))
        return home[0]

    return made if kind is None else made(kind)


def fields(value: object) -> tuple[ClassMember, ...]:
    """The members of a dataclass or of an instance, inherited ones first."""
    return tuple(getattr(value, _FIELDS).values())


def is_dataclass(value: object) -> bool:
    """Whether `value` is a dataclass of this module, or an instance."""
    return hasattr(value, _FIELDS)


def replace(value: T, /, **changes: Any) -> T:
    """A copy of `value` with `changes` to its members. Raises TypeError for an unknown member."""
    return getattr(value, _REPLACE)(**changes)


def _own_fields(kind: type[Any], *, kw_only: bool) -> Iterator[ClassMember]:
    given = vars(kind)
    for name in kind.__annotations__:
        value = given.get(name, MISSING)
        row = value if isinstance(value, ClassMember) else ClassMember(default=value)
        row.name = name
        row.kw_only = kw_only if row.kw_only is None else row.kw_only
        yield row


def _methods(home: list[type[Any]], *, frozen: bool, eq: bool) -> dict[str, Any]:
    """The methods for a class without definitions of its own; None for `__hash__` makes instances unhashable. `home`
    will hold the class."""
    methods: dict[str, Any] = {
        "__init__": _stand_in("__init__", home, _init_text),
        "__repr__": _shown,
        _REPLACE: _stand_in(_REPLACE, home, _replace_text),
    }
    if eq:
        methods["__eq__"] = _stand_in("__eq__", home, _eq_text)
        methods["__hash__"] = _stand_in("__hash__", home, _hash_text) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        methods |= {"__getstate__": _state_of, "__setstate__": _take_state}
    return methods


def _filled(kind: type[Any], own: tuple[ClassMember, ...], members: Mapping[str, Any]) -> type[Any]:
    """The class itself with these members, and with defaults in place of `field`."""
    for name, value in members.items():
        if name not in vars(kind):
            setattr(kind, name, value)
    for row in own:
        if row.default is not MISSING:
            setattr(kind, row.name, row.default)
        elif row.name in vars(kind):
            delattr(kind, row.name)
    return kind


def _slotted(kind: type[Any], own: tuple[ClassMember, ...], members: Mapping[str, Any]) -> type[Any]:
    """A copy of the class with a slot for each member: slots cannot be added to an existing class."""
    names = [row.name for row in own]
    inherited = {slot for base in kind.__mro__[1:] for slot in vars(base).get("__slots__", ())}
    left_out = {"__dict__", "__weakref__", *names}
    namespace = {name: value for name, value in members.items() if name not in left_out}
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    metaclass = cast("Callable[..., type[Any]]", type(kind))
    made = metaclass(kind.__name__, kind.__bases__, namespace)
    made.__qualname__ = kind.__qualname__
    return made


def _stand_in(name: str, home: list[type[Any]], text_of: Callable[[type[Any]], str]) -> Callable[..., Any]:
    """A method that replaces itself by the generated method on first call. Two threads may both generate, with equal
    results."""

    def first(*arguments: Any, **named: Any) -> Any:
        kind = home[0]
        known = _known_to(kind)
        exec(text_of(kind), known)  # noqa: S102 - made of the names of members alone
        method = known[name]
        method.__qualname__ = f"{kind.__qualname__}.{name}"
        setattr(kind, name, method)
        return method(*arguments, **named)

    return first


def _known_to(kind: type[Any]) -> dict[str, Any]:
    """Names for the text of a method, distinct from all member names."""
    known: dict[str, Any] = {"__new": object.__new__, "__set": object.__setattr__, "__missing": MISSING}
    known |= {"__type": type, "__hash": hash}
    known["__name__"] = kind.__module__
    for name, row in vars(kind)[_FIELDS].items():
        known[f"__default_{name}"] = row.default
        known[f"__factory_{name}"] = row.default_factory
        slot = getattr(kind, name, None)
        if isinstance(slot, MemberDescriptorType):
            known[f"__set_{name}"] = slot.__set__
    return known


def _init_text(kind: type[Any]) -> str:
    rows: list[ClassMember] = list(vars(kind)[_FIELDS].values())
    places = [_parameter(row) for row in rows if row.init and not row.kw_only]
    named = [_parameter(row) for row in rows if row.init and row.kw_only]
    put = _setting(kind)
    lines = [put("self", row.name, value) for row in rows if (value := _first_value(row))]
    if hasattr(kind, _AFTER):
        lines.append(f"self.{_AFTER}()")
    return _function("__init__", ["self", *places, *(["*", *named] if named else [])], lines)


def _parameter(row: ClassMember) -> str:
    if row.default is not MISSING:
        return f"{row.name}=__default_{row.name}"
    return row.name if row.default_factory is MISSING else f"{row.name}=__missing"


def _first_value(row: ClassMember) -> str:
    """The initial value of a member, as text; empty if unset."""
    if row.default_factory is not MISSING:
        made = f"__factory_{row.name}()"
        return f"{made} if {row.name} is __missing else {row.name}" if row.init else made
    if row.init:
        return row.name
    return "" if row.default is MISSING else f"__default_{row.name}"


def _setting(kind: type[Any]) -> Callable[[str, str, str], str]:
    """Assignment of a member, as text. For a frozen class the slot's setter bypasses the refusal, and is fastest."""
    frozen = kind.__setattr__ is _refuse_to_set

    def put(instance: str, name: str, value: str) -> str:
        if not frozen:
            return f"{instance}.{name} = {value}"
        if isinstance(getattr(kind, name, None), MemberDescriptorType):
            return f"__set_{name}({instance}, {value})"
        return f"__set({instance}, {name!r}, {value})"

    return put


def _replace_text(kind: type[Any]) -> str:
    """The text of `__replace__`. Values derived in `__post_init__` are derived again; without `__post_init__` members
    are copied, and members outside `__init__` start anew."""
    rows: list[ClassMember] = list(vars(kind)[_FIELDS].values())
    taken = [row.name for row in rows if row.init]
    value = {name: f"self.{name} if {name} is __missing else {name}" for name in taken}
    parameters = ["self", *(["*"] if taken else []), *(f"{name}=__missing" for name in taken)]
    if hasattr(kind, _AFTER):
        given = ", ".join(f"{name}={value[name]}" for name in taken)
        return _function(_REPLACE, parameters, [f"return __type(self)({given})"])
    put = _setting(kind)
    value |= {row.name: first for row in rows if not row.init and (first := _first_value(row))}
    lines = ["__made = __new(__type(self))", *(put("__made", *row) for row in value.items()), "return __made"]
    return _function(_REPLACE, parameters, lines)


def _eq_text(kind: type[Any]) -> str:
    one, other = _compared(kind, "self"), _compared(kind, "other")
    lines = ["if other.__class__ is not self.__class__:", "    return NotImplemented", f"return {one} == {other}"]
    return _function("__eq__", ["self", "other"], lines)


def _hash_text(kind: type[Any]) -> str:
    return _function("__hash__", ["self"], [f"return __hash({_compared(kind, 'self')})"])


def _compared(kind: type[Any], instance: str) -> str:
    parts = "".join(f"{instance}.{name}, " for name, row in vars(kind)[_FIELDS].items() if row.compare)
    return f"({parts})"


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines or ["pass"])
    return f"def {name}({', '.join(parameters)}):\n{body}"


def _shown(self: object) -> str:
    kind = type(self)
    parts = (f"{row.name}={getattr(self, row.name)!r}" for row in fields(kind) if row.repr)
    return f"{kind.__qualname__}({', '.join(parts)})"


def _state_of(self: object) -> list[Any]:
    """The state for `copy` and `pickle`, since instances refuse attribute assignment."""
    return [getattr(self, row.name) for row in fields(self)]


def _take_state(self: object, state: list[Any]) -> None:
    for row, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, row.name, value)


def _refuse_to_set(_self: object, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
