"""The scene elements for BPMN elements: rows by local name. (BPMN 2.0, chapters 7 and 10)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.scene.vocabulary import EVENT_TYPES, event_type

MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"
DEFINITIONS_OF_EVENTS = "EventDefinition"
DEFINED: Mapping[str, str] = {"compensate": "compensation"}
"""Kinds of definitions with different names in BPMN."""


class Form(NamedTuple):
    """A node type, and whether it shows the complete BPMN symbol; `shape` if different from the type's."""

    node_type: str
    exact: bool = True
    shape: str | None = None


ACTIVITIES: Mapping[str, Form] = {
    "task": Form("workflow.task"),
    "userTask": Form("workflow.userTask"),
    "serviceTask": Form("workflow.serviceTask"),
    "manualTask": Form("workflow.manualTask"),
    "sendTask": Form("workflow.sendTask"),
    "receiveTask": Form("workflow.receiveTask"),
    "scriptTask": Form("workflow.scriptTask"),
    "businessRuleTask": Form("workflow.businessRuleTask"),
    "callActivity": Form("workflow.callActivity"),
    "subProcess": Form("workflow.subprocess"),
    "transaction": Form("workflow.transaction"),
    "adHocSubProcess": Form("workflow.subprocess"),
    "callChoreography": Form("workflow.task", exact=False),
}
EVENT_SUBPROCESS = Form("workflow.eventSubprocess")
FRAMES: Mapping[str, str] = {
    "workflow.subprocess": "subprocess",
    "workflow.transaction": "transaction",
    "workflow.eventSubprocess": "eventSubprocess",
}
"""The container types of expanded activities, by the node types of collapsed ones."""

HOLDING = ("subProcess", "transaction", "adHocSubProcess")
"""Activities with a process inside."""

GATEWAYS: Mapping[str, Form] = {
    "exclusiveGateway": Form("workflow.gateway"),
    "parallelGateway": Form("workflow.gatewayParallel"),
    "inclusiveGateway": Form("workflow.gatewayInclusive"),
    "eventBasedGateway": Form("workflow.gatewayEventBased"),
    "complexGateway": Form("workflow.gatewayComplex"),
}

EVENTS: Mapping[str, str] = {
    "startEvent": "Start",
    "intermediateCatchEvent": "Catch",
    "boundaryEvent": "Catch",
    "intermediateThrowEvent": "Throw",
    "endEvent": "End",
}
"""The position of an event in the flow, by tag name."""

DATA: Mapping[str, Form] = {
    "dataObjectReference": Form("workflow.dataObject"),
    "dataStoreReference": Form("workflow.dataObject", shape="cylinder"),
    "textAnnotation": Form("workflow.annotation"),
}
SHOWN_DATA: Mapping[str, Form] = {
    "dataObject": Form("workflow.dataObject"),
    "dataInput": Form("workflow.dataObject"),
    "dataOutput": Form("workflow.dataObject"),
    "dataStore": Form("workflow.dataObject", shape="cylinder"),
}
"""Data drawn as a node only if shown by a diagram."""

FLOWS = ("sequenceFlow", "messageFlow", "association")
DATA_FLOWS = ("dataInputAssociation", "dataOutputAssociation")
WITHOUT_SYMBOL = frozenset(
    {
        "documentation",
        "extensionElements",
        "incoming",
        "outgoing",
        "ioSpecification",
        "property",
        "dataState",
        "auditing",
        "monitoring",
        "supportedInterfaceRef",
        "resourceRole",
        "performer",
        "humanPerformer",
        "potentialOwner",
        "correlationSubscription",
        "supports",
        "laneSet",
        "completionCondition",
        "participantAssociation",
        "messageFlowAssociation",
        "conversationAssociation",
        "correlationKey",
        "group",
        *SHOWN_DATA,
        *DATA_FLOWS,
    }
)
"""Children of a process, a subprocess or a collaboration without a symbol in diagrams."""


def form_of_event(name: str, definition: str) -> Form:
    """The form of an event: the symbol of its definition, or an empty ring for an impossible combination with its
    position."""
    position = EVENTS[name]
    found = event_type(definition, position)
    return Form(found) if found in EVENT_TYPES else Form(event_type("", position), exact=False)
