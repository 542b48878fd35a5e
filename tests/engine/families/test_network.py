"""Network maps: every device is its own symbol, and no symbol loses its label. (R-NET-1, R-NET-2)"""

from __future__ import annotations

import pytest
from tests.builders import at
from tests.engine.families.conftest import Plan, edge, extent, node, plan

from scenograph.engine.colors import contrast, over
from scenograph.engine.families.faces import SEEN_CONTRAST
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.pipeline import normalize
from scenograph.engine.themes import THEMES
from scenograph.scene.model import Color
from scenograph.scene.vocabulary import NODE_TYPES

DEVICES = ("router", "switch", "firewall", "server", "loadBalancer", "client", "database", "accessPoint", "internet")
ALL = tuple(name.removeprefix("network.") for name in NODE_TYPES["network"])


def drawing(name: str, **members: object) -> list[list[tuple[float, float]]]:
    found = plan("network", node("n", f"network.{name}", "Core", layout=at(0, 0), **members))
    chains = [chain for item in found.paths("n") for chain in flatten(item.path)]
    return [[(round(p.x, 1), round(p.y, 1)) for p in chain] for chain in chains]


def test_no_two_devices_look_alike() -> None:
    seen = [drawing(name) for name in ALL]
    assert all(one not in seen[:number] for number, one in enumerate(seen))


@pytest.mark.parametrize("name", DEVICES)
def test_a_device_has_its_label_below_and_its_symbol_fills_its_bounds(name: str) -> None:
    found = plan("network", node("n", f"network.{name}", "Core switch A"))
    box, drawn = found.box("n"), extent(*(item.path for item in found.paths("n")))
    assert found.part("n", "label").y >= box.bottom
    assert drawn.width == pytest.approx(box.width, abs=3)
    assert drawn.height == pytest.approx(box.height, abs=3)


@pytest.mark.parametrize("name", DEVICES)
def test_a_symbol_without_a_label_fills_the_box_that_it_is_given(name: str) -> None:
    member = {"id": "n", "kind": "node", "nodeType": f"network.{name}", "layout": at(0, 0, width=200, height=140)}
    found = plan("network", member)
    box, drawn = found.box("n"), extent(*(item.path for item in found.paths("n")))
    assert (box.width, box.height) == (200, 140)
    assert (drawn.width, drawn.height) == (pytest.approx(200, abs=3), pytest.approx(140, abs=3))


@pytest.mark.parametrize("name", ["cloud", "subnet"])
def test_a_cloud_and_a_subnet_hold_their_label(name: str) -> None:
    found = plan("network", node("n", f"network.{name}", "10.0.1.0/24"))
    assert found.box("n").contains(found.part("n", "label"))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("size", [(120, 60), (160, 90), (90, 34)])
def test_a_box_that_is_wide_enough_holds_the_label(name: str, size: tuple[int, int]) -> None:
    layout = at(0, 0, width=size[0], height=size[1])
    found = plan("network", node("n", f"network.{name}", "web-01", layout=layout))
    assert found.box("n").contains(found.part("n", "label"))
    assert "TEXT_OVERFLOW" not in found.codes


@pytest.mark.parametrize("name", [name for name in DEVICES if name != "database"])
def test_the_symbol_in_a_box_stands_above_the_label(name: str) -> None:
    found = plan("network", node("n", f"network.{name}", "web-01", shape="rect", layout=at(0, 0, width=160, height=90)))
    icon, label = found.part("n", "icon"), found.part("n", "label")
    assert icon.bottom <= label.y
    assert icon.grown(1).contains(extent(*(item.path for item in found.marks("n"))))


def test_an_icon_takes_the_place_of_the_symbol() -> None:
    found = plan("network", node("n", "network.router", "Edge", icon="lucide:server"))
    assert found.box("n").contains(found.part("n", "label"))
    assert found.laid_out.scene.elements[0].shape == "roundedRect"
    assert drawing("router", icon="lucide:server") == drawing("router", icon="lucide:server", shape="roundedRect")


def test_a_cloud_providers_icon_stands_without_a_box() -> None:
    found = plan("network", node("n", "network.server", "EC2", icon="aws:ec2"))
    assert found.style("n").fill.alpha == 0
    assert found.style("n").stroke_width == 0


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("fill", ["#1d4ed8", "#ffffff", "#111111", "#fde68a", "#475569"])
def test_marks_can_be_seen_on_any_fill(theme: str, fill: str) -> None:
    found = plan("network", node("n", "network.switch", "A", style={"fill": fill}), theme=theme)
    ground = found.style("n").fill
    for item in found.marks("n"):
        assert isinstance(item.stroke, Color)
        assert contrast(over(item.stroke, ground), ground) >= SEEN_CONTRAST


def test_links_are_solid_radio_is_dotted_and_tunnels_are_dashed() -> None:
    pair = (node("a", "network.router", "A"), node("b", "network.router", "B"))
    dashes = []
    for name in ("link", "wireless", "vpn"):
        (line,) = plan("network", *pair, edge("a>b", f"network.{name}")).paths("a>b")
        dashes.append(line.dash)
    assert dashes[0] == ()
    assert dashes[1]
    assert dashes[2]
    assert dashes[1] != dashes[2]


def test_a_normalized_map_stays_as_it_is() -> None:
    rows = [node(name, f"network.{name}", name) for name in ALL]
    rows += [node(f"{name}-i", f"network.{name}", name, icon="lucide:server") for name in ALL]
    document = {
        "schemaVersion": "0.1",
        "diagramFamily": "network",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "elements": rows,
    }
    once, _ = normalize(document)
    twice, _ = normalize(once)
    assert twice["computed"] == once["computed"]
    again = plan("network", *once["elements"])
    first = plan("network", *rows)
    for row in rows:
        assert again.group(row["id"]) == first.group(row["id"]), row["id"]


def wired(links: str) -> Plan:
    """`r1-s1 r1-r2`: routers, switches, firewalls and clients by their first letter, and their links."""
    kinds = {"i": "internet", "r": "router", "f": "firewall", "s": "switch", "c": "client"}
    names = dict.fromkeys(name for link in links.split() for name in link.split("-"))
    devices = [node(name, f"network.{kinds[name[0]]}", name) for name in names]
    return plan("network", *devices, *(edge(link.replace("-", ">"), "network.link") for link in links.split()))


def test_redundant_pairs_stand_side_by_side() -> None:
    found = wired("i1-f1 f1-r1 f1-r2 r1-r2 r1-s1 r2-s2 s1-s2 s1-c1 s2-c1")
    for one, other in (("r1", "r2"), ("s1", "s2")):
        assert found.box(one).center.y == pytest.approx(found.box(other).center.y)
        assert len(found.route(f"{one}>{other}").points) == 2


def test_a_link_between_devices_of_one_kind_that_holds_the_network_together_still_guides_it() -> None:
    chain = wired("i1-s1 s1-s2 s2-s3 s2-c1 s3-c2")
    tops = [chain.box(name).y for name in ("i1", "s1", "s2", "s3", "c2")]
    assert tops == sorted(tops)
    ring = wired("r1-r2 r2-r3 r3-r4 r4-r1")
    assert len({ring.box(name).y for name in ("r1", "r2", "r3", "r4")}) > 1
