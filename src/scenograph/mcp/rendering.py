"""The render tool: a stored scene or a document, as SVG text or as a PNG for the model.

Output (R-TOOL-6): SVG has `mimeType` and `content`; the base64 content of a PNG is its image block, repeated in
`content` only with `asData`. A payload beyond the limit is removed; in place of an oversized SVG the model sees a PNG.
A scene too large for a single image is shown with its frames folded, and the answer names candidates for a focus.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from mcp_types import ResourceLink

from scenograph.late_dataclasses import replace
from scenograph.mcp.answers import ToolAnswer, fits
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.outlines import frames_of
from scenograph.mcp.pictures import DrawnPicture, draw_png
from scenograph.mcp.refusals import remark_lines

SVG, PNG = "image/svg+xml", "image/png"
READABLE = 0.6
"""At a smaller scale labels of 14 px can hardly be read."""

MOST_FRAMES = 8


class _Target(NamedTuple):
    """The route and body of a picture's request, and its source for other readers."""

    path: str
    request: Mapping[str, Any]
    source: str
    link: ResourceLink | None
    scene_id: str | None = None


async def render_scene(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A picture of exactly one of `sceneId` and `scene`."""
    given = [name for name in ("sceneId", "scene") if name in arguments]
    if len(given) != 1:
        raise Wrong(
            f"Give exactly one of sceneId (a stored scene) and scene (a whole document); {len(given) or 'none'} "
            f"{'was' if not given else 'were'} given."
        )
    if "scene" in arguments and "diffFromRevision" in arguments:
        raise Wrong("diffFromRevision compares revisions of a stored scene; it goes with sceneId, not with scene.")
    return await _rendered(api, _target(arguments), arguments)


async def render_document(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A picture of a document, for callers without a key."""
    return await _rendered(api, _target(arguments), arguments)


async def _rendered(api: Api, target: _Target, arguments: Mapping[str, Any]) -> ToolAnswer:
    if arguments.get("format", "svg") == "png":
        return await _png(api, target, as_data=arguments.get("asData", False))
    return await _svg(api, target)


def _target(arguments: Mapping[str, Any]) -> _Target:
    request: dict[str, Any] = {name: arguments[name] for name in ("theme", "scene", "view") if name in arguments}
    if "diffFromRevision" in arguments:
        request["diff"] = {"fromRevision": arguments["diffFromRevision"]}
    scene_id = arguments.get("sceneId")
    path = f"/v1/scenes/{scene_id}/render" if scene_id else "/v1/scenes/render"
    if scene_id is None:
        return _Target(path, request, "Render a part of it with view, or keep it and use dsp_export_scene.", None)
    uri = f"scene://{scene_id}/picture.svg"
    link = ResourceLink(uri=uri, name=f"{scene_id}.svg", mime_type=SVG, description="The full picture.")
    return _Target(path, request, f"The full picture: dsp_export_scene, or the resource {uri}.", link, scene_id)


async def _svg(api: Api, target: _Target) -> ToolAnswer:
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    answer = ToolAnswer(
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
    except Refusal:  # the picture is an extra: the answer tells the SVG's place even without
        return answer
    shown = " Shown as a PNG instead." if drawn.picture else ""
    return replace(answer, text=f"{answer.text}{shown}", picture=drawn.picture)


async def _png(api: Api, target: _Target, *, as_data: bool) -> ToolAnswer:
    drawn = await draw_png(api, target.path, target.request)
    closer = ""
    if drawn.picture is None or drawn.scale < READABLE:
        document = await _document(api, target)
        closer = _closer(frames_of(document))
        if drawn.picture is None and frames_of(document):
            drawn = await _overview(api, target, document)
    picture = drawn.picture
    content = {"content": picture.data} if picture and as_data else {}
    sizes = (picture.width, picture.height) if picture else (None, None)
    return ToolAnswer(
        text=f"{_png_text(drawn)}{closer}",
        structured={"mimeType": PNG, **content, "scale": drawn.scale, **_rest(*sizes, drawn.diagnostics)},
        payload=("content",),
        source=target.source,
        picture=picture,
        remarks=remark_lines(drawn.diagnostics),
    )


async def _document(api: Api, target: _Target) -> Mapping[str, Any]:
    if target.scene_id is None:
        return cast("Mapping[str, Any]", target.request["scene"])
    try:
        reply = await api.get(f"/v1/scenes/{target.scene_id}")
    except Refusal:  # read only for suggestions of a next focus
        return {}
    found: Any = reply.get("scene")
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


async def _overview(api: Api, target: _Target, document: Mapping[str, Any]) -> DrawnPicture:
    """The same with every outer frame folded."""
    view = {**target.request.get("view", {}), "collapse": frames_of(document)}
    return await draw_png(api, target.path, {**target.request, "view": view})


def _closer(frames: list[str]) -> str:
    names = frames[:MOST_FRAMES] or ["<id>"]
    more = f"; frames: {', '.join(names)}" if frames else ""
    return f" To look closer: view {json.dumps({'focus': [names[0]], 'depth': 1})}{more}."


def _png_text(drawn: DrawnPicture) -> str:
    if drawn.picture is None:
        return "The page is larger than an image can show. dsp_get_scene with view outline lists what is in it."
    size = f"PNG, {drawn.picture.width:g} × {drawn.picture.height:g} px"
    reduced = f", {drawn.scale:g} of its size" if drawn.scale < 1 else ""
    return f"{size}{reduced}. Look at it: is every label readable, no line through a box, nothing lopsided?"


def _rest(width: Any, height: Any, diagnostics: Any) -> dict[str, Any]:
    sizes = {} if width is None else {"width": width, "height": height}
    return {**sizes, "diagnostics": diagnostics or []}
