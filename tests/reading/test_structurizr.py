"""Workspaces of Structurizr: elements, relationships, views and styles, in its language and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenograph.diagnostics import Severity
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import TooLarge, Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, kept_view, synchronize
from scenograph.scene.validation import validate

SHOP = """\
workspace "Shop" "A shop" {
    !identifiers hierarchical
    model {
        customer = person "Customer" "Buys things."
        mail = softwareSystem "Mail" "" "External"
        shop = softwareSystem "Shop" "Sells things." {
            group "Front" {
                web = container "Web" "Shows the shop." "Django" {
                    url https://shop.example
                }
            }
            db = container "Database" {
                technology "PostgreSQL"
                tags "Store"
            }
            web -> db "Reads" "SQL"
        }
        customer -> shop.web "Buys with"
        shop.web -> mail "Sends with"
    }
    views {
        systemContext shop "Context" {
            include *
        }
        container shop "Containers" "The containers" {
            include *
            autoLayout lr
        }
        styles {
            element "Store" {
                shape cylinder
                background #eeeeff
            }
            relationship "Relationship" {
                dashed false
            }
        }
    }
}
"""


def read(text: str) -> Import:
    return read_source(Text(text=text), "structurizr")


def model(lines: str, views: str = "systemLandscape { include * }") -> Import:
    shown = views.replace("{ ", "{\n").replace(" }", "\n}")
    return read(f"workspace {{\nmodel {{\n{lines}\n}}\nviews {{\n{shown}\n}}\n}}")


def elements(found: Import | dict[str, Any]) -> dict[str, dict[str, Any]]:
    document = found.document if isinstance(found, Import) else found
    return {one["id"]: one for one in document["elements"]}


def lines(found: Import) -> list[tuple[str, str, str]]:
    edges = [one for one in found.document["elements"] if one["kind"] == "edge"]
    return [(one["from"]["elementId"], one["to"]["elementId"], one.get("label", "")) for one in edges]


def names(found: Import) -> set[str]:
    return {
        one.get("label", one.get("title", "")).partition("\n")[0]
        for one in found.document["elements"]
        if one["kind"] != "edge"
    }


def told(found: Import) -> list[tuple[int, str]]:
    return [(row.data["line"], row.data["what"]) for row in found.diagnostics if row.data]


def test_a_view_of_containers_has_boxes_a_boundary_and_the_neighbours() -> None:
    found = read(SHOP)
    here = elements(found)
    assert found.document["layoutStrategy"]["direction"] == "LR"
    assert here["Shop-Web"]["label"] == "Web\n[Container: Django]\nShows the shop."
    assert here["Shop-Web"]["link"] == {"href": "https://shop.example"}
    assert (here["Shop-Database"]["shape"], here["Shop-Database"]["style"]) == ("cylinder", {"fill": "#eeeeff"})
    assert (here["Customer"]["nodeType"], here["Customer"]["label"]) == ("user", "Customer\n[Person]\nBuys things.")
    assert here["Shop"]["title"] == "Shop\n[Software System]"
    assert here["Shop"]["children"] == ["group-Shop-Front", "Shop-Database"]
    assert here["group-Shop-Front"]["children"] == ["Shop-Web"]
    assert lines(found) == [
        ("Shop-Web", "Shop-Database", "Reads\n[SQL]"),
        ("Customer", "Shop-Web", "Buys with"),
        ("Shop-Web", "Mail", "Sends with"),
    ]
    assert told(found) == [(25, "one view is drawn, 'Containers'; `view` chooses one of: Context, Containers")]
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


ARCHETYPES = """\
archetypes {
    https = -> {
        technology "HTTPS"
    }
    app = softwareSystem {
        tag "App"
    }
}
a = app "A"
b = app "B"
a --https-> b "calls"
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('a = person "A"\nb = softwareSystem "B"\na -> b "uses" "HTTP"', [("A", "B", "uses\n[HTTP]")]),
        (
            'a = person "A"\nb = softwareSystem "B" {\n a -> this "in"\n -> a "out"\n}',
            [("A", "B", "in"), ("B", "A", "out")],
        ),
        (
            'a = softwareSystem "A"\nb = softwareSystem "B" {\n c = container "C"\n}\na -> c "implied"',
            [("A", "B", "implied")],
        ),
        (
            ARCHETYPES,
            [("A", "B", "calls\n[HTTPS]")],
        ),
        ('!const NAME "Big"\na = softwareSystem "${NAME} A"\nb = softwareSystem "B"\na -> b', [("Big-A", "B", "")]),
        (
            'group "G" {\n a = softwareSystem "A"\n}\nb = softwareSystem "B"\nB -> A "any case"',
            [("B", "A", "any case")],
        ),
    ],
)
def test_relationships_are_read_in_every_form(said: str, expected: list[tuple[str, str, str]]) -> None:
    found = model(said)
    assert lines(found) == expected
    assert found.whole


MODEL = """\
u = person "U"
s = softwareSystem "S" {
    w = container "W" {
        c = component "C"
        d = component "D"
    }
    q = container "Q"
}
t = softwareSystem "T" {
    x = container "X"
}
u -> c "1"
c -> d "2"
d -> q "3"
q -> x "4"
live = deploymentEnvironment "Live" {
    deploymentNode "Server" "" "Linux" {
        lb = infrastructureNode "Balancer"
        deploymentNode "Docker" {
            i = containerInstance w
            containerInstance q
        }
        lb -> i "forwards"
    }
}
deploymentEnvironment "Test" {
    deploymentNode "Laptop" {
        containerInstance w
    }
}
"""


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("systemLandscape { include * }", {"U", "S", "T"}),
        ("systemContext s { include * }", {"U", "S", "T"}),
        ("systemContext t { include * }", {"S", "T"}),
        ("container s { include * }", {"U", "S", "W", "Q", "T"}),
        ("component w { include * }", {"U", "S", "W", "C", "D", "Q"}),
        ("container s { include w q }", {"S", "W", "Q"}),
        ("container s { include *\nexclude u }", {"S", "W", "Q", "T"}),
        ("container s { include ->w-> }", {"S", "U", "W", "Q"}),
        ('container s { include "element.type==Container" }', {"S", "W", "Q", "T", "X"}),
        ('container s { include *\nexclude "element.tag==Person" }', {"S", "W", "Q", "T"}),
        ("deployment s live { include * }", {"Server", "Balancer", "Docker", "W", "Q"}),
        ('deployment * "Test" { include * }', {"Laptop", "W"}),
        ("dynamic s { u -> w\nw -> q }", {"S", "U", "W", "Q"}),
    ],
)
def test_a_view_shows_what_its_kind_and_its_expressions_say(view: str, expected: set[str]) -> None:
    found = model(MODEL, view)
    assert names(found) == expected
    assert not [row for row in validate(found.document) if row.severity is Severity.ERROR]


def test_instances_are_related_as_their_containers_and_stand_in_their_nodes() -> None:
    found = model(MODEL, "deployment s live { include * }")
    assert [label for _, _, label in lines(found)] == ["forwards", "3"]
    here = elements(found)
    assert here["Live-Server"]["title"] == "Server\n[Deployment Node: Linux]"
    assert here["Live-Server"]["children"] == ["Live-Server-Balancer", "Live-Server-Docker"]


def test_the_steps_of_a_dynamic_view_are_numbered() -> None:
    found = model(MODEL, 'dynamic s { u -> w "asks"\nw -> q }')
    assert [label for _, _, label in lines(found)] == ["1: asks", "2: 3"]


def test_exclusions_leave_relationships_out() -> None:
    found = model(
        'a = person "A"\nb = person "B"\nr = a -> b "x"\nb -> a "y"', "systemLandscape { include *\nexclude r }"
    )
    assert lines(found) == [("B", "A", "y")]
    assert (
        lines(model('a = person "A"\nb = person "B"\na -> b', 'systemLandscape { include *\nexclude "* -> *" }')) == []
    )


def test_a_workspace_without_views_shows_its_landscape() -> None:
    found = read('workspace {\nmodel {\na = person "A"\nb = softwareSystem "B"\na -> b "uses"\n}\n}')
    assert lines(found) == [("A", "B", "uses")]


def workspace_json() -> dict[str, Any]:
    return {
        "name": "Shop",
        "model": {
            "people": [
                {
                    "id": "1",
                    "name": "Customer",
                    "relationships": [{"id": "9", "destinationId": "3", "description": "buys"}],
                }
            ],
            "softwareSystems": [
                {
                    "id": "2",
                    "name": "Shop",
                    "containers": [
                        {"id": "3", "name": "Web", "technology": "Django", "tags": "Element,Container,Store"}
                    ],
                }
            ],
        },
        "views": {
            "containerViews": [
                {
                    "key": "C",
                    "softwareSystemId": "2",
                    "elements": [{"id": "1"}, {"id": "3"}],
                    "relationships": [{"id": "9"}],
                }
            ],
            "configuration": {"styles": {"elements": [{"tag": "Store", "background": "#ffeedd"}]}},
        },
    }


def test_a_workspace_of_json_has_the_elements_of_its_view() -> None:
    text = json.dumps(workspace_json())
    assert recognized(text) == "structurizr"
    found = read(text)
    assert lines(found) == [("Customer", "Shop-Web", "buys")]
    assert elements(found)["Shop-Web"]["style"] == {"fill": "#ffeedd"}
    assert elements(found)["Shop"]["children"] == ["Shop-Web"]


@pytest.mark.parametrize(
    "broken",
    ["x = nothing here", "a -> nowhere", "!include other.dsl", "= person", 'container "Out"', "person", "}{"],
)
def test_a_broken_line_costs_itself(broken: str) -> None:
    found = read(f'workspace {{\nmodel {{\na = person "A"\n{broken}\nb = person "B"\n}}\n}}')
    assert not found.whole
    assert min(line for line, _ in told(found)) in {4, 5, 6}
    assert "A" in names(found)
    if broken != "}{":
        assert names(found) == {"A", "B"}


def test_a_text_without_elements_is_refused() -> None:
    with pytest.raises(Unreadable, match="expected a workspace with a model"):
        read("workspace {\n}")


@pytest.mark.parametrize(
    "text",
    [SHOP, "workspace {\n  model {\n  }\n}", '# x\n!const A "b"\nworkspace "A" "b" {\n\nmodel {\n}\n}'],
)
def test_it_is_recognized_by_its_first_words(text: str) -> None:
    assert recognized(text) == "structurizr"


@pytest.mark.parametrize(
    "text", ["workspace of three people {", '{"model": {}, "views": {}}', "The workspace {has} a model {"]
)
def test_other_texts_are_not_taken_for_it(text: str) -> None:
    with pytest.raises(Unreadable):
        recognized(text)


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        ('"Shows the shop."', '"Shows all."', [("updateNode", "Shop-Web")]),
        ('"Reads" "SQL"', '"Asks" "SQL"', [("updateEdge", "Shop-Web--Shop-Database")]),
        (
            'group "Front"',
            'group "Outside"',
            [("createFrame", "group-Shop-Outside"), ("deleteElement", "group-Shop-Front")],
        ),
        ("#eeeeff", "#ffffff", []),
    ],
)
def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change(
    old: str, new: str, ops: list[tuple[str, str]]
) -> None:
    stored = read(SHOP).document
    source = SourceIdentity("structurizr", "")
    assert synchronize(stored, read(SHOP).document, source, whole=True).ops == ()
    elements(stored)["Customer"]["style"] = {"fill": "#ffeeaa"}
    done = synchronize(stored, read(SHOP.replace(old, new)).document, source, whole=True)
    assert {(op["op"], op["id"]) for op in done.ops if op["op"] != "reparentElement"} >= set(ops)
    batch = apply_operations(stored, done.ops)
    assert batch.succeeded
    assert elements(batch.document)["Customer"]["style"] == {"fill": "#ffeeaa"}


def test_a_source_that_multiplies_itself_is_refused() -> None:
    nodes = "\n".join('deploymentNode "N" {\ncontainerInstance a\ncontainerInstance b\n}' for _ in range(900))
    system = 's = softwareSystem "S" {\na = container "A"\nb = container "B"\na -> b\n}'
    with pytest.raises(TooLarge):
        model(f'{system}\ne = deploymentEnvironment "E" {{\n{nodes}\n}}', "deployment s e { include * }")


def test_elements_of_one_name_are_numbered() -> None:
    found = model("a = person A\nb = softwareSystem A {\nc = container C\n}\nd = softwareSystem A\na -> b\na -> d")
    assert [row.code for row in validate(found.document) if row.severity is Severity.ERROR] == []
    ids = [one["metadata"]["source"]["id"] for one in found.document["elements"]]
    assert ids == ["A", "A #2", "A #3", "A -> A #2", "A -> A #3"]


def test_a_link_that_is_no_valid_address_costs_itself() -> None:
    found = model('a = person A {\nurl "https://exa mple.com"\n}\nb = person B {\nurl "https://example.com"\n}')
    assert [elements(found)[key].get("link") for key in "AB"] == [None, {"href": "https://example.com"}]
    assert ["is left out: it is no valid address" in str(row.data) for row in found.diagnostics] == [True]


VIEWS = """\
workspace {
    model {
        c = person "Customer"
        s = softwareSystem "Shop" {
            w = container "Web" "" "" "Front"
            d = container "Data"
            w -> d "Reads" "SQL" "Slow"
        }
        c -> w "Buys"
        live = deploymentEnvironment "Live" {
            deploymentNode "Host" {
                containerInstance w
                containerInstance d
            }
        }
    }
    views {
        systemContext s "Context" {
            include *
        }
        container s "Containers" {
            include *
        }
        filtered "Containers" exclude "Slow" "Quick"
        filtered "Containers" include "Front,Person,Relationship" "Front"
        dynamic s "Buying" {
            c -> w "Clicks"
            w -> d "Asks"
        }
        deployment s live {
            include *
        }
        container s {
            include w
        }
    }
}
"""


def seen(view: str, text: str = VIEWS) -> tuple[set[str], list[str]]:
    """The names of the nodes of a view, and the labels of its lines."""
    found = read_source(Text(text=text, view=view))
    rows = found.document["elements"]
    nodes = {row["label"].partition("\n")[0] for row in rows if row["kind"] == "node"}
    return nodes, [row["label"].partition("\n")[0] for row in rows if row["kind"] == "edge"]


def test_a_view_is_chosen_by_its_key() -> None:
    assert seen("Context") == ({"Customer", "Shop"}, ["Buys"])
    assert seen("Containers") == ({"Customer", "Web", "Data"}, ["Reads", "Buys"])
    assert seen("Buying") == ({"Customer", "Web", "Data"}, ["1: Clicks", "2: Asks"])


def test_a_filtered_view_shows_what_has_its_tags_or_what_has_none() -> None:
    assert seen("Quick") == ({"Customer", "Web", "Data"}, ["Buys"])
    assert seen("Front") == ({"Customer", "Web"}, ["Buys"])


def test_views_without_a_key_are_numbered_by_their_kind_as_by_structurizr() -> None:
    assert seen("Deployment-001") == ({"Web", "Data"}, ["Reads"])
    assert seen("Container-001") == ({"Web"}, [])


def test_an_unknown_key_is_refused_with_the_keys_that_there_are() -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Text(text=VIEWS, view="Kontext"))
    assert "Context, Containers, Quick, Front, Buying, Deployment-001, Container-001" in refused.value.hint
    with pytest.raises(Unreadable, match="It has none"):
        read_source(Text(text='workspace {\nmodel {\na = person "A"\n}\n}', view="x"))


def test_a_filtered_view_of_json_is_read_as_well() -> None:
    person = {"id": "1", "name": "Ann", "tags": "Person"}
    system = {"id": "2", "name": "Shop", "tags": "Software System,Old"}
    base = {"key": "All", "elements": [{"id": "1"}, {"id": "2"}], "relationships": []}
    views = {
        "systemLandscapeViews": [base],
        "filteredViews": [{"key": "New", "baseViewKey": "All", "mode": "Exclude", "tags": ["Old"]}],
    }
    text = json.dumps({"name": "w", "model": {"people": [person], "softwareSystems": [system]}, "views": views})
    assert seen("All", text) == ({"Ann", "Shop"}, [])
    assert seen("New", text) == ({"Ann"}, [])


def test_a_sync_keeps_the_view_of_the_import_until_another_is_asked_for() -> None:
    stored = read_source(Text(text=VIEWS, view="Buying")).document
    assert kept_view(stored, "") == "Buying"
    assert kept_view(stored, "other") is None
    identity = SourceIdentity("structurizr", "")
    same = read_source(Text(text=VIEWS, kept_view="Buying"))
    assert synchronize(stored, same.document, identity, whole=True).ops == ()
    other = read_source(Text(text=VIEWS, view="Context", kept_view="Buying"))
    after = apply_operations(stored, synchronize(stored, other.document, identity, whole=True).ops).document
    assert kept_view(after, "") == "Context"
    keys = [{row["metadata"]["source"]["id"] for row in one["elements"]} for one in (after, other.document)]
    assert keys[0] == keys[1]
    assert synchronize(after, other.document, identity, whole=True).ops == ()


def test_a_view_of_a_format_without_views_is_told() -> None:
    found = read_source(Text(text="flowchart LR\n a --> b", view="x"))
    assert told(found) == [(1, "the view 'x' is not chosen, because a source of the format mermaid has none")]
