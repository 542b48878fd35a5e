"""Every published limit, one below, at and one above it: the last is refused with its name or number, and nothing is
stored; the others are taken.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

from local_servers.calling import Caller

from chaos.scenes import document, require
from scenograph.scene.limits import LIMITS

CODES = {"LIMIT_EXCEEDED", "OUT_OF_RANGE", "TOO_LONG"}
STORED = "limited"
Make = Callable[[int], dict[str, Any]]
A = {"id": "a", "kind": "node"}


class Row(NamedTuple):
    """A limit, and a document that holds so much of it; a batch of operations where `of_batch`."""

    name: str
    make: Make
    of_batch: bool = False


class Found(NamedTuple):
    """How many limits were tried, how often something was taken, and how often refused."""

    limits: int
    taken: int
    refused: int


def with_elements(*elements: dict[str, Any], **root: Any) -> dict[str, Any]:
    """A document of these."""
    return document("tried") | {"elements": list(elements)} | root


def with_operations(*operations: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A batch of these on the scene that is stored."""
    return {"schemaVersion": "0.1", "sceneId": STORED, "baseRevision": 1, "ops": list(operations), **more}


def styled(**style: Any) -> dict[str, Any]:
    """A node of a style."""
    return with_elements(A | {"style": style})


def nested(depth: int) -> dict[str, Any]:
    """Frames inside one another."""
    frames = [{"id": f"f{level}", "kind": "frame", "children": [f"f{level + 1}"]} for level in range(depth)]
    frames[-1]["children"] = []
    return with_elements(*frames)


def worded(count: int) -> dict[str, Any]:
    """Nodes with labels of so many characters together."""
    each = LIMITS.label_length
    lengths = [each] * (count // each) + [count % each]
    return with_elements(*({"id": f"n{at}", "kind": "node", "label": "x" * one} for at, one in enumerate(lengths)))


def picture(width: int, size: int | None = None) -> dict[str, Any]:
    """An image of so many pixels in a row, or of `size` bytes."""
    rows = zlib.compress(bytes(1 + (width + 7) // 8))
    head = struct.pack(">IIBBBBB", width, 1, 1, 0, 0, 0, 0)
    before, after = _chunk(b"IHDR", head), _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
    signature = b"\x89PNG\r\n\x1a\n"
    padding = b"" if size is None else _chunk(b"teXt", bytes(size - len(signature + before + after) - 12))
    data = base64.b64encode(signature + before + padding + after).decode()
    image = {"id": "i", "kind": "image", "assetId": "p", "layout": {"width": 10, "height": 10}}
    return with_elements(image, assets={"p": {"mimeType": "image/png", "data": data}})


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


ROWS: tuple[Row, ...] = (
    Row("elements", lambda n: with_elements(*({"id": f"n{at}", "kind": "node"} for at in range(n)))),
    Row(
        "constraints",
        lambda n: with_elements(
            A,
            {"id": "b", "kind": "node"},
            constraints=[{"id": f"c{at}", "type": "sameSize", "elements": ["a", "b"]} for at in range(n)],
        ),
    ),
    Row("ports", lambda n: with_elements(A | {"ports": [{"id": f"p{at}"} for at in range(n)]})),
    Row(
        "columns",
        lambda n: with_elements(
            A | {"nodeType": "er.entity", "extensions": {"columns": [{"name": f"c{at}"} for at in range(n)]}}
        ),
    ),
    Row("id_length", lambda n: with_elements({"id": "i" * n, "kind": "node"})),
    Row("label_length", lambda n: with_elements(A | {"label": "x" * n})),
    Row("text_length", worded),
    Row("brief_length", lambda n: with_elements(A, brief="x" * n)),
    Row("title_length", lambda n: with_elements(A, scene=document("tried")["scene"] | {"title": "x" * n})),
    Row("legend_entries", lambda n: with_elements(A, legend={"entries": [{"label": f"l{at}"} for at in range(n)]})),
    Row("dash_items", lambda n: styled(dash=[1] * n)),
    Row("nesting", nested),
    Row("coordinate", lambda n: with_elements(A | {"layout": {"x": n, "y": 0}})),
    Row("size", lambda n: with_elements(A | {"layout": {"width": n}})),
    Row("stroke_width", lambda n: styled(strokeWidth=n)),
    Row("font_size", lambda n: styled(fontSize=n)),
    Row("image_bytes", lambda n: picture(1, n)),
    Row("image_pixels", picture),
    Row(
        "operations",
        lambda n: with_operations(*({"op": "updateNode", "id": "a", "label": str(at)} for at in range(n))),
        of_batch=True,
    ),
    Row(
        "message_length",
        lambda n: with_operations({"op": "updateNode", "id": "a", "label": "x"}, message="m" * n),
        of_batch=True,
    ),
)
# Of how many values a batch rewrites there is no plain document; how many remarks an answer has is no limit of input.
NOT_TRIED = {"batch_values", "diagnostics"}


def try_limits(url: str) -> Found:
    """Try them on a server. Broken where a limit is not what is published."""
    published = {row.name for row in LIMITS.rows()}
    require({row.name for row in ROWS} == published - NOT_TRIED, "a limit is published that nobody tries")
    taken = refused = 0
    with Caller(url) as caller:
        for row in ROWS:
            limit = getattr(LIMITS, row.name)
            for count in (limit - 1, limit, limit + 1):
                codes = _answered(caller, row, count)
                if count > limit:
                    require(codes & CODES, f"{row.name}: {count} are taken, {limit} are allowed; {codes}")
                    refused += 1
                else:
                    require(not codes, f"{row.name}: {count} are refused, {limit} are allowed; {codes}")
                    taken += 1
    return Found(len(ROWS), taken, refused)


def _answered(caller: Caller, row: Row, count: int) -> set[str]:
    """The codes of the errors."""
    body = row.make(count)
    if not row.of_batch:
        status, said = caller.call("POST", "/v1/scenes/validate", body)
        require(status == 200, f"{row.name}: validation was answered {status} {said}")
        return _errors(said)
    caller.call("POST", "/v1/scenes", document(STORED))
    revision = caller.call("GET", f"/v1/scenes/{STORED}")[1]["revision"]
    status, said = caller.call("POST", f"/v1/scenes/{STORED}/applyOps", body | {"baseRevision": revision})
    after = caller.call("GET", f"/v1/scenes/{STORED}")[1]["revision"]
    require(after - revision == (status == 200), f"{row.name}: {status}, and {after - revision} revisions were made")
    return _errors(said)


def _errors(said: dict[str, Any]) -> set[str]:
    return {problem["code"] for problem in said.get("diagnostics", []) if problem["severity"] == "error"}
