"""The render tool: a stored scene or a document, as SVG text or as a PNG that the model sees.

Output (specification: "Tool-protocol operations"): SVG has `mimeType` and `content`; PNG has the base64 `content`
beside an image block. A payload beyond the limit is left out, with the address of the full picture; of an SVG beyond
it the model is shown a PNG instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

from mcp_types import ResourceLink

from scenograph.mcp.answers import Answer, fits
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.pictures import Drawn, draw_png
from scenograph.mcp.refusals import remark_lines

SVG, PNG = "image/svg+xml", "image/png"


class _Target(NamedTuple):
    """Where a picture is asked for, with what, and how somebody else gets it."""

    path: str
    request: Mapping[str, Any]
    source: str
    link: ResourceLink | None


async def render_scene(api: Api, arguments: Mapping[str, Any]) -> Answer:
    """A picture of exactly one of `sceneId` and `scene`."""
    given = [name for name in ("sceneId", "scene") if name in arguments]
    if len(given) != 1:
        raise Wrong(
            f"Give exactly one of sceneId (a stored scene) and scene (a whole document); {len(given) or 'none'} "
            f"{'was' if not given else 'were'} given."
        )
    if "scene" in arguments and "diffFromRevision" in arguments:
        raise Wrong("diffFromRevision compares revisions of a stored scene; it goes with sceneId, not with scene.")
    return await _rendered(api, _target(api, arguments), arguments.get("format", "svg"))


async def render_document(api: Api, arguments: Mapping[str, Any]) -> Answer:
    """A picture of a document, for callers without a key."""
    return await _rendered(api, _target(api, arguments), arguments.get("format", "svg"))


async def _rendered(api: Api, target: _Target, wanted: str) -> Answer:
    return await (_png(api, target) if wanted == "png" else _svg(api, target))


def _target(api: Api, arguments: Mapping[str, Any]) -> _Target:
    request: dict[str, Any] = {name: arguments[name] for name in ("theme", "scene") if name in arguments}
    if "diffFromRevision" in arguments:
        request["diff"] = {"fromRevision": arguments["diffFromRevision"]}
    scene_id = arguments.get("sceneId")
    path = f"/v1/scenes/{scene_id}/render" if scene_id else "/v1/scenes/render"
    key = "the API key" if scene_id else "no key"
    body = "the same scene" if scene_id is None else f"the body {json.dumps(request)}"
    source = f"The full picture: POST {body} to {api.address}{path} with Accept: {SVG} or {PNG} and {key}"
    if scene_id is None or request:
        return _Target(path, request, f"{source}.", None)
    uri = f"scene://{scene_id}/picture.svg"
    link = ResourceLink(uri=uri, name=f"{scene_id}.svg", mime_type=SVG, description="The full picture.")
    return _Target(path, request, f"{source}; or read the resource {uri}.", link)


async def _svg(api: Api, target: _Target) -> Answer:
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    answer = Answer(
        text=f"SVG, {output['width']:g} × {output['height']:g} px. To look at it, render with format png.",
        structured={
            "mimeType": SVG,
            "content": output["content"],
            **_rest(output["width"], output["height"], reply.get("diagnostics")),
        },
        payload=("content",),
        copied="content",
        source=target.source,
        link=target.link,
        remarks=remark_lines(reply.get("diagnostics") or []),
    )
    if fits(answer):
        return answer
    try:
        drawn = await draw_png(api, target.path, target.request)
    except Refusal:  # the picture is an extra: without it the answer still says where the SVG is
        return answer
    shown = "Shown as a PNG instead." if drawn.picture else "Too large to be shown as an image as well."
    return replace(answer, text=f"{answer.text} {shown}", picture=drawn.picture)


async def _png(api: Api, target: _Target) -> Answer:
    drawn = await draw_png(api, target.path, target.request)
    picture = drawn.picture
    content = {"content": picture.data} if picture else {}
    sizes = (picture.width, picture.height) if picture else (None, None)
    return Answer(
        text=_png_text(drawn) if picture else f"{_png_text(drawn)} {target.source}",
        structured={"mimeType": PNG, **content, "scale": drawn.scale, **_rest(*sizes, drawn.diagnostics)},
        payload=("content",),
        source=target.source,
        link=target.link,
        picture=picture,
        remarks=remark_lines(drawn.diagnostics),
    )


def _png_text(drawn: Drawn) -> str:
    if drawn.picture is None:
        return (
            "The scene is too large to be shown as one image. Render it as svg, or split it into several scenes and "
            "look at each."
        )
    size = f"PNG, {drawn.picture.width:g} × {drawn.picture.height:g} px"
    reduced = f", reduced to {drawn.scale:g} of its size" if drawn.scale < 1 else ""
    return f"{size}{reduced}. Look at the image: is every label readable, no line through a box, nothing lopsided?"


def _rest(width: Any, height: Any, diagnostics: Any) -> dict[str, Any]:
    sizes = {} if width is None else {"width": width, "height": height}
    return {**sizes, "diagnostics": diagnostics or []}
