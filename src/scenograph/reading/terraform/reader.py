"""The way into this room: the resources of a plan or a state to a document. Modules, networks and subnets are frames;
lines run from a resource to what it needs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scenograph.reading.assembly import HEADS, Assembly
from scenograph.reading.losses import Losses, Place, Unreadable
from scenograph.reading.source import Source
from scenograph.reading.yaml_documents import documents
from scenograph.scene.json_values import JsonObject
from scenograph.scene.strict_json import StrictJsonError, parse

if TYPE_CHECKING:
    from scenograph.reading.terraform.model import BlockKey, Infrastructure, ResourceBlock
    from scenograph.reading.terraform.references import Target, TerraformReferences

MOST_CHARACTERS = 1 << 20  # of a source

_FAMILY = "architecture"
_EXPECTED = "what `terraform show -json` writes of a plan or a state, or a state of version 4"
_HINT = "Files of the language (.tf) and older states are read after `terraform show -json`."


def recognizes(text: str) -> bool:
    """Whether a text is a plan or a state of Terraform."""
    if not ("format_version" in text or "terraform_version" in text) or not text.lstrip("\ufeff \t\r\n").startswith(
        "{"
    ):
        return False
    from scenograph.reading.terraform.model import form_of  # noqa: PLC0415 - most sources need no YAML

    try:
        return bool(form_of(parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))))
    except StrictJsonError:
        return False


def read(source: Source, losses: Losses) -> JsonObject:
    """The document of a plan or a state. Unreadable without a resource that is drawn, TooLarge."""
    from scenograph.reading.terraform.model import PLACED_DEPTH, form_of, gather  # noqa: PLC0415 - as above
    from scenograph.reading.terraform.references import TerraformReferences  # noqa: PLC0415 - as above

    found = list(documents(source.text, PLACED_DEPTH, MOST_CHARACTERS))
    if len(found) != 1 or found[0].fault is not None or not form_of(found[0].value):
        place = found[0].fault if found else None
        raise Unreadable(place or Place(1, 1), _EXPECTED, _HINT)
    infrastructure = gather(found[0], losses, source.most_elements)
    references = TerraformReferences(infrastructure, losses, source.most_elements)
    references.find()
    drawn = [key for key in infrastructure.blocks if key not in references.folded]
    if not drawn:
        raise Unreadable(losses.first or Place(1, 1), "resources that are drawn")
    _tell_folded(infrastructure, references, losses)
    return _Drawing(infrastructure, references, source).document()


def _tell_folded(infrastructure: Infrastructure, references: TerraformReferences, losses: Losses) -> None:
    """Tell what is folded, once for each type."""
    counts = Counter((key.is_data, key.type) for key in references.folded)
    firsts: dict[tuple[bool, str], Place] = {}
    for key in references.folded:
        block = infrastructure.blocks.get(key)  # a plan may lack the values of its data
        firsts.setdefault((key.is_data, key.type), block.place if block else Place(1, 1))
    for (is_data, kind), count in counts.items():
        what = f"data.{kind} ({count}): not drawn" if is_data else f"{kind} ({count}): folded into what it belongs to"
        losses.formless(firsts[is_data, kind], what)


class _Drawing:
    def __init__(self, infrastructure: Infrastructure, references: TerraformReferences, source: Source) -> None:
        self._infrastructure = infrastructure
        self._references = references
        self._source = source
        self._assembly = Assembly("terraform", source)
        self._inside: dict[Target, list[str]] = {}
        self._around: dict[Target, Target] = {}

    def document(self) -> JsonObject:
        """The document of the resources."""
        from scenograph.reading.terraform.looks import FRAME_RANKS  # noqa: PLC0415 - as above

        drawn = [one for key, one in self._infrastructure.blocks.items() if key not in self._references.folded]
        frames = [one for one in drawn if one.key.type in FRAME_RANKS]
        for one in drawn:
            if one.key.type not in FRAME_RANKS:
                self._assembly.node(one.key.address, **_node(one, self._source))
            self._stand(one.key)
        shown = self._stand_modules()
        for one in sorted(frames, key=lambda one: -FRAME_RANKS[one.key.type]):
            self._assembly.frame(one.key.address, **_frame(one, self._source), children=self._inside.get(one.key, []))
        for address in shown:
            self._assembly.frame(
                address, title=address.rpartition("module.")[2], children=self._inside.get(address, [])
            )
        for start, end in self._references.lines:
            if not self._is_within(start, end) and not self._is_within(end, start):
                ends = ({"elementId": self._assembly.name(_address(one))} for one in (start, end))
                self._assembly.edge(next(ends), next(ends), f"{_address(start)} -> {_address(end)}")
        return self._assembly.document(
            _FAMILY, layoutStrategy={"algorithm": "hierarchical", "direction": "LR"}, defaults=HEADS
        )

    def _stand(self, key: BlockKey) -> None:
        home: Target = self._references.home(key) or key.module
        if home:
            self._around[key] = home
            self._inside.setdefault(home, []).append(self._assembly.name(key.address))

    def _stand_modules(self) -> list[str]:
        """The modules with something in them, the innermost first; each stands in the module around it."""
        held = {key.module for key in self._infrastructure.blocks if key not in self._references.folded}
        for start, end in self._references.lines:
            held |= {one for one in (start, end) if isinstance(one, str)}
        shown: set[str] = set()
        for module in held:
            while module and module not in shown:
                shown.add(module)
                module = module.rpartition(".module.")[0] if ".module." in module else ""  # noqa: PLW2901 - outwards
        ordered = [one for one in self._infrastructure.modules if one in shown]
        for module in ordered:
            outer = module.rpartition(".module.")[0]
            if outer:
                self._around[module] = outer
                self._inside.setdefault(outer, []).append(self._assembly.name(module))
        return ordered[::-1]

    def _is_within(self, one: Target, frame: Target) -> bool:
        at: Target | None = one
        while at is not None and at != frame:
            at = self._around.get(at)
        return at is not None


def _address(one: Target) -> str:
    return one if isinstance(one, str) else one.address


def _label(one: ResourceBlock) -> list[str]:
    count = f"{one.instances} instances" if one.instances > 1 else ""
    from scenograph.reading.terraform.looks import SHOWN  # noqa: PLC0415 - as above

    return [line for line in (one.key.name, one.key.type, *one.shown(SHOWN), count) if line]


def _node(one: ResourceBlock, source: Source) -> JsonObject:
    from scenograph.reading.terraform.looks import icon_of, node_type_of  # noqa: PLC0415 - as above

    kind = node_type_of(one.key.type)
    return {
        "nodeType": kind,
        "shape": None if kind else "rect",
        "icon": icon_of(one.key.type, source.icons),
        "label": "\n".join(_label(one)),
    }


def _frame(one: ResourceBlock, source: Source) -> JsonObject:
    from scenograph.reading.terraform.looks import icon_of  # noqa: PLC0415 - as above

    name, _, *rest = _label(one)
    return {"title": ", ".join([name, *rest]), "icon": icon_of(one.key.type, source.icons)}
