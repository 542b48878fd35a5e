"""A small worked example for each family: valid documents for the reference and for first trials of the service."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scenograph.scene.json_values import JsonObject


def _document(scene_id: str, title: str, family: str, *elements: JsonObject, **root: Any) -> JsonObject:
    return {
        "schemaVersion": "0.1",
        "diagramFamily": family,
        "scene": {"id": scene_id, "title": title, "units": "px", "canvas": {}},
        **root,
        "elements": list(elements),
    }


_ARROWS = {"edge": {"endpoints": {"endArrow": "triangle"}}}
"""Defaults of a document with directed edges only."""


def _node(element_id: str, node_type: str, label: str, **more: Any) -> JsonObject:
    return {"id": element_id, "kind": "node", "nodeType": node_type, "label": label, **more}


def _edge(element_id: str, start: str, end: str, edge_type: str = "", label: str = "", **more: Any) -> JsonObject:
    named = {"edgeType": edge_type, "label": label}
    said = {name: value for name, value in named.items() if value}
    ends = {"from": {"elementId": start}, "to": {"elementId": end}}
    return {"id": element_id, "kind": "edge", **ends, **said, **more}


_ARCHITECTURE = _document(
    "shop-architecture",
    "Web shop",
    "architecture",
    _node("browser", "client", "Browser"),
    _node("web", "service", "Web frontend", shape="roundedRect"),
    _node("orders", "service", "Orders", style="core"),
    _node("queue", "queue", "Order events"),
    _node("store", "database", "Orders DB"),
    {"id": "backend", "kind": "frame", "title": "Backend", "children": ["orders", "queue", "store"]},
    _edge("e1", "browser", "web", label="HTTPS"),
    _edge("e2", "web", "orders", label="places"),
    _edge("e3", "orders", "queue", label="publishes"),
    _edge("e4", "orders", "store", label="writes"),
    defaults=_ARROWS,
    layoutStrategy={"algorithm": "hierarchical", "direction": "LR"},
    styles={"core": {"fill": "#dbeafe", "stroke": "#1d4ed8", "strokeWidth": 2}},
)

_WORKFLOW = _document(
    "invoice-workflow",
    "Approving an invoice",
    "workflow",
    _node("received", "workflow.start", "Invoice received"),
    _node("check", "workflow.userTask", "Check the invoice"),
    _node("correct", "workflow.gateway", "Correct?"),
    _node("pay", "workflow.serviceTask", "Pay"),
    _node("reject", "workflow.task", "Send back"),
    _node("done", "workflow.end", "Done"),
    {
        "id": "clerk",
        "kind": "frame",
        "title": "Clerk",
        "containerType": "lane",
        "children": ["received", "check", "correct"],
    },
    {
        "id": "system",
        "kind": "frame",
        "title": "System",
        "containerType": "lane",
        "children": ["pay", "reject", "done"],
    },
    {
        "id": "company",
        "kind": "frame",
        "title": "Company",
        "containerType": "pool",
        "laneDirection": "horizontal",
        "children": ["clerk", "system"],
    },
    _edge("f1", "received", "check", "workflow.sequenceFlow"),
    _edge("f2", "check", "correct", "workflow.sequenceFlow"),
    _edge("f3", "correct", "pay", "workflow.conditionalFlow", "yes"),
    _edge("f4", "correct", "reject", "workflow.defaultFlow", "no"),
    _edge("f5", "pay", "done", "workflow.sequenceFlow"),
    _edge("f6", "reject", "done", "workflow.sequenceFlow"),
    defaults=_ARROWS,
    layoutStrategy={"algorithm": "flow"},
)

_ENTITIES = _document(
    "library-entities",
    "Library",
    "entityRelationship",
    _node(
        "Author",
        "er.entity",
        "Author",
        extensions={"columns": [{"name": "id", "type": "int", "pk": True}, {"name": "name", "type": "text"}]},
    ),
    _node(
        "Book",
        "er.entity",
        "Book",
        extensions={
            "columns": [
                {"name": "isbn", "type": "char(13)", "pk": True},
                {"name": "title", "type": "text"},
                {"name": "author_id", "type": "int", "fk": True},
            ]
        },
    ),
    _node(
        "Loan",
        "er.weakEntity",
        "Loan",
        extensions={"columns": [{"name": "isbn", "key": "FK"}, {"name": "until", "type": "date", "nullable": True}]},
    ),
    {
        "id": "wrote",
        "kind": "edge",
        "edgeType": "er.nonIdentifying",
        "from": {"elementId": "Book", "column": "author_id", "cardinality": "zero-or-many"},
        "to": {"elementId": "Author", "column": "id", "cardinality": "one"},
    },
    {
        "id": "lent",
        "kind": "edge",
        "edgeType": "er.identifying",
        "from": {"elementId": "Loan", "column": "isbn"},
        "to": {"elementId": "Book", "column": "isbn"},
    },
    layoutStrategy={"algorithm": "hierarchical", "direction": "LR"},
)

_SEQUENCE = _document(
    "login-sequence",
    "Signing in",
    "sequence",
    _node("user", "sequence.actor", "User"),
    _node("app", "sequence.lifeline", "App"),
    _node("auth", "sequence.lifeline", "Identity\nprovider"),
    _edge("m1", "user", "app", "sequence.message", "open"),
    _edge("m2", "app", "auth", "sequence.message", "authorize [PKCE] / redirect"),
    _edge("m3", "auth", "auth", "sequence.message", "check password"),
    _edge("m4", "auth", "app", "sequence.reply", "code"),
    _edge("m5", "app", "user", "sequence.reply", "welcome"),
    {
        "id": "known",
        "kind": "frame",
        "title": "signed out",
        "containerType": "fragment",
        "extensions": {"operator": "opt", "operands": [{"guard": "no session", "messages": ["m2", "m3", "m4"]}]},
    },
    _node("hint", "sequence.note", "One session a device", extensions={"over": ["auth"]}),
)

_NETWORK = _document(
    "office-network",
    "Office network",
    "network",
    _node("net", "network.internet", "Internet"),
    _node("wall", "network.firewall", "Firewall"),
    _node("core", "network.switch", "Core switch"),
    _node("files", "network.server", "File server"),
    _node("wifi", "network.accessPoint", "Wi-Fi"),
    _node("laptop", "network.client", "Laptop"),
    {"id": "lan", "kind": "frame", "title": "10.0.0.0/24", "children": ["core", "files", "wifi"]},
    _edge("l1", "net", "wall", "network.link"),
    _edge("l2", "wall", "core", "network.link", "10 Gbit/s"),
    _edge("l3", "core", "files", "network.link"),
    _edge("l4", "core", "wifi", "network.link"),
    _edge("l5", "wifi", "laptop", "network.wireless"),
    layoutStrategy={"algorithm": "hierarchical"},
)

_ORGCHART = _document(
    "small-orgchart",
    "A small company",
    "orgchart",
    _node("ceo", "org.person", "Ada Moreno\nManaging director", style={"accentColor": "#7c3aed"}),
    _node("tech", "org.person", "Bo Lindqvist\nTechnology"),
    _node("ops", "org.department", "Operations"),
    _node("sre", "org.vacant", "Vacant\nReliability engineer"),
    _node("dev", "org.person", "Chidi Okafor\nDeveloper"),
    _edge("r1", "ceo", "tech", "org.reportsTo"),
    _edge("r2", "ceo", "ops", "org.reportsTo"),
    _edge("r3", "tech", "dev", "org.reportsTo"),
    _edge("r4", "ops", "sre", "org.reportsTo"),
    _edge("r5", "tech", "sre", "org.dottedLine"),
    layoutStrategy={"algorithm": "hierarchical", "direction": "TB"},
)

_UIFLOW = _document(
    "checkout-uiflow",
    "Checkout",
    "uiflow",
    _node("start", "uiflow.entry", "From the cart"),
    _node("address", "uiflow.screen", "Address"),
    _node("payment", "uiflow.screen", "Payment"),
    _node("valid", "uiflow.decision", "Card accepted?"),
    _node("problem", "uiflow.modal", "Card declined"),
    _node("thanks", "uiflow.screen", "Thank you"),
    _node("end", "uiflow.exit", "Order placed"),
    _edge("n1", "start", "address", "uiflow.navigate"),
    _edge("n2", "address", "payment", "uiflow.navigate", "Continue"),
    _edge("n3", "payment", "address", "uiflow.back", "Back"),
    _edge("n4", "payment", "valid", "uiflow.action", "Pay"),
    _edge("n5", "valid", "thanks", "uiflow.navigate", "yes"),
    _edge("n6", "valid", "problem", "uiflow.navigate", "no"),
    _edge("n7", "problem", "payment", "uiflow.back", "Try again"),
    _edge("n8", "thanks", "end", "uiflow.navigate"),
    defaults=_ARROWS,
    layoutStrategy={"algorithm": "flow"},
)

EXAMPLES: Mapping[str, JsonObject] = MappingProxyType(
    {
        "architecture": _ARCHITECTURE,
        "workflow": _WORKFLOW,
        "entityRelationship": _ENTITIES,
        "sequence": _SEQUENCE,
        "network": _NETWORK,
        "orgchart": _ORGCHART,
        "uiflow": _UIFLOW,
    }
)
