"""The resources of a plan, of a state as `show -json` writes it, and of a raw state of version 4. Of their values only
a few named attributes are looked at, unless they are sensitive: the others may be secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scenograph.late_dataclasses import dataclass, field
from scenograph.reading.losses import Losses, Place, TooLarge
from scenograph.reading.yaml_documents import Document
from scenograph.scene.json_values import JsonObject, Path, is_array, is_object, member, object_at, text_at

PLACED_DEPTH = 10  # planned_values, root_module, and three modules deep
RAW_VERSION = 4
MOST_SHOWN = 3  # different values of an attribute
LONGEST_VALUE = 60
ROOT = ""  # the address of the root module

_LONGEST_ADDRESS = 500
_NAME = re.compile(r"[\w.-]{1,250}")
_TYPE = re.compile(r"[a-z][a-z0-9_-]{0,120}")
_INDEX = re.compile(r"\[(?:[0-9]+|\"(?:[^\"\\]|\\.)*\")\]")
_DATA, _MANAGED = "data", "managed"
_IDS = ("id", "arn", "self_link", "name")
_SHORTEST_ID = 4


class BlockKey(NamedTuple):
    """The identity of a resource block: the address of its module without indexes, its type and its name."""

    module: str
    type: str
    name: str
    is_data: bool = False

    @property
    def address(self) -> str:
        """The address, as Terraform writes it."""
        own = f"{_DATA}.{self.type}.{self.name}" if self.is_data else f"{self.type}.{self.name}"
        return f"{self.module}.{own}" if self.module else own


@dataclass(slots=True)
class ResourceBlock:
    """A resource block with the values of its instances, and the dependencies named by a state."""

    key: BlockKey
    place: Place
    instances: int = 0
    values: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    secret: set[str] = field(default_factory=set[str])
    """The names of sensitive attributes."""
    is_secret: bool = False
    """Whether all attributes are sensitive: as a whole, or by a mark that is not understood."""
    depends_on: dict[str, None] = field(default_factory=dict[str, None])

    def shown(self, names: tuple[str, ...]) -> Iterator[str]:
        """The different values of attributes that are texts and not sensitive."""
        for name in names:
            if self.is_secret or name in self.secret:
                continue
            rows = dict.fromkeys(found for said in self.values if (found := text_at(said, name)))
            kept = [value[:LONGEST_VALUE] for value in list(rows)[:MOST_SHOWN]]
            if kept:
                yield ", ".join([*kept, "…"] if len(rows) > MOST_SHOWN else kept)

    def hide(self, names: Iterable[str] | None) -> None:
        """Call attributes sensitive, or all of them."""
        self.secret.update(names or ())
        self.is_secret |= names is None

    def ids(self) -> Iterator[str]:
        """The texts by which attributes of others refer to the instances."""
        for said in self.values:
            yield from (found for name in _IDS if len(found := text_at(said, name) or "") >= _SHORTEST_ID)


@dataclass(slots=True)
class Infrastructure:
    """The blocks of a source in its order, and its modules by address. `configuration` is that of a plan."""

    blocks: dict[BlockKey, ResourceBlock] = field(default_factory=dict[BlockKey, ResourceBlock])
    modules: dict[str, Place] = field(default_factory=dict[str, Place])
    configuration: Mapping[str, Any] = field(default_factory=dict[str, Any])


def form_of(root: object) -> str:
    """What a value is: "plan", "state", "raw", or "" for none of them."""
    if not is_object(root):
        return ""
    if isinstance(root.get("format_version"), str):
        if is_object(root.get("planned_values")):
            return "plan"
        return "state" if is_object(member(root, "values", "root_module")) else ""
    is_raw = root.get("version") == RAW_VERSION and is_array(root.get("resources"))
    return "raw" if is_raw and isinstance(root.get("terraform_version"), str) else ""


def gather(document: Document, losses: Losses, most: int) -> Infrastructure:
    """The resources of a document that is of one of the forms. TooLarge for more than `most` blocks."""
    return _Gathering(document, losses, most).infrastructure()


class _Gathering:
    def __init__(self, document: Document, losses: Losses, most: int) -> None:
        self._document = document
        self._root: JsonObject = document.value if is_object(document.value) else {}
        self._losses = losses
        self._most = most
        self._found = Infrastructure()

    def infrastructure(self) -> Infrastructure:
        form = form_of(self._root)
        if form == "raw":
            self._read_raw()
        else:
            section = "planned_values" if form == "plan" else "values"
            self._read_module((section, "root_module"), object_at(self._root, section, "root_module"), ROOT)
            self._found.configuration = object_at(self._root, "configuration", "root_module")
            self._read_changes()
        outputs = member(self._root, "outputs") or member(self._root, "planned_values", "outputs")
        outputs = outputs or member(self._root, "values", "outputs")
        if is_object(outputs) and outputs:
            self._losses.formless(self._place("outputs"), f"outputs ({len(outputs)}): not drawn")
        return self._found

    def _read_module(self, at: Path, said: Mapping[str, Any], module: str) -> None:
        for path, row in self._items(at, said, "resources"):
            self._read_resource(path, row, module)
        for path, row in self._items(at, said, "child_modules"):
            address = _address(row, "address")
            if not address.startswith("module."):
                self._losses.unread(self._place(*path), "a module has no valid address")
                continue
            self._found.modules.setdefault(address, self._place(*path))
            self._read_module(path, row, address)

    def _items(self, at: Path, said: Mapping[str, Any], name: str) -> Iterator[tuple[Path, JsonObject]]:
        rows = said.get(name)
        if rows is not None and not is_array(rows):
            self._losses.unread(self._place(*at, name), f"{name} is not a list")
        for index, row in enumerate(rows if is_array(rows) else ()):
            if is_object(row):
                yield (*at, name, index), row
            else:
                self._losses.unread(self._place(*at, name, index), f"an item of {name} is not a mapping")

    def _read_resource(self, path: Path, row: JsonObject, module: str) -> None:
        block = self._block(path, row, module)
        if block is None:
            return
        block.instances += 1
        values = row.get("values")
        if is_object(values):
            block.values.append(values)
        block.hide(_marked(row.get("sensitive_values")))
        self._note_dependencies(block, row)

    def _read_raw(self) -> None:
        for path, row in self._items((), self._root, "resources"):
            module = _address(row, "module")
            if row.get("module") and not module.startswith("module."):
                self._losses.unread(self._place(*path), "a module has no valid address")
                continue
            for address in _outer(module):
                self._found.modules.setdefault(address, self._place(*path))
            block = self._block(path, row, module)
            if block is None:
                continue
            for _, instance in self._items(path, row, "instances"):
                block.instances += 1
                values = instance.get("attributes")
                if is_object(values):
                    block.values.append(values)
                block.hide(_sensitive(instance.get("sensitive_attributes")))
                self._note_dependencies(block, instance)

    def _block(self, path: Path, row: JsonObject, module: str) -> ResourceBlock | None:
        kind, name, mode = text_at(row, "type") or "", text_at(row, "name") or "", row.get("mode")
        if not _TYPE.fullmatch(kind) or not _NAME.fullmatch(name) or mode not in (_DATA, _MANAGED):
            self._losses.unread(self._place(*path), "a resource has no valid mode, type or name")
            return None
        key = BlockKey(module, kind, name, mode == _DATA)
        if key not in self._found.blocks:
            if len(self._found.blocks) >= self._most:
                raise TooLarge(self._most)
            self._found.blocks[key] = ResourceBlock(key, self._place(*path))
        return self._found.blocks[key]

    @staticmethod
    def _note_dependencies(block: ResourceBlock, row: JsonObject) -> None:
        for name in ("depends_on", "dependencies"):
            rows = row.get(name)
            for one in rows if is_array(rows) else ():
                if isinstance(one, str) and len(one) <= _LONGEST_ADDRESS:
                    block.depends_on[without_indexes(one)] = None

    def _read_changes(self) -> None:
        """Note the attributes that a plan calls sensitive, and tell its removals."""
        gone, first = 0, None
        for path, row in self._items((), self._root, "resource_changes"):
            actions = member(row, "change", "actions")
            if actions == ["delete"]:
                gone, first = gone + 1, first or self._place(*path)
            sensitive = member(row, "change", "after_sensitive")
            module = _address(row, "module_address")
            key = BlockKey(module, text_at(row, "type") or "", text_at(row, "name") or "", row.get("mode") == _DATA)
            if key in self._found.blocks:
                self._found.blocks[key].hide(_marked(sensitive))
        if first is not None:
            self._losses.formless(first, f"resources that the plan removes ({gone}): not drawn")

    def _place(self, *path: str | int) -> Place:
        return self._document.place(*path)


def without_indexes(address: str) -> str:
    """An address without the keys of instances."""
    return _INDEX.sub("", address) if "[" in address else address


def _address(row: JsonObject, name: str) -> str:
    """An address without the keys of instances; "" for none, or one too long."""
    said = text_at(row, name) or ""
    return without_indexes(said) if len(said) <= _LONGEST_ADDRESS else ""


def _outer(module: str) -> Iterator[str]:
    """A module with those around it, the outermost first."""
    names = [name for name in module.split("module.") if name]
    for count in range(1, len(names) + 1):
        yield ".".join(f"module.{name.strip('.')}" for name in names[:count])


def _marked(said: object) -> list[str] | None:
    """The names of attributes with a mark of sensitive values; None for all of them."""
    if said is None or said is False:
        return []
    if not is_object(said):
        return None
    return [name for name, mark in said.items() if mark is not False and mark not in ({}, [])]


def _sensitive(said: object) -> list[str] | None:
    """The names of the attributes that paths of sensitive values begin with; None for all of them."""
    if said is None:
        return []
    if not is_array(said):
        return None
    found = list[str]()
    for path in said:
        first = path[0] if is_array(path) and path else path
        name = first if isinstance(first, str) else text_at(first, "value")
        if not name:
            return None
        found.append(name)
    return found
