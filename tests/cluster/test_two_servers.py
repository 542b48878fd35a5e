"""Two server processes on one PostgreSQL and one Redis behave as one."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
from chaos.scenes import document, signature_of, signed
from chaos.writers import check_history, check_storm, storm, write_for
from load_cluster import KINDS, load
from local_servers.service import Service
from tests.cluster.conftest import BURST, PER_MINUTE, Cluster
from tests.servers import not_installed

DELETIONS_A_MINUTE = 10
HITS = "scenograph_picture_cache_hits_total "


def created(cluster: Cluster, scene_id: str) -> None:
    status, said = cluster.one.call("POST", "/v1/scenes", document(scene_id))
    assert status == 201, said


def apply(caller: Any, scene_id: str, base: int, signature: str, **headers: str) -> tuple[int, dict[str, Any]]:
    return caller.call("POST", f"/v1/scenes/{scene_id}/applyOps", signed(scene_id, base, signature), **headers)


def test_what_one_server_keeps_the_other_reads_edits_and_lists(cluster: Cluster, scene_id: str) -> None:
    created(cluster, scene_id)
    assert apply(cluster.other, scene_id, 1, "by the other")[0] == 200
    status, read = cluster.one.call("GET", f"/v1/scenes/{scene_id}")
    assert (status, read["revision"], signature_of(read["scene"])) == (200, 2, "by the other")
    assert cluster.other.call("GET", "/v1/scenes")[1]["items"][0]["sceneId"] == scene_id
    assert cluster.one.call("POST", "/v1/scenes", document(scene_id))[1]["code"] == "scene_exists"


def test_a_base_that_was_won_on_one_server_is_lost_on_the_other(cluster: Cluster, scene_id: str) -> None:
    created(cluster, scene_id)
    assert apply(cluster.one, scene_id, 1, "first")[0] == 200
    status, said = apply(cluster.other, scene_id, 1, "second")
    assert (status, said["code"]) == (409, "revision_conflict")
    assert (said["currentRevision"], said["changedElementIds"]) == (2, ["a"])


def test_a_request_repeated_at_the_other_server_is_carried_out_once(cluster: Cluster, scene_id: str) -> None:
    once = {"Idempotency-Key": f"once-{scene_id}"}
    first = cluster.one.call("POST", "/v1/scenes", document(scene_id), **once)
    assert first[0] == 201
    assert cluster.other.call("POST", "/v1/scenes", document(scene_id), **once) == first
    again = {"Idempotency-Key": f"again-{scene_id}"}
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda caller: apply(caller, scene_id, 1, "x", **again), (cluster.one, cluster.other)))
    assert answers[0] == answers[1]
    assert (answers[0][0], answers[0][1]["revision"]) == (200, 2)
    assert apply(cluster.other, scene_id, 1, "y", **again)[1]["code"] == "idempotency_mismatch"


def test_ten_deletions_a_minute_are_counted_on_both_servers_together(second_owner: Cluster, scene_id: str) -> None:
    for number in range(DELETIONS_A_MINUTE + 1):
        created(second_owner, f"{scene_id}-{number}")
    answers = [
        caller.call("DELETE", f"/v1/scenes/{scene_id}-{number}")
        for number, caller in enumerate([second_owner.one, second_owner.other] * 5)
    ]
    assert [status for status, _ in answers] == [200] * DELETIONS_A_MINUTE
    for caller in (second_owner.other, second_owner.one):
        status, said = caller.call("DELETE", f"/v1/scenes/{scene_id}-{DELETIONS_A_MINUTE}")
        assert (status, said["code"]) == (429, "rate_limited")
    listed = second_owner.other.call("GET", "/v1/deleted-scenes")[1]["items"]
    assert len(listed) == DELETIONS_A_MINUTE
    assert second_owner.other.call("POST", f"/v1/scenes/{scene_id}-0/undelete")[0] == 200


def test_a_caller_has_one_rate_limit_on_both_servers(cluster: Cluster) -> None:
    began = time.monotonic()
    address = {"X-Forwarded-For": "192.0.2.7", "Authorization": ""}  # a key would count for its owner
    answers = [
        caller.call("GET", "/v1/icons?q=database&limit=1", **address)[0]
        for _ in range(BURST)
        for caller in (cluster.one, cluster.other)
    ]
    refilled = math.ceil((time.monotonic() - began) * PER_MINUTE / 60)
    assert set(answers) == {200, 429}
    assert BURST <= answers.count(200) <= BURST + refilled


def test_a_scene_hidden_on_one_server_is_gone_from_the_other_at_once(cluster: Cluster, scene_id: str) -> None:
    created(cluster, scene_id)
    assert cluster.one.call("POST", f"/v1/scenes/{scene_id}/publish")[0] == 200
    for _ in range(2):
        assert cluster.other.call("GET", f"/v1/public/scenes/{scene_id}")[0] == 200
    assert cluster.one.call("POST", f"/v1/scenes/{scene_id}/make-private")[0] == 200
    assert cluster.other.call("GET", f"/v1/public/scenes/{scene_id}")[0] == 404
    assert cluster.one.call("GET", f"/v1/public/scenes/{scene_id}")[0] == 404


def test_a_key_revoked_on_one_server_opens_nothing_on_the_other(cluster: Cluster, numbers: Any) -> None:
    _, made = cluster.one.call("POST", "/v1/auth/keys", {"name": f"short-lived {next(numbers)}"})
    key = {"Authorization": f"Bearer {made['key']}"}
    assert cluster.other.call("GET", "/v1/scenes", **key)[0] == 200
    assert cluster.one.call("DELETE", f"/v1/auth/keys/{made['id']}")[0] == 200
    assert cluster.other.call("GET", "/v1/scenes", **key)[1]["code"] == "invalid_api_key"


def test_writers_on_both_servers_lose_nothing_and_a_storm_has_one_winner(cluster: Cluster) -> None:
    urls = [server.url for server in cluster.servers]
    assert check_history(write_for(1, urls, "crowded", writers=16), urls, "crowded") > 1
    check_storm(storm(urls, "stormy", callers=60), urls, "stormy")


def test_both_servers_draw_a_history_alike_whoever_computes_its_places(cluster: Cluster, scene_id: str) -> None:
    created(cluster, scene_id)
    for base, caller in enumerate((cluster.other, cluster.one, cluster.other), start=1):
        node = {"op": "createNode", "id": f"n{base}", "label": f"Node {base}"}
        batch = {"schemaVersion": "0.1", "sceneId": scene_id, "baseRevision": base, "ops": [node]}
        assert caller.call("POST", f"/v1/scenes/{scene_id}/applyOps", batch)[0] == 200
    with ThreadPoolExecutor(2) as pool:
        pictures = list(
            pool.map(lambda caller: caller.call("POST", f"/v1/scenes/{scene_id}/render"), (cluster.one, cluster.other))
        )
    assert pictures[0] == pictures[1]
    assert pictures[0][0] == 200
    for revision in range(1, 5):
        path = f"/v1/scenes/{scene_id}?computed=true&revision={revision}"
        assert cluster.one.call("GET", path) == cluster.other.call("GET", path)


def hits_of(server: Service) -> float:
    told = httpx2.get(f"{server.url}/metrics", timeout=30).text
    return sum(float(line.split()[1]) for line in told.splitlines() if line.startswith(HITS))


def test_a_picture_that_one_server_drew_the_other_need_not_draw(cluster: Cluster, scene_id: str) -> None:
    created(cluster, scene_id)
    drawn = cluster.one.call("POST", f"/v1/scenes/{scene_id}/render")
    before = hits_of(cluster.servers[1])
    assert cluster.other.call("POST", f"/v1/scenes/{scene_id}/render") == drawn
    assert hits_of(cluster.servers[1]) == before + 1
    assert apply(cluster.one, scene_id, 1, "changed")[0] == 200
    assert cluster.other.call("POST", f"/v1/scenes/{scene_id}/render")[1]["output"] != drawn[1]["output"]


def test_of_three_servers_behind_a_proxy_one_may_be_killed_and_no_edit_is_lost() -> None:
    try:
        loaded = load(4, callers=4)
    except FileNotFoundError:
        not_installed("nginx-light")
    assert {call.kind for call in loaded.calls if call.began > loaded.killed_at and call.status == 200} == set(KINDS)
    assert loaded.edits > 1


def test_both_servers_are_ready_and_have_logged_nothing_worth_a_warning(cluster: Cluster) -> None:
    for server, caller in zip(cluster.servers, (cluster.one, cluster.other), strict=True):
        assert caller.call("GET", "/ready") == (200, {"status": "ready"})
        assert server.log.read_text() == ""
