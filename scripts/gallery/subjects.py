"""Scenes about one subject each: containers, icons, labels, colours, themes, visual diffs. px."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from gallery.sheets import Json, Page, at, document, edge, grid, node
from scenograph.scene.vocabulary import CONTAINER_TYPES

_THEMES = ("clean", "dark", "blueprint", "sketch")
_TILES = (
    "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAIAAAAiZtkUAAAAPElEQVR42g3IMQEAIQwEMOSghLkiEJEZJaekc2X9Z8za6qirnopq"
    "tTaHyyM0f+XIlSeRlr/mmGueiWnzAcR0Iylemy3xAAAAAElFTkSuQmCC"
)
LABELS = (
    "Two\nlines",
    "A longer label that is wrapped at the width of its box",
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
    "snake_case_identifier.with.many.parts",
    "https://example.org/a/very/long/path?with=query",
    "注文サービスの漢字",
    "订单处理服务",
    "주문 처리 서비스",
    "مرحبا بالعالم (2024)",
    "שלום עולם: API v2",
    "आदेश प्रसंस्करण",
    "การสั่งซื้อสินค้า",
    "Grüße, Łódź, Привет, Ελλάδα",
    "Deploy 🚀 👨‍👩‍👧 ✅ 🇩🇪",
    "e\u0301 a\u0308 o\u0302\u0323 n\u0303",
    "<b>not</b> &amp; 'markup'",
    "zero\u200bwidth \u202eoverride\u202c",
    "∑ ≤ µ → ⇒ ✓ ★ ½ € ₹",
)
FILLS = (
    "#0f172a",
    "#7c3aed",
    "#16a34a",
    "#facc15",
    "#f97316",
    "#fecaca",
    "#777777",
    "rgba(15,23,42,.5)",
    "transparent",
)


def subject_pages() -> Iterator[Page]:
    """All of them, in the order of the gallery."""
    yield Page("containers", "Containers", document("architecture", _containers()))
    yield Page("pools", "Pools and lanes", document("workflow", _pools()))
    yield Page("icons", "Icon nodes: the seven rules", document("architecture", grid(_icons(), 4, sized=False)))
    yield Page("icons-dark", "Brand icons on a dark theme", document("architecture", grid(_brands(), 5)), "dark")
    yield Page("labels", "Labels of many scripts and kinds", document("architecture", grid([*_labels()], 4)))
    yield Page("labels-sketch", "The same in handwriting", document("architecture", grid([*_labels()], 4)), "sketch")
    yield Page("label-long", "A label of 2,000 characters", document("architecture", _long_label()))
    yield Page("transitions", "Event, guard and action", document("workflow", _transitions()))
    yield Page("colours", "Text on any fill", document("architecture", grid(_fills())))
    yield Page("nested-colours", "Translucent frames in frames", document("architecture", _nested()), "dark")
    yield Page("texts-images-guides", "Texts, images and guides", document("architecture", _annotations()))
    for theme in _THEMES:
        yield Page(f"theme-{theme}", f"Theme: {theme}", _shop(), theme)
        yield Page(f"diff-{theme}", f"Visual diff: {theme}", _shop_later(), theme, _shop())


def _containers() -> Iterator[Json]:
    for number, name in enumerate(CONTAINER_TYPES):
        layout = at(40 + number % 4 * 210, 40 + number // 4 * 160, 180, 130)
        yield {"id": name, "kind": "frame", "title": name, "containerType": name, "children": [], **layout}


def _pools() -> Iterator[Json]:
    lanes = {"Sales": ["start", "check"], "Stock": ["pick", "end"]}
    rows = [
        {"id": name, "kind": "frame", "title": name, "containerType": "lane", "children": held}
        for name, held in lanes.items()
    ]
    yield {"id": "pool", "kind": "frame", "title": "Shop", "containerType": "pool", "children": list(lanes)}
    yield from rows
    yield node("start", "Order in", nodeType="workflow.start")
    yield node("check", "Check credit", nodeType="workflow.userTask")
    yield node("pick", "Pick goods", nodeType="workflow.serviceTask")
    yield node("end", "Sent", nodeType="workflow.end")
    for start, end in (("start", "check"), ("check", "pick"), ("pick", "end")):
        yield edge(f"{start}-{end}", start, end, edgeType="workflow.sequenceFlow")


def _icons() -> list[Json]:
    rows: list[tuple[str, str, Any]] = [
        ("lucide:server", "generic: in its box", None),
        ("aws:lambda", "cloud: icon only", None),
        ("gcp:bigquery", "cloud: icon only", None),
        ("azure:functions", "cloud: icon only", None),
        ("aws:s3", "white fill: icon only", {"fill": "#ffffff", "stroke": "#dc2626"}),
        ("aws:s3", "fill: a box", {"fill": "#fef3c7"}),
        ("aws:s3", "none and stroke: outlined", {"fill": "none", "stroke": "#0f766e"}),
        ("aws:s3", "half white: a box", {"fill": "rgba(255,255,255,0.5)"}),
        ("k8s:pod", "generic: in its box", None),
        ("simple:postgresql", "brand: in its box", None),
        ("lucide:no-such-icon", "unknown: no icon", None),
        ("aws:dynamodb", "a long label below an icon only node is wrapped", None),
    ]
    return [
        node(f"i{n}", label, icon=icon, **({"style": style} if style else {}))
        for n, (icon, label, style) in enumerate(rows)
    ]


def _brands() -> list[Json]:
    names = (
        "github",
        "apachekafka",
        "nextdotjs",
        "vercel",
        "postgresql",
        "redis",
        "docker",
        "kubernetes",
        "python",
        "rust",
    )
    return [node(name, name, icon=f"simple:{name}") for name in names]


def _labels() -> Iterator[Json]:
    return (node(f"l{number}", label) for number, label in enumerate(LABELS))


def _long_label() -> Iterator[Json]:
    words = "Every order is kept until it has been paid, sent and received. " * 40
    yield node("free", words[:2000], **at(40, 40))
    yield node("wide", words[:2000], **at(600, 40, 640, 420))
    yield node("small", f"Too long for its box (TEXT_OVERFLOW). {words[:120]}", **at(840, 540, 160, 60))


def _transitions() -> Iterator[Json]:
    labels = (
        "paid [total > 0] / ship",
        "cancel [not sent]",
        "timeout / remind customer",
        "plain text",
        "wrapped [by] /\nhand",
    )
    for number, label in enumerate(labels):
        yield node(f"a{number}", "Open", **at(40, 40 + number * 80, 80, 40))
        yield node(f"b{number}", "Closed", **at(420, 40 + number * 80, 80, 40))
        yield edge(f"e{number}", f"a{number}", f"b{number}", label=label)


def _fills() -> list[Json]:
    return [node(f"f{number}", fill, style={"fill": fill}) for number, fill in enumerate(FILLS)]


def _nested() -> Iterator[Json]:
    fills = ("#1e3a8a", "rgba(255,255,255,0.5)", "#ffffff", "rgba(250,204,21,0.3)")
    for depth, fill in enumerate(fills):
        inner = [f"frame{depth + 1}"] if depth + 1 < len(fills) else []
        held = {"children": [f"n{depth}", *inner]}
        yield {"id": f"frame{depth}", "kind": "frame", "title": fill, "style": {"fill": fill}, **held}
        yield node(f"n{depth}", f"depth {depth + 1}")


def _annotations() -> Iterator[Json]:
    for number, align in enumerate(("start", "center", "end")):
        yield {
            "id": align,
            "kind": "text",
            "content": f"Aligned at\n{align}",
            "align": align,
            **at(40, 40 + number * 60, 180, 50),
        }
    for number, fit in enumerate(("contain", "cover", "stretch")):
        picture = {"href": f"data:image/png;base64,{_TILES}", "alt": fit, "fit": fit}
        yield {"id": fit, "kind": "image", **picture, **at(260 + number * 120, 40, 100, 60)}
    yield {"id": "across", "kind": "guide", "orientation": "horizontal", "position": 140}
    yield {"id": "down", "kind": "guide", "orientation": "vertical", "position": 240}


def _shop() -> Json:
    rows = [
        {"id": "cloud", "kind": "frame", "title": "Cloud", "children": ["api", "orders", "files", "queue"]},
        node("web", "Web shop", nodeType="client", icon="lucide:globe"),
        node("api", "Gateway", nodeType="gateway"),
        node("orders", "Orders", nodeType="database"),
        node("files", "Files", icon="aws:s3"),
        node("queue", "Events", nodeType="queue"),
        node("bank", "Bank", nodeType="external"),
        edge("e1", "web", "api", label="HTTPS"),
        edge("e2", "api", "orders", label="SQL"),
        edge("e3", "api", "files"),
        edge("e4", "api", "queue", label="placed [paid] / ship"),
        edge("e5", "queue", "bank", style={"dash": [6, 4]}),
    ]
    return document("architecture", rows, layoutStrategy={"algorithm": "hierarchical"})


def _shop_later() -> Json:
    later = copy.deepcopy(_shop())
    rows = {row["id"]: row for row in later["elements"]}
    del rows["bank"], rows["e5"]
    rows["orders"]["label"] = "Orders v2"
    rows["cloud"]["children"].append("cache")
    rows["cache"] = node("cache", "Cache", nodeType="cache")
    rows["e6"] = edge("e6", "api", "cache")
    return later | {"elements": list(rows.values())}
