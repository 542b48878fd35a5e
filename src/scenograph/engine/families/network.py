"""Network: devices, subnets and links. (decisions: section 10)"""

from __future__ import annotations

from scenograph.engine.families.family import EdgeKind, Family, NodeKind, by_name, edges_by_name

NETWORK = Family(
    name="network",
    node_kinds=by_name(
        NodeKind(name="network.router", shape="ellipse", padding=(8.0, 6.0)),
        NodeKind(name="network.switch", shape="rect"),
        NodeKind(name="network.firewall", shape="rect"),
        NodeKind(name="network.server", shape="box3d"),
        NodeKind(name="network.loadBalancer", shape="hexagon"),
        NodeKind(name="network.client"),
        NodeKind(name="network.database", shape="cylinder", tone="data", min_size=(88.0, 60.0)),
        NodeKind(name="network.accessPoint", shape="ellipse", padding=(8.0, 6.0)),
        NodeKind(name="network.internet", shape="cloud", tone="external", min_size=(120.0, 72.0), wrap_width=110.0),
        NodeKind(name="network.cloud", shape="cloud", tone="external", min_size=(120.0, 72.0), wrap_width=110.0),
        NodeKind(name="network.subnet", dash=(6.0, 4.0)),
    ),
    edge_kinds=edges_by_name(
        EdgeKind(name="network.link"),
        EdgeKind(name="network.wireless", dash=(2.0, 4.0)),
        EdgeKind(name="network.vpn", dash=(8.0, 4.0)),
    ),
)
