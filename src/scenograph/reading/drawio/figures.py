"""The elements for cells: plain shapes by FIGURES, stencils of draw.io's libraries as icons and devices, separate
labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scenograph.reading.assembly import LONGEST_LABEL
from scenograph.reading.drawio.cells import (
    FARTHEST,
    FONT_SIZE,
    Cell,
    CellArea,
    Point,
    font_size,
    is_seen,
    lettered,
    lettered_beside,
    number,
)
from scenograph.scene.image_data import check_image
from scenograph.scene.json_values import JsonObject
from scenograph.scene.limits import LIMITS, IconRegistry
from scenograph.scene.vocabulary import SHAPES

# Stencil names of draw.io's libraries, as data: the libraries, differing names in the icon sets, and the meanings of
# plain words.

_LIBRARIES: Mapping[str, str] = {
    "active_directory": "azure",
    "alibaba_cloud": "",
    "arista": "",
    "aws": "aws",
    "aws2": "aws",
    "aws3": "aws",
    "aws3d": "aws",
    "aws4": "aws",
    "azure": "azure",
    "azure2": "azure",
    "cisco": "",
    "cisco19": "",
    "cisco_safe": "",
    "citrix": "",
    "citrix2": "",
    "clip_art": "",
    "cumulus": "",
    "gcp": "gcp",
    "gcp2": "gcp",
    "gcpicons": "gcp",
    "ibm": "",
    "ibm_cloud": "",
    "kubernetes": "k8s",
    "kubernetes2": "k8s",
    "mscae": "azure",
    "networks": "",
    "networks2": "",
    "office": "azure",
    "openstack": "",
    "salesforce": "simple",
    "signs": "",
    "veeam": "",
    "veeam2": "",
    "vvd": "",
    "webicons": "simple",
    "weblogos": "simple",
}
"""The libraries of pictograms, with the vendor's icon set if any."""

_PICTURED = ("resIcon", "prIcon", "grIcon", "symbol")
"""Style members that name the pictogram of a stencil with several."""

_ENDINGS = frozenset({"icon", "feature", "alt", "alt1", "alt2", "generic", "instance", "logo"})
"""Optional words at the end of a name."""

_STENCIL_BOXES = frozenset(
    {"group", "group2", "group-center", "double-rect", "rrect", "rect", "box", "google-cloud-platform"}
)
"""Stencils of boxes around shapes, with any pictogram in their corner."""

LINES = frozenset({"aws3d"})
"""Libraries with arrows and lines among the stencils, recognized by the end of the name."""
_LINE_WORDS = frozenset({"arrow", "arrowhead", "edge", "edge-double", "arrow-se", "arrow-sw", "arrow-ne", "arrow-nw"})

STEMS: Mapping[str, tuple[str, ...]] = {
    "aws": (
        "iot-thing",
        "iot",
        "identity-access-management",
        "cloudwatch",
        "cloudwatch-event",
        "simple-storage-service",
        "elastic-container-service",
        "ec2",
        "vpc",
        "waf",
        "simple-notification-service",
        "simple-email-service",
        "cloudformation",
        "trusted-advisor",
        "cloudfront",
        "systems-manager",
        "elastic-block-store",
        "organizations",
        "snowball",
        "glue",
        "dynamodb",
        "elasticache",
        "storage-gateway",
        "emr",
        "eventbridge",
        "app-mesh",
        "greengrass",
        "cat",
        "group",
    ),
    "gcp": ("cloud",),
    "azure": ("azure",),
}
"""Prefixes of a set's names missing in draw.io."""

_ALIASES: Mapping[str, str] = {
    "aws:cloud": "aws:aws",
    "aws:aws-cloud": "aws:aws",
    "aws:group-aws-cloud": "aws:aws",
    "aws:group-corporate-data-center": "lucide:building-2",
    "aws:corporate-data-center": "lucide:building-2",
    "aws:data-center": "lucide:building-2",
    "aws:group-availability-zone": "",
    "aws:group-security-group": "lucide:shield",
    "aws:group-vpc": "aws:vpc",
    "aws:group-on-premise": "lucide:building-2",
    "aws:elastic-load-balancer": "aws:elastic-load-balancing",
    "aws:elastic-mapreduce-auto-scaling": "aws:emr",
    "aws:elastic-ip-address": "aws:res-amazon-ec2-elastic-ip-address",
    "aws:elasticsearch-service": "aws:opensearch",
    "aws:internet-of-things": "aws:cat-internet-of-things",
    "aws:iot-over-the-air-update": "aws:res-aws-iot-over-air-update",
    "aws:kinesis-data-analytics": "aws:amazon-managed-service-for-apache-flink",
    "aws:rds-master": "aws:rds",
    "aws:rds-slave": "aws:rds",
    "aws:rds-mysql-db-instance": "aws:rds",
    "aws:simple-db": "lucide:database",
    "aws:sagemaker-model": "aws:res-amazon-sagemaker-ai-model",
    "aws:sagemaker-notebook": "aws:res-amazon-sagemaker-ai-notebook",
    "aws:sagemaker-train": "aws:res-amazon-sagemaker-ai-train",
    "aws:ssl-padlock": "lucide:lock",
    "aws:machine-learning": "aws:cat-artificial-intelligence",
    "aws:management-console": "aws:aws-management-console",
    "aws:spot": "aws:res-amazon-ec2-spot-instance",
    "aws:m-4-instance": "aws:res-amazon-ec2-instance",
    "aws:optimized-instance": "aws:res-amazon-ec2-instance",
    "aws:iot-analytics": "aws:cat-analytics",
    "aws:general": "lucide:box",
    "aws:secure-connection": "lucide:lock",
    "aws:worker": "aws:elastic-beanstalk",
    "aws:hosted-zone": "aws:route-53",
    "gcp:google-kubernetes-engine": "gcp:google-kubernetes-engine",
    "gcp:container-engine": "gcp:google-kubernetes-engine",
    "gcp:memcache": "gcp:memorystore",
    "gcp:task-queues": "gcp:cloud-tasks",
    "gcp:scheduled-tasks": "gcp:cloud-scheduler",
    "gcp:logs-api": "gcp:cloud-logging",
    "gcp:bucket": "gcp:cloud-storage",
    "gcp:tensorflow": "simple:tensorflow",
    "gcp:modifiers-autoscaling": "lucide:scaling",
    "gcp:google-network-edge-cache": "gcp:cloud-cdn",
    "gcp:persistent-disk-snapshot": "gcp:persistent-disk",
    "gcp:virtual-file-system": "gcp:filestore",
    "gcp:push-notification-service": "lucide:bell-ring",
    "gcp:game": "lucide:gamepad-2",
    "gcp:dedicated-game-server": "gcp:game-servers",
    "gcp:retail": "lucide:shopping-cart",
    "gcp:beacon": "lucide:radio",
    "gcp:live": "lucide:radio",
    "gcp:record": "lucide:disc",
    "gcp:stream": "lucide:waves",
    "azure:website": "azure:app-services",
    "azure:vhd": "azure:disks",
    "azure:mobile-services": "azure:mobile",
    "azure:cloud-service": "azure:cloud-services-classic",
    "azure:content-delivery-network": "azure:cdn-profiles",
    "azure:storage-blob": "azure:blob-block",
    "azure:storage-table": "azure:table",
    "azure:queue": "azure:storage-queue",
    "azure:mysql-database": "azure:azure-database-mysql-server",
    "azure:github-code": "simple:github",
    "azure:dropbox-code-source": "simple:dropbox",
    "azure:subscription-portal": "azure:subscriptions",
    "azure:enterprise": "lucide:building-2",
    "azure:log-management": "azure:log-analytics-workspaces",
    "k8s:master": "k8s:api-server",
    "k8s:c-c-m": "k8s:cloud-controller-manager",
    "k8s:c-m": "k8s:controller-manager",
    "k8s:k-proxy": "k8s:kube-proxy",
    "k8s:sched": "k8s:scheduler",
    "k8s:ep": "k8s:endpoints",
    "k8s:vol": "k8s:volume",
    "k8s:quota": "k8s:resourcequota",
    "k8s:limits": "k8s:limitrange",
    "k8s:netpol": "k8s:networkpolicy",
    "k8s:psp": "k8s:podsecuritypolicy",
    "k8s:rb": "k8s:rolebinding",
    "k8s:crb": "k8s:clusterrolebinding",
    "k8s:c-role": "k8s:clusterrole",
}
"""Icon keys for names of a vendor's stencils; an empty key means no icon."""

KINDS: Mapping[str, str] = {
    "access-point": "network.accessPoint",
    "wireless-hub": "network.accessPoint",
    "wireless": "network.accessPoint",
    "wlan": "network.accessPoint",
    "wifi": "network.accessPoint",
    "load-balancer": "network.loadBalancer",
    "load-balancing": "network.loadBalancer",
    "router": "network.router",
    "proxy": "network.router",
    "switch": "network.switch",
    "multiswitch": "network.switch",
    "hub": "network.switch",
    "fabric": "network.switch",
    "firewall": "network.firewall",
    "server": "network.server",
    "fileserver": "network.server",
    "mainframe": "network.server",
    "host": "network.server",
    "tower": "network.server",
    "rack": "network.server",
    "blade": "network.server",
    "chassis": "network.server",
    "machine": "network.server",
    "vm": "network.server",
    "pc": "network.client",
    "workstation": "network.client",
    "desktop": "network.client",
    "computer": "network.client",
    "monitor": "network.client",
    "client": "network.client",
    "ground-terminal": "lucide:satellite-dish",
    "internet": "network.internet",
    "cloud": "network.cloud",
    "wan": "network.cloud",
    "database": "network.database",
    "datastore": "network.database",
    "repository": "network.database",
    "data": "lucide:database",
    "db": "network.database",
    "user": "user",
    "person": "user",
    "man": "user",
    "woman": "user",
    "operator": "user",
    "administrator": "user",
    "requester": "user",
    "agent": "user",
    "community": "lucide:users",
    "groups": "lucide:users",
    "employees": "lucide:users",
    "customer": "lucide:users",
    "partners": "lucide:handshake",
    "netbook": "lucide:laptop",
    "pda": "lucide:smartphone",
    "phone": "lucide:smartphone",
    "devices": "lucide:monitor-smartphone",
    "device": "lucide:monitor-smartphone",
    "copier": "lucide:printer",
    "scanner": "lucide:scan",
    "gateway": "lucide:door-open",
    "cart": "lucide:shopping-cart",
    "commerce": "lucide:shopping-cart",
    "marketing": "lucide:megaphone",
    "service": "lucide:cog",
    "services": "lucide:cog",
    "application": "lucide:app-window",
    "app": "lucide:app-window",
    "apps": "lucide:layout-grid",
    "microservice": "lucide:boxes",
    "cluster": "lucide:boxes",
    "node": "lucide:box",
    "instance": "lucide:box",
    "report": "lucide:chart-column",
    "graph": "lucide:chart-line",
    "help": "lucide:circle-question-mark",
    "token": "lucide:key-round",
    "credentials": "lucide:key-round",
    "permissions": "lucide:key-round",
    "license": "lucide:badge-check",
    "certificate": "lucide:badge-check",
    "security": "lucide:shield",
    "privacy": "lucide:shield",
    "building": "lucide:building-2",
    "business": "lucide:building-2",
    "enterprise": "lucide:building-2",
    "hq": "lucide:building-2",
    "office": "lucide:building-2",
    "site": "lucide:building-2",
    "premises": "lucide:building-2",
    "telecommuter": "lucide:house",
    "home": "lucide:house",
    "payment": "lucide:credit-card",
    "notification": "lucide:bell",
    "email": "lucide:mail",
    "mail": "lucide:mail",
    "chat": "lucide:message-circle",
    "template": "lucide:file-text",
    "file": "lucide:file-text",
    "list": "lucide:list",
    "rule": "lucide:filter",
    "snapshot": "lucide:camera",
    "integration": "lucide:plug",
    "connectivity": "lucide:plug",
    "sdk": "lucide:code",
    "education": "lucide:graduation-cap",
    "learning": "lucide:graduation-cap",
    "maintenance": "lucide:wrench",
    "migration": "lucide:arrow-right-left",
    "mover": "lucide:arrow-right-left",
    "synchronizer": "lucide:refresh-cw",
    "cycle": "lucide:refresh-cw",
    "backup": "lucide:archive",
    "dashboard": "lucide:layout-dashboard",
    "management": "lucide:settings",
    "lock": "lucide:lock",
    "web": "lucide:globe",
    "bus": "",
    "cross": "",
    "airplane": "lucide:plane",
    "tree": "lucide:tree-deciduous",
}
"""The meaning of a plain word: a node type (without a colon) or an icon; an empty text means neither."""

UNKNOWN = "lucide:box"
"""The pictogram for a stencil without an equivalent."""
UNSEEN = "lucide:image"
"""The pictogram for an external picture, or a picture of an unsupported kind."""

# Stencils of draw.io's libraries as icons and devices: the name is taken apart, looked for in the icon set of its
# vendor, then among plain words. (R-IN-5)

_HEAD = "mxgraph."
_IMAGES = re.compile(r"(?:^|/)(?:img/lib|stencils)/([\w-]+)/(?:.*/)?([^/]+)\.\w+$")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIZE = re.compile(r"_\d+x\d+$")
LONGEST_NAME = 200  # characters of a name compared
MOST_WORDS = 10  # of a name
MOST_NAMES = 500  # different names on a page
_PICTOGRAMS, _BRANDS = "lucide", "simple"


class Stencil(NamedTuple):
    """The equivalent of a cell's picture. `key` is an icon, or a node type if without a colon; empty for a bare box.
    `is_known` is False for a stand-in of an unknown picture."""

    key: str
    is_known: bool = True
    is_box: bool = False

    @property
    def is_icon(self) -> bool:
        """Whether the key is an icon."""
        return ":" in self.key


class Stencils:
    """The stencils of a page. Each name is looked for once, and no more of them than a page has in earnest."""

    def __init__(self, icons: IconRegistry | None) -> None:
        self._icons = icons
        self._known: dict[tuple[str, str], str | None] = {}

    def knows(self, key: str) -> bool:
        """Whether the icon exists."""
        return self._icons is not None and self._icons.knows(key)

    def named(self, style: Mapping[str, str], label: str) -> Stencil | None:
        """The stencil of a style; None for a plain shape. An unavailable picture is identified by a product name in its
        label."""
        named = _named(style)
        if named is None:
            return Stencil(self._product(label) or UNSEEN, is_known=False) if _is_unseen(style) else None
        library, full, picture = named
        words = _words(full)
        key = self._key(_LIBRARIES[library], _words(picture) if picture else words)
        if "-".join(words) in _STENCIL_BOXES or words[:1] == ["group"]:
            return Stencil(key or "", is_box=True)
        return Stencil(key) if key else Stencil(UNKNOWN, is_known=False)

    def _key(self, prefix: str, words: list[str]) -> str | None:
        asked = (prefix, "-".join(words))
        if asked not in self._known and len(self._known) < MOST_NAMES:
            self._known[asked] = self._found(prefix, words)
        return self._known.get(asked)

    def _found(self, prefix: str, words: list[str]) -> str | None:
        """The icon or node type for a name, the vendor's own first; "" for a name without an equivalent."""
        for name in _spellings(words):
            known = _ALIASES.get(f"{prefix}:{name}")
            if known is not None:
                return known
            for own in (name, *(f"{stem}-{name}" for stem in STEMS.get(prefix, ()))) if prefix else ():
                if self.knows(f"{prefix}:{own}"):
                    return f"{prefix}:{own}"
        return self._by_words(words)

    def _by_words(self, words: list[str]) -> str | None:
        """The match by the whole name, then by pairs of words, then by single words, the last first, as the kind of
        thing."""
        plain = [word for word in words if not word.isdigit()]
        wholes = list(dict.fromkeys(("-".join(words), "-".join(plain))))
        pairs = ["-".join(plain[at : at + 2]) for at in range(len(plain) - 2, -1, -1)]
        for name in (*wholes, *pairs, *reversed(plain)):
            if name in KINDS:
                return KINDS[name]
            for prefix in (_PICTOGRAMS, _BRANDS) if name in wholes else (_PICTOGRAMS,):
                if name and self.knows(f"{prefix}:{name}"):
                    return f"{prefix}:{name}"
        return None

    def _product(self, label: str) -> str | None:
        """The icon of the product named by a label in all its lines, or in the last."""
        lines = label[:LONGEST_NAME].split("\n")
        for text in dict.fromkeys((" ".join(lines), lines[-1])):
            asked = ("", f"label {text}")
            if asked not in self._known and len(self._known) < MOST_NAMES:
                self._known[asked] = self._icons.product(text) if self._icons is not None else None
            if self._known.get(asked):
                return self._known[asked]
        return None


def is_line(style: Mapping[str, str]) -> bool:
    """Whether a stencil is an arrow or a line."""
    named = _named(style)
    words = _words(named[1]) if named is not None and named[0] in LINES else []
    return any("-".join(words[-count:]) in _LINE_WORDS for count in (1, 2))


def _named(style: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Library, name, and the name of the inner pictogram."""
    shape = style.get("shape", "")
    if shape.startswith(_HEAD):
        library, _, rest = shape.removeprefix(_HEAD)[:LONGEST_NAME].partition(".")
        picture = next((style[name] for name in _PICTURED if style.get(name, "none") != "none"), "")
        return (library, rest.rpartition(".")[2], picture.rpartition(".")[2]) if library in _LIBRARIES else None
    at = _IMAGES.search(style.get("image", "")[:LONGEST_NAME])
    return (at[1], _SIZE.sub("", at[2]), "") if at is not None and at[1] in _LIBRARIES else None


def _is_unseen(style: Mapping[str, str]) -> bool:
    """Whether a cell consists of an external picture, or of vectors."""
    return bool(style.get("image")) and style.get("shape", "image") == "image" and "label" not in style


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name[:LONGEST_NAME])[:MOST_WORDS]]


def _spellings(words: list[str]) -> Iterator[str]:
    """A name, then without its version, without endings, and without the library's own "group" prefix."""
    kept = list(words)
    while kept:
        yield "-".join(kept)
        if not (kept[-1].isdigit() or kept[-1] in _ENDINGS):
            break
        kept.pop()
    if kept[:1] == ["group"]:
        yield "-".join(kept[1:])


# Data of this service's exports on a cell besides its look: style members ignored by draw.io.

MARK = "scenograph"
INKS: Mapping[str, str] = {"fillColor": f"{MARK}.fill", "strokeColor": f"{MARK}.stroke"}
"""The members for colours of cells exported as a picture, by the usual style members."""
_MEMBERS = ("nodeType", "icon", "shape")


def is_marked(style: Mapping[str, str]) -> bool:
    """Whether an export says something of a cell."""
    return any(name.startswith(f"{MARK}.") for name in style)


def _marked_members(style: Mapping[str, str], stencils: Stencils) -> JsonObject:
    """The members of a node stored by an export."""
    found = {name: style[key] for name in _MEMBERS if (key := f"{MARK}.{name}") in style}
    if not stencils.knows(found.get("icon", "")):
        found.pop("icon", None)
    if found.get("shape", SHAPES[0]) not in SHAPES:
        del found["shape"]
    return found


# Separate labels: beside a shape, or cells of text alone. px.

INSIDE = "inside"
"""The side of a separate label within its shape, whose middle is covered."""
BESIDE_GAP = 4.0
_SPACED = ("Left", "Top", "Right", "Bottom")
_SPACING = 2.0  # default spacing of a label on all sides
_LETTER, _CAPITAL = 0.55, 0.72  # average width of a letter, in font sizes
_SURE = 1.15  # times the average width: enough for most words
_LINE = 1.3  # height of a line, in font sizes
_SIDES: Mapping[tuple[str, str], str] = {
    ("verticalLabelPosition", "bottom"): "below",
    ("verticalLabelPosition", "top"): "above",
    ("labelPosition", "left"): "leftOf",
    ("labelPosition", "right"): "rightOf",
}
_ALIGNED: Mapping[str, str] = {"left": "start", "center": "center", "right": "end"}
_TOWARDS: Mapping[str, str] = {"leftOf": "end", "rightOf": "start"}


def _side_of_label(style: Mapping[str, str]) -> str | None:
    """The side of a label beside its shape; None for a label within."""
    return next((side for (name, value), side in _SIDES.items() if style.get(name) == value), None)


def text_beside(cell: Cell, target: str, side: str, *, on_dark: bool) -> JsonObject:
    """The members of the text for a label beside its shape."""
    place = {"mode": "relative", "target": target, "relation": side, "gap": BESIDE_GAP}
    style = {"fontSize": FONT_SIZE} | lettered_beside(cell.style, on_dark=on_dark)
    return {"content": cell.label, "align": _TOWARDS.get(side, "center"), "layout": place, "style": style}


def title_inset(style: Mapping[str, str], *, is_own: bool) -> float | None:
    """The distance of a container's title from its left side; None if unspecified. An export always specifies the
    inset, and marks insets not from the layout."""
    if style.get("align") != "left" or "spacingLeft" not in style or (is_own and not is_marked(style)):
        return None
    return max(number(style["spacingLeft"]) + number(style.get("spacing", ""), _SPACING), 0.0)


def label_area(cell: Cell, area: CellArea) -> CellArea:
    """The approximate area of a label in the middle of its shape."""
    (x, y), size, lines = area.middle, font_size(cell.style), cell.label[:LONGEST_LABEL].split("\n")
    beside = min(max(map(_width, lines)) * size, area.right - area.left) / 2
    above = min(len(lines) * size * _LINE, area.bottom - area.top) / 2
    return CellArea(x - beside, y - above, x + beside, y + above)


def text_in_place(cell: Cell, corner: Point, otherwise: str = "left") -> JsonObject:
    """The members of the text for a text cell, or for a label, in its box as aligned by draw.io, or by `otherwise`.
    Text without wrapping is as wide as needed."""
    style = cell.style
    across = style.get("align", otherwise)
    label, size = cell.label[:LONGEST_LABEL], font_size(style)  # the rest is not shown
    lines = label.split("\n")
    needed = max(map(_width, lines)) * size
    wraps = style.get("whiteSpace") == "wrap"
    if wraps:  # at spaces, never in a word
        needed = max(map(_width, label.split()), default=0.0) * size
    width = max(cell.size[0], min(needed * _SURE, FARTHEST))
    rows = len(lines)
    if wraps:
        rows = sum(max(1, math.ceil(_width(line) * size / width)) for line in lines)
    spare_x, spare_y = cell.size[0] - width, cell.size[1] - rows * size * _LINE
    left, top, right, bottom = (number(style.get(f"spacing{side}", "")) for side in _SPACED)
    x = corner[0] + {"left": left, "right": spare_x - right}.get(across, (spare_x + left - right) / 2)
    down = style.get("verticalAlign", "top")
    y = corner[1] + {"top": top, "bottom": spare_y - bottom}.get(down, (spare_y + top - bottom) / 2)
    return {
        "content": cell.label,
        "align": _ALIGNED.get(across, "center"),
        "layout": {"mode": "absolute", "x": round(x, 2), "y": round(y, 2), "width": round(width, 2)},
        "style": {"fontSize": FONT_SIZE} | lettered(style),
    }


def _width(text: str) -> float:
    """About how wide a text is, in font sizes."""
    capitals = sum(map(str.isupper, text))
    return capitals * _CAPITAL + (len(text) - capitals) * _LETTER


# Block arrows as pictograms: ARROWS, a row for each shape with its icons pointing right, down, left and up.


_Turns = tuple[str, str, str, str]
_ONE_WAY: _Turns = ("arrow-right", "arrow-down", "arrow-left", "arrow-up")
_TWO_WAYS: _Turns = ("move-horizontal", "move-vertical", "move-horizontal", "move-vertical")
_BACK: _Turns = ("undo-2", "undo-2", "redo-2", "redo-2")
ARROWS: Mapping[str, _Turns] = {
    "singleArrow": _ONE_WAY,
    "doubleArrow": _TWO_WAYS,
    "mxgraph.arrows.arrow_right": _ONE_WAY,
    "mxgraph.arrows.arrow_left": (*_ONE_WAY[2:], *_ONE_WAY[:2]),
    "mxgraph.arrows.arrow_up": (*_ONE_WAY[3:], *_ONE_WAY[:3]),
    "mxgraph.arrows.arrow_down": (*_ONE_WAY[1:], *_ONE_WAY[:1]),
    "mxgraph.arrows.two_way_arrow_horizontal": _TWO_WAYS,
    "mxgraph.arrows.two_way_arrow_vertical": (*_TWO_WAYS[1:], *_TWO_WAYS[:1]),
    "mxgraph.arrows2.arrow": _ONE_WAY,
    "mxgraph.arrows2.stylisedArrow": _ONE_WAY,
    "mxgraph.arrows2.twoWayArrow": _TWO_WAYS,
    "mxgraph.arrows2.uTurnArrow": _BACK,
    "mxgraph.lean_mapping.push_arrow": _ONE_WAY,
}
_DIRECTIONS: Mapping[str, int] = {"east": 0, "south": 1, "west": 2, "north": 3}
_QUARTER = 90.0  # degrees


def _arrow_of(style: Mapping[str, str]) -> str | None:
    """The icon of a block arrow with the rotation; None for any other style."""
    turns = ARROWS.get(style.get("shape", ""))
    if turns is None:
        return None
    quarters = round(number(style.get("rotation", "")) / _QUARTER)
    mirrored = 2 * (style.get("flipH") == "1")
    return f"lucide:{turns[(_DIRECTIONS.get(style.get('direction', ''), 0) + quarters + mirrored) % 4]}"


# Pictures that a file holds itself: data URLs of raster images, within the limits of a document. Nothing is fetched
# (R-IN-9).


# draw.io omits ";base64", whose semicolon would end the style member.
_DATA = re.compile(r"data:(image/(?:png|jpe?g|gif|webp))(?:;base64)?,")


def raster_of(style: Mapping[str, str]) -> str | None:
    """The picture in a style as a data: URI; None if absent or not permitted in documents."""
    said = style.get("image", "")
    head = _DATA.match(said)
    if head is None:
        return None
    mime_type, data = head[1].replace("jpg", "jpeg"), said[head.end() :]
    data += "=" * (-len(data) % 4)
    return None if check_image(mime_type, data, LIMITS) else f"data:{mime_type};base64,{data}"


def _outlined(shape: str, *names: str, node_type: str | None = None) -> dict[str, JsonObject]:
    typed = {} if node_type is None else {"nodeType": node_type}
    return {name: {"shape": shape, **typed} for name in names}


def _typed(node_type: str, *names: str) -> dict[str, JsonObject]:
    return {name: {"nodeType": node_type} for name in names}


# The elements for cells: FIGURES, a row for each plain shape of draw.io; stencils and pictures besides.


FIGURES: Mapping[str, JsonObject] = {
    **_outlined("rect", "rect", "rectangle", "label", "process", "partialRectangle", "mxgraph.basic.rect"),
    **_outlined("rect", "mxgraph.bootstrap.rect", "mxgraph.flowchart.process", "mxgraph.gcp2.doubleRect"),
    **_outlined("rect", "mxgraph.gcp2.google_cloud_platform", "mxgraph.er.entity", "ext", "internalStorage", "plaque"),
    **_outlined("roundedRect", "mxgraph.bootstrap.rrect", "mxgraph.bpmn.task", "mxgraph.aws.groups.rrect"),
    **_outlined("roundedRect", "mxgraph.c4.person", "mxgraph.c4.person2", node_type="user"),
    **_outlined("ellipse", "ellipse", "doubleEllipse", "mxgraph.flowchart.start_1", "mxgraph.flowchart.start_2"),
    **_outlined("ellipse", "mxgraph.flowchart.on-page_reference", "orEllipse", "sumEllipse", "lineEllipse", "waypoint"),
    **_outlined("ellipse", "mxgraph.basic.oval_callout"),
    **_outlined("pill", "mxgraph.flowchart.terminator"),
    **_outlined("diamond", "rhombus", "mxgraph.flowchart.decision", "mxgraph.er.has"),
    **_outlined("cylinder", "cylinder", "cylinder2", "cylinder3", "datastore", "dataStorage", node_type="database"),
    **_outlined("cylinder", "mxgraph.flowchart.database", "mxgraph.infographic.cylinder", node_type="database"),
    **_outlined("cylinder", "mxgraph.flowchart.stored_data", node_type="database"),
    **_outlined("tube", "mxgraph.flowchart.direct_data", node_type="queue"),
    **_outlined("hexagon", "hexagon", "mxgraph.flowchart.preparation", "loopLimit"),
    **_outlined("parallelogram", "parallelogram", "mxgraph.flowchart.data", "manualInput", "step", "trapezoid"),
    **_outlined("cloud", "cloud"),
    **_outlined("textBox", "text"),
    **_outlined("box3d", "cube", "isoCube", "isoCube2", "mxgraph.infographic.shadedCube"),
    **_typed("user", "actor", "mxgraph.bpmn.user", "mxgraph.archimate3.actor"),
    **_typed("actor", "umlActor"),
    **_typed("note", "note", "note2", "document", "mxgraph.flowchart.document"),
    **_typed("component", "component", "module", "mxgraph.archimate3.component"),
    **_typed("state.initial", "startState"),
    **_typed("state.final", "endState", "mxgraph.sysml.actFinal"),
    **_typed("workflow.userTask", "mxgraph.bpmn.user_task"),
    **_typed("workflow.serviceTask", "mxgraph.bpmn.service_task"),
    **_typed("workflow.dataObject", "mxgraph.bpmn.data", "mxgraph.bpmn.data2"),
}

BOXES = frozenset(
    {"", "rect", "rectangle", "label", "swimlane", "group", "table", "tableRow", "mxgraph.basic.rect", "umlFrame"}
)
"""Shapes that a frame can stand for, besides the boxes among the stencils."""

_PLAIN = frozenset({*BOXES, "process", "partialRectangle", "line"})
"""Shapes drawn exactly without a row."""

_NAMED = frozenset({*FIGURES, *BOXES, "line", "image"})
_LABELLED_BELOW = frozenset({"user", "actor", "workflow.start", "workflow.end", "state.initial", "state.final"})
_BPMN = frozenset({"mxgraph.bpmn.shape", "mxgraph.bpmn.event", "mxgraph.bpmn.gateway2", "mxgraph.bpmn.gateway"})
_GATES: Mapping[str, str] = {
    "exclusiveGw": "workflow.gateway",
    "complexGw": "workflow.gateway",
    "parallelGw": "workflow.gatewayParallel",
    "parallel": "workflow.gatewayParallel",
    "inclusiveGw": "workflow.gatewayInclusive",
    "inclusive": "workflow.gatewayInclusive",
}
_EVENTS: Mapping[str, str] = {
    "timer": "workflow.timer",
    "error": "workflow.error",
    "message": "workflow.messageStart",
    "terminate": "workflow.terminate",
    "terminate2": "workflow.terminate",
    "signal": "workflow.signal",
}


class CellFigure(NamedTuple):
    """The element of a cell: `kind`, members from its shape, its stencil, its picture, and the side of a separate
    label. `formless` is the name of a shape without an equivalent."""

    kind: str
    members: JsonObject
    stencil: Stencil | None = None
    picture: str = ""
    side: str | None = None
    formless: str = ""


def figure_of(cell: Cell, stencils: Stencils, *, is_end: bool) -> CellFigure:
    """The figure of a cell other than a frame. `is_end`: connectors end at the cell, which must be a box."""
    style = cell.style
    own = _marked_members(style, stencils)
    if own.keys() & {"nodeType", "icon"}:
        return CellFigure("node", own)
    side = _side_of_label(style) if is_seen(style) else None
    picture = raster_of(style) if named_figure(style) == "image" else None
    if picture is not None:
        return CellFigure("image", {}, picture=picture, side=side or "below")
    stencil = stencils.named(style, cell.label)
    if stencil is not None and not stencil.is_box:
        return _pictogram(stencil, cell, _side_of_label(style))
    arrow = _arrow_of(style) if not cell.label and max(cell.size) <= _LARGEST_ARROW else None
    if arrow is not None and stencils.knows(arrow):
        return CellFigure("node", {"icon": arrow, "shape": "iconBox"})
    named = named_figure(style)
    if named == "text" and not is_end and not is_seen(style, "none"):
        return CellFigure("text", {})
    known = _bpmn_type(style)
    members: JsonObject = {"nodeType": known} if known else FIGURES.get(named, {"shape": _box(style)})
    if members.get("shape") == "rect":
        members = {"shape": _box(style)}
    if members.get("shape") == "cylinder" and style.get("direction") in _LYING:
        members = {"shape": "tube", "nodeType": "queue"}
    if ("shape" not in members and members.get("nodeType") in _LABELLED_BELOW) or known:
        side = None if side == "below" else side
    members = members | own
    is_known = known or named in FIGURES or named in _PLAIN or stencil is not None
    return CellFigure("node", members, stencil, side=side, formless="" if is_known else named)


def _box(style: Mapping[str, str]) -> str:
    return "roundedRect" if style.get("rounded") == "1" else "rect"


def _pictogram(stencil: Stencil, cell: Cell, side: str | None) -> CellFigure:
    """A device or an icon in its original size. The label of a small device, or of a vendor's icon, stands below as
    part of the node; a larger device with a label would be drawn as a box around it."""
    below = side in {None, "below"}
    formless = "" if stencil.is_known else cell.style.get("shape", "") or "image"
    if not stencil.is_icon:
        own = side is None if stencil.key == _CLOUD else below and cell.size[0] < _LABELLED_BOX
        side = None if own else side or "below"
        return CellFigure("node", {"nodeType": stencil.key}, stencil, side=side, formless=formless)
    shows_below = below and stencil.key.partition(":")[0] in VENDORS
    is_blank = not stencil.is_known and min(cell.size) > _LARGEST_BLANK
    shape = {} if stencil.key.partition(":")[0] in VENDORS else {"shape": "rect" if is_blank else "iconBox"}
    side = None if shows_below else side or "below"
    return CellFigure("node", {"icon": stencil.key, **shape}, stencil, side=side, formless=formless)


_LARGEST_ARROW = 72.0  # px: a larger arrow keeps its colour as a shape
_LARGEST_BLANK = 72.0  # px: a larger unknown picture shows its box
_LABELLED_BOX = 72.0  # px: in a wider box a device contains its label
_CLOUD = "network.cloud"
VENDORS = frozenset({"aws", "gcp", "azure"})
"""Icon sets drawn without a box, with the label below."""
_LYING = frozenset({"north", "south"})


def _bpmn_type(style: Mapping[str, str]) -> str | None:
    """The type of a BPMN event or gateway; None for any other style."""
    if style.get("shape") not in _BPMN:
        return None
    symbol, gate = style.get("symbol", "general"), style.get("gwType", "")
    if symbol in _GATES or gate or "gateway" in style["shape"]:
        return _GATES.get(gate) or _GATES.get(symbol, "workflow.gateway")
    is_end = style.get("outline") in {"end", "throwing"}
    if symbol == "message" and is_end:
        return "workflow.messageEnd"
    return _EVENTS.get(symbol) or ("workflow.end" if is_end else "workflow.start")


def named_figure(style: Mapping[str, str]) -> str:
    """The shape of a cell: the member `shape`, or the name of the base style."""
    return style.get("shape") or next((name for name in style if style[name] == "" and name in _NAMED), "")
