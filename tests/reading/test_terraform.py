"""Plans and states of Terraform: resources by module and network, what is folded and what never leaves them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from scenograph.engine.icons import KnownIcons
from scenograph.reading.readers import Import, read_source, recognized
from scenograph.reading.source import Source as Text
from scenograph.reading.source import Unreadable
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.synchronizing import SourceIdentity, synchronize

Json = dict[str, Any]


def block(address: str, *, count: int = 1, values: Json | None = None, **references: list[str]) -> Json:
    """A resource of a configuration, with the values of its instances."""
    mode, _, own = (
        ("data", "", address.removeprefix("data.")) if address.startswith("data.") else ("managed", "", address)
    )
    kind, _, name = own.partition(".")
    depends_on = references.pop("depends_on", [])
    expressions = {attribute: {"references": rows} for attribute, rows in references.items()}
    return {
        "count": count,
        "values": values or {},
        "said": {"mode": mode, "type": kind, "name": name, "expressions": expressions, "depends_on": depends_on},
    }


def plan(*blocks: Json, modules: Mapping[str, Json] | None = None, **root: object) -> str:
    """A plan as `terraform show -json` writes it. A module has `blocks`, `outputs` and `arguments`."""
    calls = modules or {}
    values = {"resources": [*_values(blocks)], "child_modules": [_inner(name, call) for name, call in calls.items()]}
    configured = {
        "resources": [one["said"] for one in blocks],
        "module_calls": {name: _call(call) for name, call in calls.items()},
    }
    said = {"planned_values": {"root_module": values}, "configuration": {"root_module": configured}}
    return json.dumps({"format_version": "1.2", "terraform_version": "1.9.0", **said, **root}, indent=1)


def _values(blocks: Iterable[Json], prefix: str = "") -> Iterable[Json]:
    for one in blocks:
        for index in range(one["count"]):
            said = {name: one["said"][name] for name in ("mode", "type", "name")}
            end = f"[{index}]" if one["count"] > 1 else ""
            yield {"address": f"{prefix}{said['type']}.{said['name']}{end}", **said, "values": one["values"]}


def _inner(name: str, call: Json) -> Json:
    return {"address": f"module.{name}", "resources": [*_values(call["blocks"], f"module.{name}.")]}


def _call(call: Json) -> Json:
    return {
        "expressions": {name: {"references": rows} for name, rows in call.get("arguments", {}).items()},
        "module": {
            "resources": [one["said"] for one in call["blocks"]],
            "outputs": {name: {"expression": {"references": rows}} for name, rows in call.get("outputs", {}).items()},
        },
    }


NETWORK: Json = {
    "blocks": [
        block("aws_vpc.main", values={"cidr_block": "10.0.0.0/16"}),
        block("aws_subnet.public", count=2, vpc_id=["aws_vpc.main.id", "aws_vpc.main"]),
        block("aws_subnet.private", count=2, vpc_id=["aws_vpc.main.id", "aws_vpc.main"]),
        block("aws_internet_gateway.this", vpc_id=["aws_vpc.main.id", "aws_vpc.main"]),
        block("aws_eip.nat", values={"domain": "vpc"}),
        block("aws_nat_gateway.this", allocation_id=["aws_eip.nat.id"], subnet_id=["aws_subnet.public[0].id"]),
        block("aws_route_table.private", vpc_id=["aws_vpc.main.id"]),
        block(
            "aws_route.nat", route_table_id=["aws_route_table.private.id"], nat_gateway_id=["aws_nat_gateway.this.id"]
        ),
        block(
            "aws_route_table_association.private",
            count=2,
            route_table_id=["aws_route_table.private.id"],
            subnet_id=["aws_subnet.private", "count.index"],
        ),
    ],
    "outputs": {"private_subnets": ["aws_subnet.private"], "vpc": ["aws_vpc.main.id", "aws_vpc.main"]},
}
SHOP = plan(
    block("aws_lb.web", values={"load_balancer_type": "application"}, security_groups=["aws_security_group.web.id"]),
    block("aws_lb_target_group.web", vpc_id=["module.network.vpc", "module.network"]),
    block(
        "aws_lb_listener.http",
        default_action=["aws_lb_target_group.web.arn"],
        load_balancer_arn=["aws_lb.web.arn"],
    ),
    block("aws_security_group.web", vpc_id=["module.network.vpc", "module.network"]),
    block("aws_security_group.db", vpc_id=["module.network.vpc", "module.network"]),
    block(
        "aws_security_group_rule.db",
        security_group_id=["aws_security_group.db.id"],
        source_security_group_id=["aws_security_group.web.id"],
    ),
    block(
        "aws_instance.web",
        count=3,
        values={"instance_type": "t3.small", "user_data": "s3cr3t"},
        ami=["data.aws_ami.linux.id"],
        iam_instance_profile=["aws_iam_instance_profile.web.name"],
        subnet_id=["module.network.private_subnets", "module.network"],
        vpc_security_group_ids=["aws_security_group.web.id"],
    ),
    block(
        "aws_lb_target_group_attachment.web",
        target_group_arn=["aws_lb_target_group.web.arn"],
        target_id=["aws_instance.web", "count.index"],
    ),
    block("aws_iam_role.web"),
    block("aws_iam_instance_profile.web", role=["aws_iam_role.web.name"]),
    block("aws_iam_policy.read"),
    block("aws_iam_role_policy_attachment.web", role=["aws_iam_role.web.name"], policy_arn=["aws_iam_policy.read.arn"]),
    block("data.aws_ami.linux"),
    block("aws_db_subnet_group.db", subnet_ids=["module.network.private_subnets", "module.network"]),
    block(
        "aws_db_instance.db",
        values={"engine": "postgres", "instance_class": "db.t3.micro", "password": "s3cr3t"},
        db_subnet_group_name=["aws_db_subnet_group.db.name"],
        vpc_security_group_ids=["aws_security_group.db.id"],
    ),
    modules={"network": NETWORK},
)


def raw(*blocks: tuple[str, list[str], Json], **root: object) -> str:
    """A raw state: addresses with what they depend on and their attributes."""
    rows: list[Json] = []
    for address, depends_on, attributes in blocks:
        module, _, own = address.rpartition("/")
        kind, _, name = own.partition(".")
        instance = {"attributes": attributes, "dependencies": depends_on}
        said = {"mode": "managed", "type": kind, "name": name, "instances": [instance]}
        rows.append({"module": module, **said} if module else said)
    return json.dumps({"version": 4, "terraform_version": "1.9.0", "resources": rows, **root}, indent=1)


def planned(text: str) -> Import:
    return read_source(Text(text=text, icons=KnownIcons()), "terraform")


def elements(found: Import | Json) -> dict[str, Json]:
    document = found.document if isinstance(found, Import) else found
    return {one["metadata"]["source"]["id"]: one for one in document["elements"]}


def lines(found: Import) -> list[str]:
    return sorted(name for name, one in elements(found).items() if one["kind"] == "edge")


def held(found: Import, frame: str) -> list[str]:
    names = {one["id"]: name for name, one in elements(found).items()}
    return sorted(names[child] for child in elements(found)[frame]["children"])


def told(found: Import) -> list[str]:
    return [row.data["what"] for row in found.diagnostics if row.data]


def test_resources_are_nodes_with_their_type_and_the_number_of_their_instances() -> None:
    here = elements(planned(SHOP))
    assert here["aws_instance.web"]["label"] == "web\naws_instance\nt3.small\n3 instances"
    assert (here["aws_instance.web"]["nodeType"], here["aws_instance.web"]["icon"]) == ("service", "aws:ec2")
    assert here["aws_db_instance.db"]["label"] == "db\naws_db_instance\ndb.t3.micro\npostgres"
    assert here["aws_db_instance.db"]["nodeType"] == "database"
    assert here["aws_security_group.web"]["shape"] == "rect"


def test_modules_networks_and_subnets_are_frames() -> None:
    found = planned(SHOP)
    assert elements(found)["module.network"]["title"] == "network"
    assert elements(found)["module.network.aws_vpc.main"]["title"] == "main, 10.0.0.0/16"
    assert held(found, "module.network") == ["module.network.aws_eip.nat", "module.network.aws_vpc.main"]
    assert held(found, "module.network.aws_vpc.main") == [
        "module.network.aws_internet_gateway.this",
        "module.network.aws_route_table.private",
        "module.network.aws_subnet.private",
        "module.network.aws_subnet.public",
    ]
    assert held(found, "module.network.aws_subnet.public") == ["module.network.aws_nat_gateway.this"]


def test_lines_run_from_a_resource_to_what_it_needs_through_modules_and_what_is_folded() -> None:
    assert lines(planned(SHOP)) == [
        "aws_db_instance.db -> aws_security_group.db",
        "aws_db_instance.db -> module.network.aws_subnet.private",
        "aws_iam_role.web -> aws_iam_policy.read",
        "aws_instance.web -> aws_iam_role.web",
        "aws_instance.web -> aws_security_group.web",
        "aws_instance.web -> module.network.aws_subnet.private",
        "aws_lb.web -> aws_lb_target_group.web",
        "aws_lb.web -> aws_security_group.web",
        "aws_lb_target_group.web -> aws_instance.web",
        "aws_lb_target_group.web -> module.network.aws_vpc.main",
        "aws_security_group.db -> aws_security_group.web",
        "aws_security_group.db -> module.network.aws_vpc.main",
        "aws_security_group.web -> module.network.aws_vpc.main",
        "module.network.aws_nat_gateway.this -> module.network.aws_eip.nat",
        "module.network.aws_route_table.private -> module.network.aws_nat_gateway.this",
        "module.network.aws_subnet.private -> module.network.aws_route_table.private",
    ]


def test_variables_lead_out_of_a_module_and_a_module_may_be_needed_as_a_whole() -> None:
    text = plan(
        block("aws_s3_bucket.logs"),
        block("aws_sqs_queue.jobs", depends_on=["module.app"]),
        modules={
            "app": {
                "arguments": {"bucket": ["aws_s3_bucket.logs.id", "aws_s3_bucket.logs"]},
                "blocks": [block("aws_lambda_function.run", environment=["var.bucket", "local.name"])],
            }
        },
    )
    found = planned(text)
    assert lines(found) == [
        "aws_sqs_queue.jobs -> module.app",
        "module.app.aws_lambda_function.run -> aws_s3_bucket.logs",
    ]
    assert told(found) == ["references through local values are not known (1)"]


def test_data_that_a_plan_only_configures_is_led_through() -> None:
    text = json.loads(plan(block("aws_sns_topic.t"), block("aws_lb.l", subnets=["data.aws_subnets.all.ids"])))
    data = block("data.aws_subnets.all", filter=["aws_sns_topic.t.id"])["said"]
    text["configuration"]["root_module"]["resources"].append(data)
    assert lines(planned(json.dumps(text))) == ["aws_lb.l -> aws_sns_topic.t"]


STATE = [
    ("aws_vpc.main", [], {"id": "vpc-1234"}),
    ("aws_subnet.a", ["aws_vpc.main"], {"id": "subnet-1", "vpc_id": "vpc-1234"}),
    ("aws_security_group.web", ["aws_vpc.main"], {"id": "sg-12345"}),
    ("aws_instance.web", ["aws_security_group.web", "aws_subnet.a", "aws_vpc.main"], {"id": "i-123456"}),
    ("aws_ebs_volume.disk", [], {"id": "vol-1234"}),
    (
        "aws_volume_attachment.disk",
        ["aws_ebs_volume.disk", "aws_instance.web", "aws_security_group.web", "aws_subnet.a", "aws_vpc.main"],
        {"volume_id": "vol-1234", "instance_id": "i-123456"},
    ),
]


def test_a_state_has_the_direct_relations_alone() -> None:
    found = planned(raw(*STATE))
    assert lines(found) == ["aws_instance.web -> aws_ebs_volume.disk", "aws_instance.web -> aws_security_group.web"]
    assert held(found, "aws_subnet.a") == ["aws_instance.web"]
    assert held(found, "aws_vpc.main") == ["aws_security_group.web", "aws_subnet.a"]


def test_a_state_that_show_writes_is_read_as_the_raw_one() -> None:
    resources = [
        {"mode": "managed", "type": kind, "name": name, "values": values, "depends_on": depends_on}
        for address, depends_on, values in STATE
        for kind, _, name in [address.partition(".")]
    ]
    inner = {"address": 'module.a["x"]', "resources": [{"mode": "managed", "type": "null_resource", "name": "n"}]}
    root = {"resources": resources, "child_modules": [inner]}
    found = planned(json.dumps({"format_version": "1.0", "values": {"root_module": root}}))
    assert lines(found) == lines(planned(raw(*STATE)))
    assert held(found, "module.a") == ["module.a.null_resource.n"]


def test_dependencies_in_a_circle_and_of_older_states_within_their_module_are_lines() -> None:
    found = planned(
        raw(
            ("module.a/null_resource.x", ["null_resource.y"], {}),
            ("module.a/null_resource.y", ["module.a.null_resource.x", "module.gone.null_resource.z"], {}),
            ("module.a.module.b/null_resource.z", [], {}),
        )
    )
    one, other = "module.a.null_resource.x", "module.a.null_resource.y"
    assert lines(found) == [f"{one} -> {other}", f"{other} -> {one}"]
    assert held(found, "module.a") == ["module.a.module.b", one, other]


def test_what_is_folded_or_not_drawn_is_told_by_type() -> None:
    changes = [{"mode": "managed", "type": "a", "name": "b", "change": {"actions": ["delete"]}}]
    text = json.loads(SHOP) | {"resource_changes": changes}
    text["planned_values"]["outputs"] = {"url": {"sensitive": False, "value": "s3cr3t"}}
    found = planned(json.dumps(text))
    assert sorted(told(found)) == [
        "aws_db_subnet_group (1): folded into what it belongs to",
        "aws_iam_instance_profile (1): folded into what it belongs to",
        "aws_iam_role_policy_attachment (1): folded into what it belongs to",
        "aws_lb_listener (1): folded into what it belongs to",
        "aws_lb_target_group_attachment (1): folded into what it belongs to",
        "aws_route (1): folded into what it belongs to",
        "aws_route_table_association (1): folded into what it belongs to",
        "aws_security_group_rule (1): folded into what it belongs to",
        "data.aws_ami (1): not drawn",
        "outputs (1): not drawn",
        "resources that the plan removes (1): not drawn",
    ]
    assert found.whole


def test_an_attachment_without_an_owner_is_drawn() -> None:
    found = planned(plan(block("aws_iam_role_policy_attachment.far", values={"role": "far"})))
    assert [*elements(found)] == ["aws_iam_role_policy_attachment.far"]


@pytest.mark.parametrize(
    "text",
    [
        SHOP,
        plan(block("aws_instance.a", values={"tags": {"x": "s3cr3t"}, "ami": "s3cr3t"}), variables={"v": "s3cr3t"}),
        json.dumps(
            {
                "format_version": "1.0",
                "values": {
                    "root_module": {
                        "resources": [
                            {
                                **block("aws_instance.a")["said"],
                                "values": {"instance_type": "s3cr3t"},
                                "sensitive_values": {"instance_type": True},
                            }
                        ]
                    }
                },
            }
        ),
        json.dumps(
            json.loads(plan(block("aws_instance.a", values={"instance_type": "s3cr3t"})))
            | {
                "resource_changes": [
                    {
                        **block("aws_instance.a")["said"],
                        "change": {"actions": ["create"], "after_sensitive": {"instance_type": True}},
                    }
                ]
            }
        ),
        raw(("aws_instance.a", [], {"instance_type": "s3cr3t"})).replace(
            '"dependencies"',
            '"sensitive_attributes": [[{"type": "get_attr", "value": "instance_type"}]], "dependencies"',
        ),
        json.dumps(
            {
                "format_version": "1.0",
                "values": {"root_module": {"resources": ["s3cr3t", {"type": "s3cr3t!"}, block("aws_eip.a")["said"]]}},
            }
        ),
    ],
)
def test_secrets_come_into_no_scene_and_no_diagnostic(text: str) -> None:
    found = planned(text)
    assert "s3cr3t" in text
    assert "s3cr3t" not in json.dumps(found.document)
    assert "s3cr3t" not in str(found.diagnostics)


@pytest.mark.parametrize("marks", ["instance_type", {}, [[]], [1], [[{"type": "get_attr", "value": None}]]])
def test_marks_of_a_state_that_are_not_understood_hide_all_values_of_the_resource(marks: object) -> None:
    said = json.loads(raw(("aws_instance.a", [], {"instance_type": "s3cr3t"})))
    said["resources"][0]["instances"][0]["sensitive_attributes"] = marks
    assert "s3cr3t" not in json.dumps(planned(json.dumps(said)).document)


@pytest.mark.parametrize("marks", [True, [], ["instance_type"], "instance_type", {"instance_type": None}])
@pytest.mark.parametrize("is_change", [False, True])
def test_marks_of_a_plan_that_are_not_understood_hide_all_values_of_the_resource(
    marks: object, *, is_change: bool
) -> None:
    said = json.loads(plan(block("aws_instance.a", values={"instance_type": "s3cr3t"})))
    row = said["planned_values"]["root_module"]["resources"][0]
    if is_change:
        said["resource_changes"] = [{**row, "change": {"after_sensitive": marks}}]
    else:
        row["sensitive_values"] = marks
    assert "s3cr3t" not in json.dumps(planned(json.dumps(said)).document)


@pytest.mark.parametrize(
    "broken",
    [
        {"resources": [{"mode": "managed", "type": "A B", "name": "c"}]},
        {"resources": 1},
        {"resources": ["s3cr3t"]},
        {"child_modules": [{"address": "x"}]},
    ],
)
def test_a_broken_part_costs_itself_and_keeps_a_sync_from_removing(broken: Json) -> None:
    text = json.loads(plan(block("aws_vpc.main")))
    text["planned_values"]["root_module"]["child_modules"] = [{"address": "module.a", **broken}]
    found = planned(json.dumps(text, indent=1))
    assert "aws_vpc.main" in elements(found)
    assert not found.whole
    assert found.diagnostics[0].data is not None
    assert found.diagnostics[0].data["line"] > 1


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (SHOP, "terraform"),
        (raw(*STATE), "terraform"),
        ('{"version": 3, "terraform_version": "0.11.0", "modules": []}', None),
        ('{"format_version": "1.0"}', None),
        ('{"format_version": "0.2", "projects": []}', None),
        ('resource "aws_vpc" "main" {\n}\n', None),
        ("The format_version is 1.0, planned_values: none.", None),
    ],
)
def test_plans_and_states_are_recognized_and_nothing_else(text: str, form: str | None) -> None:
    if form is not None:
        assert recognized(text) == form
        return
    with pytest.raises(Unreadable):
        recognized(text)


def test_an_empty_state_and_another_text_are_refused() -> None:
    with pytest.raises(Unreadable, match="resources that are drawn"):
        planned(raw())
    with pytest.raises(Unreadable, match="terraform show -json"):
        planned('resource "aws_vpc" "main" {\n}\n')


def test_an_unchanged_source_syncs_to_nothing_and_one_change_is_that_change() -> None:
    source = SourceIdentity("terraform", "")
    changes = {
        ("t3.small", "t3.large"): [("updateNode", "aws_instance.web")],
        ("data.aws_ami.linux.id", "aws_eip.x.id"): [],
        ("aws_iam_policy.read.arn", "gone.x.arn"): [("deleteElement", "aws_iam_role.web -> aws_iam_policy.read")],
        ("10.0.0.0/16", "10.1.0.0/16"): [("updateFrame", "module.network.aws_vpc.main")],
    }
    for (old, new), ops in changes.items():
        assert old in SHOP
        stored = planned(SHOP).document
        assert synchronize(stored, planned(SHOP).document, source, whole=True).ops == ()
        elements(stored)["aws_lb.web"]["style"] = {"fill": "#ffeeaa"}
        names = {one["id"]: name for name, one in elements(stored).items()}
        done = synchronize(stored, planned(SHOP.replace(old, new)).document, source, whole=True)
        assert [(op["op"], names[op["id"]]) for op in done.ops] == ops
        batch = apply_operations(stored, done.ops)
        assert batch.succeeded
        assert elements(batch.document)["aws_lb.web"]["style"] == {"fill": "#ffeeaa"}
