"""The worst requests of every endpoint, by what their caller needs: nothing, a key, a stored scene, a published one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from worst.bodies import BODIES, document, within, written

HARD_TO_READ = ("ends that are unknown", "a key twice at the end", "empty arrays", "waypoints of many edges")
MOST_NODES, MOST_OPERATIONS, MOST_LINES = 5_000, 400, 2_000


class Asked(NamedTuple):
    """One request, for how large it counts, and whether later ones are about what it makes."""

    name: str
    method: str
    path: str
    body: bytes = b""
    counts_as: int = 0
    others_need_it: bool = False
    headers: Mapping[str, str] = MappingProxyType({})


def of_anyone(size: int) -> Iterator[Asked]:
    """What needs no key."""
    for name, body in BODIES.items():
        yield Asked(f"validate: {name}", "POST", "/v1/scenes/validate", body(size))
    for name in HARD_TO_READ:
        made = BODIES[name](size)
        yield Asked(f"render: {name}", "POST", "/v1/scenes/render", b'{"scene":' + made + b"}")
        yield Asked(f"normalize: {name}", "POST", "/v1/scenes/normalize", made)
        yield Asked(f"import: {name}", "POST", "/v1/scenes/import", made)
        yield Asked(f"accounts: {name}", "POST", "/v1/accounts", made)
    source = written({"format": "mermaid", "source": _flow(size)})
    yield Asked("import: mermaid", "POST", "/v1/scenes/import", source)
    for title, address in {
        "icons: all": "/v1/icons",
        "icons: words": "/v1/icons?q=" + "a%20" * 60,
        "openapi": "/openapi.json",
        "schemas: scene": "/schemas/scene.schema.json",
        "docs": "/docs",
        "metrics": "/metrics",
        "studio": "/",
    }.items():
        yield Asked(title, "GET", address)


def of_an_account(size: int) -> Iterator[Asked]:
    """What needs a key."""
    for name, body in BODIES.items():
        yield Asked(f"create: {name}", "POST", "/v1/scenes", body(size))
    for name in HARD_TO_READ:
        yield Asked(f"keys: {name}", "POST", "/v1/auth/keys", BODIES[name](size))
    yield Asked("listings: scenes by words", "GET", "/v1/scenes?q=stor&limit=100")


def stored(name: str, size: int) -> dict[str, Any]:
    """A valid scene of that many bytes, or of as many nodes as there may be."""
    node = {"kind": "node", "metadata": {"a": [[], [], []] * 20}}
    filling = ({"id": f"{'n' * 12}{n:04d}", "label": f"Some words {n} " * 3, **node} for n in range(MOST_NODES))
    scene = document(within(size - 2_000, filling))
    scene["scene"] = {**scene["scene"], "id": name}
    return scene


def about(name: str, size: int, counts_as: int, revision: int) -> Iterator[Asked]:
    """What is about a stored scene, and leaves it at its revision, but for the restoration."""
    path = f"/v1/scenes/{name}"
    sync = {"format": "mermaid", "source": _flow(size), "baseRevision": revision, "dryRun": True}
    yield Asked("sync: mermaid", "POST", f"{path}/sync", written(sync), counts_as)
    yield Asked("diff: all revisions", "GET", f"{path}/diff?from=1", counts_as=counts_as)
    restoration = written({"revision": 1, "baseRevision": revision})
    yield Asked("restore: the first", "POST", f"{path}/restore", restoration, counts_as)
    yield Asked("read: a scene", "GET", path, counts_as=counts_as)
    yield Asked("listings: revisions", "GET", f"{path}/revisions?limit=100")
    problem = written({"problem": "x", "anonymize": True})
    yield Asked("support: masked", "POST", f"{path}/support", problem, counts_as)


def of_a_reader(url: str, name: str, counts_as: int) -> Iterator[Asked]:
    """The faces of a published scene."""
    for part, address in (("page", ""), ("embed", "/embed"), ("svg", ".svg"), ("preview", "/preview.png")):
        yield Asked(f"pages: {part}", "GET", f"/s/{name}{address}", counts_as=counts_as)
    yield Asked("pages: JSON", "GET", f"/v1/public/scenes/{name}", counts_as=counts_as)
    yield Asked("pages: oembed", "GET", f"/oembed?url={url}/s/{name}", counts_as=counts_as)


def batches(ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Batches of operations on elements of these ids, by what they do; each is small beside the scene that it is
    about."""
    some = ids[: min(MOST_OPERATIONS, len(ids))]
    gone, left = some[: len(some) // 2], some[len(some) // 2 :]
    return {
        "a label": [{"op": "setText", "id": some[0], "text": "First"}],
        "styles that are unknown": [{"op": "setStyle", "id": one, "styleId": f"{'s' * 40}{one}"} for one in some],
        "elements that are unknown": [{"op": "setText", "id": f"{one}x", "text": "x"} for one in some],
        "operations that are unknown": [{"op": f"creatNode{one}", "id": one} for one in some],
        "moves": [{"op": "moveElement", "id": one, "delta": {"dx": 10, "dy": 0}} for one in some],
        "deletions": [{"op": "deleteElement", "id": one} for one in gone],
        "a group of many": [{"op": "groupElements", "id": "g", "children": left}],
    }


def batch(name: str, revision: int, title: str, ops: Sequence[Mapping[str, Any]], counts_as: int) -> Asked:
    """One batch of operations on a stored scene."""
    body = {"schemaVersion": "0.1", "sceneId": name, "baseRevision": revision, "ops": ops}
    return Asked(f"applyOps: {title}", "POST", f"/v1/scenes/{name}/applyOps", written(body), counts_as)


def _flow(size: int) -> str:
    return "flowchart LR\n" + "\n".join(f"  a{n}[Node {n}] --> b{n}" for n in range(min(MOST_LINES, size // 40)))
