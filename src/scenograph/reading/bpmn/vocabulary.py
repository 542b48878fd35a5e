"""What each BPMN element becomes: rows by local name. (BPMN 2.0, chapters 7 and 10)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"
DEFINITIONS_OF_EVENTS = "EventDefinition"


class Form(NamedTuple):
    """A node type, and whether it shows all that the element's own symbol shows; `shape` where it is not the type's."""

    node_type: str
    exact: bool = True
    shape: str | None = None


ACTIVITIES: Mapping[str, Form] = {
    "task": Form("workflow.task"),
    "userTask": Form("workflow.userTask"),
    "serviceTask": Form("workflow.serviceTask"),
    "manualTask": Form("workflow.task", exact=False),
    "sendTask": Form("workflow.task", exact=False),
    "receiveTask": Form("workflow.task", exact=False),
    "scriptTask": Form("workflow.task", exact=False),
    "businessRuleTask": Form("workflow.task", exact=False),
    "callActivity": Form("workflow.subprocess"),
    "subProcess": Form("workflow.subprocess"),
    "transaction": Form("workflow.subprocess", exact=False),
    "adHocSubProcess": Form("workflow.subprocess", exact=False),
}
HOLDING = ("subProcess", "transaction", "adHocSubProcess")
"""Activities that hold a process of their own."""

GATEWAYS: Mapping[str, Form] = {
    "exclusiveGateway": Form("workflow.gateway"),
    "parallelGateway": Form("workflow.gatewayParallel"),
    "inclusiveGateway": Form("workflow.gatewayInclusive"),
    "eventBasedGateway": Form("workflow.gateway", exact=False),
    "complexGateway": Form("workflow.gateway", exact=False),
}

_CATCHING: Mapping[str, Form] = {
    "message": Form("workflow.messageStart"),
    "timer": Form("workflow.timer"),
    "error": Form("workflow.error"),
    "signal": Form("workflow.signal"),
}
EVENTS: Mapping[str, Mapping[str, Form]] = {
    "startEvent": {"": Form("workflow.start"), **_CATCHING},
    "intermediateCatchEvent": _CATCHING,
    "boundaryEvent": _CATCHING,
    "intermediateThrowEvent": {
        "message": Form("workflow.messageStart", exact=False),
        "signal": Form("workflow.signal", exact=False),
    },
    "endEvent": {
        "": Form("workflow.end"),
        "message": Form("workflow.messageEnd"),
        "terminate": Form("workflow.terminate"),
        "error": Form("workflow.error"),
        "signal": Form("workflow.signal"),
    },
}
"""By the event's own name, then by what its definition is of."""

OTHER_EVENTS: Mapping[str, Form] = {
    "startEvent": Form("workflow.start", exact=False),
    "intermediateCatchEvent": Form("workflow.signal", exact=False),
    "boundaryEvent": Form("workflow.signal", exact=False),
    "intermediateThrowEvent": Form("workflow.signal", exact=False),
    "endEvent": Form("workflow.end", exact=False),
}

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
"""Data that is a node only where a diagram shows it itself."""

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
        *SHOWN_DATA,
        *DATA_FLOWS,
    }
)
"""What stands in a process, a subprocess or a collaboration and that no diagram draws."""


def form_of_event(name: str, definition: str) -> Form:
    """What an event becomes."""
    return EVENTS[name].get(definition, OTHER_EVENTS[name])
