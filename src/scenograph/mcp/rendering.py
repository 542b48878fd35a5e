"""The render tool: a stored scene or a document, as SVG text or as a PNG for the model.

Output (R-TOOL-6): SVG has `mimeType` and `content`; the base64 content of a PNG is its image block, repeated in
`content` only with `asData`. A payload beyond the limit is removed; in place of an oversized SVG the model sees a PNG.
A scene whose labels would be too small in an image is shown with as few frames folded as needed, and the answer names
candidates for a focus.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from mcp_types import ResourceLink

from scenograph.late_dataclasses import replace
from scenograph.mcp.answers import ImageBlock, ToolAnswer, fits
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.outlines import frames_of, fullest_first, hubs_of
from scenograph.mcp.pictures import LONG_SIDE, DrawnPicture, draw_png
from scenograph.mcp.refusals import remark_lines

SVG, PNG = "image/svg+xml", "image/png"
READABLE = 0.6
"""At a smaller scale labels of 14 px can hardly be read."""

LEAST_LABEL = 5.0
"""Px: below it, the smallest letters of an image LONG_SIDE px long are mended by folding frames."""

LETTERS = re.compile(r'<[^<>]*\sfont-size="([\d.]+)"')

MOST_NAMED = 8
FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")
FONTLESS = "Its fonts are left out here; with them: asData true, or the file by dsp_export_scene with format svg."
OF_STORED = ("diffFromRevision", "revision", "asOf")
FOR_PNG = {
    "scale": "scale is for png; an SVG has no size of its own and can be shown at any.",
}


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
    for name in (name for name in OF_STORED if name in arguments and "scene" in arguments):
        raise Wrong(f"{name} names a revision of a stored scene; it goes with sceneId, not with scene.")
    return await _rendered(api, _target(api, arguments), arguments)


async def render_document(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A picture of a document, for callers without a key."""
    return await _rendered(api, _target(api, arguments), arguments)


async def _rendered(api: Api, target: _Target, arguments: Mapping[str, Any]) -> ToolAnswer:
    scale = arguments.get("scale", 1.0)
    if arguments.get("format", "svg") == "png":
        return await _png(api, target, scale, as_data=arguments.get("asData", False))
    unmet = [said for name, said in FOR_PNG.items() if name in arguments]
    return await _svg(api, target, unmet, whole=arguments.get("asData", api.key is None))


def _target(api: Api, arguments: Mapping[str, Any]) -> _Target:
    names = ("theme", "scene", "view", "revision", "asOf")
    request: dict[str, Any] = {name: arguments[name] for name in names if name in arguments}
    if "diffFromRevision" in arguments:
        request["diff"] = {"fromRevision": arguments["diffFromRevision"]}
    scene_id = arguments.get("sceneId")
    path = f"/v1/scenes/{scene_id}/render" if scene_id else "/v1/scenes/render"
    if scene_id is None:
        return _Target(path, request, "Render a part of it with view, or keep it and use dsp_export_scene.", None)
    uri = f"{api.resource(scene_id)}/picture.svg"
    link = ResourceLink(uri=uri, name=f"{scene_id}.svg", mime_type=SVG, description="The full picture.")
    return _Target(path, request, f"The full picture: dsp_export_scene, or the resource {uri}.", link, scene_id)


async def _svg(api: Api, target: _Target, unmet: list[str], *, whole: bool) -> ToolAnswer:
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    content = output["content"] if whole else FONT.sub("", output["content"])
    if len(content) < len(output["content"]):
        unmet = [*unmet, FONTLESS]
    answer = ToolAnswer(
        text=f"SVG, {output['width']:g} × {output['height']:g} px. To look at it, render with format png.",
        structured={
            "mimeType": SVG,
            "content": content,
            **_rest(output["width"], output["height"], reply.get("diagnostics")),
        },
        payload=("content",),
        copied="content",
        source=target.source,
        link=target.link,
        remarks=[*unmet, *remark_lines(reply.get("diagnostics") or [])],
    )
    if fits(answer):
        return answer
    try:
        drawn = await draw_png(api, target.path, target.request)
    except Refusal:  # the picture is an extra: the answer tells the SVG's place even without
        return answer
    shown = " Shown as a PNG instead." if drawn.picture else ""
    return replace(answer, text=f"{answer.text}{shown}", picture=drawn.picture)


async def _png(api: Api, target: _Target, scale: float, *, as_data: bool) -> ToolAnswer:
    drawn, said = await _seen(api, target, scale)
    picture = drawn.picture
    content = {"content": picture.data} if picture and as_data else {}
    sizes = (picture.width, picture.height) if picture else (None, None)
    return ToolAnswer(
        text=said,
        structured={"mimeType": PNG, **content, "scale": drawn.scale, **_rest(*sizes, drawn.diagnostics)},
        payload=("content",),
        source=target.source,
        picture=picture,
        remarks=remark_lines(drawn.diagnostics),
    )


async def _seen(
    api: Api, target: _Target, scale: float = 1.0, first: Mapping[str, Any] | None = None
) -> tuple[DrawnPicture, str]:
    """The picture for the model, of a too large scene with its frames folded, and its description. Raises Refusal."""
    drawn = await draw_png(api, target.path, target.request, scale=scale, first=first)
    closer = ""
    if drawn.picture is None or drawn.scale < min(READABLE, scale):
        document = await _document(api, target)
        view = cast("Mapping[str, Any]", target.request.get("view", {}))
        opened = [*view.get("focus", ()), *view.get("crop", ())]
        frames = frames_of(document, opened)
        frames = [name for name in frames if name not in view.get("collapse", ())]
        closer = _closer("frames", frames) or _closer("nodes", hubs_of(document, opened))
        if frames and (drawn.picture is None or not await _is_legible(api, target)):
            folded, target = await _overview(api, target, fullest_first(document, frames))
            drawn = await draw_png(api, target.path, target.request, scale=scale)
            closer = f" An overview: frames are folded ({len(folded)} of {len(frames)}).{_closer('frames', folded)}"
    return drawn, f"{_png_text(drawn, scale)}{closer}"


class WriteLook(NamedTuple):
    """The picture of a written revision for the model, the words about it, and its diagnostics."""

    picture: ImageBlock | None
    remarks: tuple[str, ...]
    diagnostics: list[dict[str, Any]]


async def look_at(api: Api, reply: Mapping[str, Any]) -> WriteLook:
    """The look that comes with a write, from the write's reply to a request for a PNG. A picture that cannot be had is
    told in words: the write stands."""
    rows = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
    failed = next((row for row in rows if row.get("code") == "RENDER_FAILED"), None)
    if "output" not in reply or (failed and "megapixels" not in str(failed.get("message"))):
        return WriteLook(None, (), rows)
    target = _target(api, {"sceneId": reply["sceneId"], "revision": reply["revision"]})
    try:
        drawn, said = await _seen(api, target, first=None if failed else reply)
    except Refusal as refusal:
        return WriteLook(None, (f"There is no picture: {refusal.sentence}",), rows)
    rows = [row for row in rows if row is not failed]
    return WriteLook(drawn.picture, (said,), [*rows, *(row for row in drawn.diagnostics if row not in rows)])


async def _document(api: Api, target: _Target) -> Mapping[str, Any]:
    if target.scene_id is None:
        return cast("Mapping[str, Any]", target.request["scene"])
    try:
        wanted = {name: target.request[name] for name in ("revision", "asOf") if name in target.request}
        reply = await api.get(f"/v1/scenes/{target.scene_id}", wanted)
    except Refusal:  # read only for suggestions of a next focus
        return {}
    found: Any = reply.get("scene")
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


async def _overview(api: Api, target: _Target, frames: list[str]) -> tuple[list[str], _Target]:
    """As few of the frames as must be folded, the first ones, and the target with them folded; all where even that is
    not legible."""
    fewest, most = 1, len(frames)
    while fewest < most:
        middle = (fewest + most) // 2
        if await _is_legible(api, _folded(target, frames[:middle])):
            most = middle
        else:
            fewest = middle + 1
    return frames[:most], _folded(target, frames[:most])


def _folded(target: _Target, frames: list[str]) -> _Target:
    view = cast("Mapping[str, Any]", target.request.get("view", {}))
    view = {**view, "collapse": [*view.get("collapse", ()), *frames]}
    return target._replace(request={**target.request, "view": view})


async def _is_legible(api: Api, target: _Target) -> bool:
    """Whether an image LONG_SIDE px long has letters of LEAST_LABEL px or more."""
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    smallest = min(map(float, LETTERS.findall(output["content"])), default=LEAST_LABEL)
    scale = min(LONG_SIDE / max(output["width"], output["height"]), 1.0)
    return smallest * output.get("scale", 1.0) * scale >= LEAST_LABEL


def _closer(kind: str, ids: list[str]) -> str:
    if not ids:
        return ""
    names = ids[:MOST_NAMED]
    return f" To look closer: view {json.dumps({'focus': [names[0]], 'depth': 1})}; {kind}: {', '.join(names)}."


def _png_text(drawn: DrawnPicture, asked: float) -> str:
    if drawn.picture is None:
        return "The page is larger than an image can show. dsp_get_scene with view outline lists what is in it."
    size = f"PNG, {drawn.picture.width:g} × {drawn.picture.height:g} px"
    reduced = f", {drawn.scale:g} of its size" if drawn.scale < asked == 1 else ""
    if drawn.scale < asked != 1:
        reduced = (
            f" at scale {drawn.scale:g} instead of {asked:g}: an image here is at most {LONG_SIDE} px long and 1 MB; "
            "dsp_export_scene gives the file at any scale"
        )
    return f"{size}{reduced}. Look at it: is every label readable, no line through a box, nothing lopsided?"


def _rest(width: Any, height: Any, diagnostics: Any) -> dict[str, Any]:
    sizes = {} if width is None else {"width": width, "height": height}
    return {**sizes, "diagnostics": diagnostics or []}
