"""A small scene of every diagram family."""

from __future__ import annotations

from collections.abc import Iterator

from gallery.sheets import Json, Page, document, edge, node


def family_pages() -> Iterator[Page]:
    """One page each."""
    yield Page("family-workflow", "Workflow", document("workflow", _workflow(), layoutStrategy={"algorithm": "flow"}))
    yield Page("family-er", "Entity relationship", document("entityRelationship", _entities()))
    yield Page("family-sequence", "Sequence", document("sequence", _sequence()))
    yield Page("family-network", "Network", document("network", _network()))
    yield Page("family-orgchart", "Organisation chart", document("orgchart", _people()))
    yield Page("family-uiflow", "Screens", document("uiflow", _screens(), layoutStrategy={"algorithm": "flow"}))


def _chain(kind: str, *pairs: tuple[str, str, str]) -> Iterator[Json]:
    for start, end, label in pairs:
        yield edge(f"{start}-{end}", start, end, edgeType=kind, **({"label": label} if label else {}))


def _workflow() -> Iterator[Json]:
    labels = ("Order in", "Check", "Paid?", "Ship", "Remind", "Done")
    for label, kind in zip(labels, ("start", "userTask", "gateway", "serviceTask", "task", "end"), strict=True):
        yield node(label, label, nodeType=f"workflow.{kind}")
    pairs = (("Order in", "Check", ""), ("Check", "Paid?", ""), ("Paid?", "Ship", "yes"), ("Paid?", "Remind", "no"))
    yield from _chain("workflow.sequenceFlow", *pairs, ("Remind", "Check", ""), ("Ship", "Done", ""))


def _entities() -> Iterator[Json]:
    def table(name: str, *columns: Json) -> Json:
        return node(name, name, nodeType="er.entity", extensions={"columns": list(columns)})

    key = {"name": "id", "type": "uuid", "pk": True}
    yield table("customer", key, {"name": "email", "type": "text", "unique": True})
    yield table("order", key, {"name": "customer_id", "type": "uuid", "fk": True}, {"name": "placed", "type": "date"})
    yield table("line", key, {"name": "order_id", "type": "uuid", "fk": True}, {"name": "amount", "type": "int"})
    for number, (child, column, parent) in enumerate(
        (("order", "customer_id", "customer"), ("line", "order_id", "order"))
    ):
        ends = {"from": {"elementId": child, "column": column}, "to": {"elementId": parent, "column": "id"}}
        yield {"id": f"r{number}", "kind": "edge", "edgeType": "er.nonIdentifying", **ends}


def _sequence() -> Iterator[Json]:
    yield node("user", "User", nodeType="sequence.actor")
    for name in ("App", "Server"):
        yield node(name, name, nodeType="sequence.lifeline")
    rows = (
        ("user", "App", "open", "message"),
        ("App", "Server", "GET /orders", "message"),
        ("Server", "Server", "check", "message"),
    )
    for number, (start, end, label, kind) in enumerate(
        (*rows, ("Server", "App", "200", "reply"), ("App", "user", "show", "reply"))
    ):
        yield edge(f"m{number}", start, end, label=label, edgeType=f"sequence.{kind}")
    yield node("hint", "Cached for a minute", nodeType="sequence.note", extensions={"over": ["App", "Server"]})


def _network() -> Iterator[Json]:
    for name in ("internet", "firewall", "router", "switch", "server", "accessPoint", "client"):
        yield node(name, name, nodeType=f"network.{name}")
    pairs = (
        ("internet", "firewall", "1 Gb/s"),
        ("firewall", "router", ""),
        ("router", "switch", ""),
        ("switch", "server", ""),
    )
    yield from _chain("network.link", *pairs, ("switch", "accessPoint", ""))
    yield from _chain("network.wireless", ("accessPoint", "client", ""))


def _people() -> Iterator[Json]:
    yield node("it", "Technology", nodeType="org.department")
    for name, role in (("Ada", "Engineering"), ("Grace", "Operations"), ("Alan", "Research")):
        yield node(name, f"{name}\n{role}", nodeType="org.person", style={"accentColor": "#0ea5e9"})
    yield node("open", "Vacant\nDesigner", nodeType="org.vacant")
    yield from _chain("org.reportsTo", ("Ada", "it", ""), ("Grace", "it", ""), ("Alan", "Ada", ""), ("open", "Ada", ""))
    yield from _chain("org.dottedLine", ("Alan", "Grace", ""))


def _screens() -> Iterator[Json]:
    yield node("start", "Start", nodeType="uiflow.entry")
    yield node("login", "Sign in\nemail, password", nodeType="uiflow.screen")
    yield node("ok", "Known?", nodeType="uiflow.decision")
    yield node("home", "Home", nodeType="uiflow.screen")
    yield node("reset", "Reset password", nodeType="uiflow.modal")
    yield node("leave", "Leave", nodeType="uiflow.exit")
    pairs = (
        ("start", "login", ""),
        ("login", "ok", ""),
        ("ok", "home", "yes"),
        ("ok", "reset", "no"),
    )
    yield from _chain("uiflow.navigate", *pairs, ("home", "leave", ""))
    yield from _chain("uiflow.back", ("reset", "login", ""))
