"""RULES: the rules between the parts of a document, in reporting order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scenograph.scene.description.fields import Problem
from scenograph.scene.document_index import DocumentIndex
from scenograph.scene.limits import Limits
from scenograph.scene.rules import advisories, connections, containment, effects, names, relative_layouts, sequences

Rule = Callable[[DocumentIndex, Limits], Iterator[Problem]]

RULES: tuple[Rule, ...] = (
    advisories.family_is_declared,
    advisories.outer_fields_are_outside,
    names.element_ids_are_unique,
    containment.children_exist,
    containment.containers_do_not_list_themselves,
    containment.elements_have_one_parent,
    containment.containment_has_no_cycle,
    containment.nesting_is_bounded,
    advisories.texts_are_bounded,
    connections.ends_exist,
    connections.ports_exist,
    connections.port_ids_are_unique,
    relative_layouts.layout_targets_exist,
    relative_layouts.layout_targets_have_no_cycle,
    relative_layouts.hosts_take_attachments,
    names.styles_exist,
    names.assets_exist,
    names.constraint_ids_are_unique,
    names.constraints_name_elements,
    connections.columns_exist,
    sequences.operands_name_messages,
    sequences.notes_name_lifelines,
    connections.edges_lead_elsewhere,
    names.node_types_are_known,
    names.edge_types_are_known,
    advisories.icons_are_known,
    advisories.screens_are_reached,
    effects.members_have_effect,
    effects.strategies_have_effect,
)
