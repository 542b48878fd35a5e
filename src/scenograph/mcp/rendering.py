"""The tools that draw: a picture for a model, and a stored scene as a file in any format."""

from __future__ import annotations

import base64
import errno
import json
import math
import os
import re
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from mcp_types import BlobResourceContents, ContentBlock, EmbeddedResource, ResourceLink, TextResourceContents

from scenograph.late_dataclasses import replace
from scenograph.mcp.answers import ImageBlock, ToolAnswer, fits, remark_lines
from scenograph.mcp.api_client import Api, Refusal
from scenograph.mcp.inputs import Wrong
from scenograph.mcp.outlines import frames_of, fullest_first, hubs_of
from scenograph.operating_system import OPENS_WITHIN_FOLDERS
from scenograph.wire.formats import FORMATS, Format, readers_of
from scenograph.wire.names import MIN_SCALE

# Pictures for models: a PNG with at most 1568 px on its long side and at most 1 MB of base64. The first request is at
# scale 1; a picture beyond a limit is requested again, smaller. The service's file is passed on unchanged.

LONG_SIDE = 1568
MAX_BASE64 = 1_000_000
_MOST_TRIES = 4
LEAST_PAGE = 64  # px; the least side of a page
ROOM = 0.9  # bytes do not shrink quite as fast as pixels
_UNWISHED = "ASPECT_RATIO_MISSED"  # of a page that the caller did not ask for
_TOO_MANY_PIXELS = "invalid_request"


class DrawnPicture(NamedTuple):
    """The service's drawing: the picture if within the limits, its scale, and the remarks."""

    picture: ImageBlock | None
    scale: float
    diagnostics: list[dict[str, Any]]


async def draw_png(
    api: Api, path: str, request: Mapping[str, Any], *, scale: float = 1.0, first: Mapping[str, Any] | None = None
) -> DrawnPicture:
    """The PNG of a render request at `scale`, or as large as the limits allow. `first` is a reply with this picture at
    scale 1, if there is one already. Raises Refusal."""
    diagnostics, reply = list[dict[str, Any]](), first
    for attempt in range(_MOST_TRIES):
        try:
            reply = reply or await api.post(path, {**request, "format": "png", "scale": scale})
        except Refusal as refusal:
            # A page beyond the pixel limit is refused; drawn small it reports its size. Other faults stay faults.
            if refusal.code != _TOO_MANY_PIXELS or attempt or "megapixels" not in refusal.sentence:
                raise
            scale = MIN_SCALE
            continue
        output = cast("dict[str, Any]", reply["output"])
        diagnostics = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
        picture = ImageBlock(output["contentBase64"], output["width"], output["height"])
        better = _better_scale(picture, scale, tried=attempt)
        if better is None:
            return DrawnPicture(picture, scale, diagnostics)
        if better < MIN_SCALE:
            return await _on_page(api, path, request, picture)
        scale, reply = better, None
    return DrawnPicture(None, scale, diagnostics)


async def _on_page(api: Api, path: str, request: Mapping[str, Any], picture: ImageBlock) -> DrawnPicture:
    """The picture on a page of its own shape and LONG_SIDE, smaller than any scale allows; none beyond MAX_BASE64."""
    factor = LONG_SIDE / max(picture.width, picture.height)
    width, height = (max(round(side * factor), LEAST_PAGE) for side in (picture.width, picture.height))
    asked = request.get("view", {})
    view = {**asked, "page": {"width": width, "height": height}}
    reply = await api.post(path, {**request, "view": view, "format": "png"})
    output = cast("dict[str, Any]", reply["output"])
    rows = cast("list[dict[str, Any]]", reply.get("diagnostics") or [])
    diagnostics = [row for row in rows if row.get("code") != _UNWISHED or {"page", "aspectRatio"} & {*asked}]
    small = ImageBlock(output["contentBase64"], output["width"], output["height"])
    return DrawnPicture(small if len(small.data) <= MAX_BASE64 else None, float(output["scale"]), diagnostics)


def _better_scale(picture: ImageBlock, scale: float, *, tried: int) -> float | None:
    """The next scale to try, or None for a fitting picture."""
    longest = max(picture.width, picture.height)
    by_side = LONG_SIDE / longest
    by_size = math.sqrt(MAX_BASE64 / len(picture.data)) * ROOM
    if longest > LONG_SIDE or len(picture.data) > MAX_BASE64:
        wanted = scale * min(by_side, by_size if len(picture.data) > MAX_BASE64 else 1.0)
        return math.floor(wanted * 1000) / 1000
    grown_too_small = scale == MIN_SCALE and tried == 1 and by_side > 1
    return math.floor(min(scale * by_side, 1.0) * 1000) / 1000 if grown_too_small else None


# The render tool: a stored scene or a document, as SVG text or as a PNG for the model.
#
# Output (R-TOOL-6): SVG has `mimeType` and `content`; the base64 content of a PNG is its image block, repeated in
# `content` only with `asData`. A payload beyond the limit is removed; in place of an oversized SVG the model sees a
# PNG. A scene whose labels would be too small in an image is shown with as few frames folded as needed, and the answer
# names candidates for a focus.

SVG_TYPE, PNG_TYPE = "image/svg+xml", "image/png"
READABLE = 0.6
"""At a smaller scale labels of 14 px can hardly be read."""

_LEAST_LABEL = 5.0
"""Px: below it, the smallest letters of an image LONG_SIDE px long are mended by folding frames."""

LETTERS = re.compile(r'<[^<>]*\sfont-size="([\d.]+)"')

MOST_NAMED = 8
FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_FONTLESS = "Its fonts are left out here; with them: asData true, or the file by dsp_export_scene with format svg."
_OF_STORED = ("diffFromRevision", "revision", "asOf")
_FOR_PNG = {
    "scale": "scale is for png; an SVG has no size of its own and can be shown at any.",
}


class _Target(NamedTuple):
    """The route and body of a picture's request, and the picture's source for people."""

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
    for name in (name for name in _OF_STORED if name in arguments and "scene" in arguments):
        raise Wrong(f"{name} names a revision of a stored scene; it goes with sceneId, not with scene.")
    return await _rendered(api, _target(api, arguments), arguments)


async def render_document(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A picture of a document, for callers without a key."""
    return await _rendered(api, _target(api, arguments), arguments)


async def _rendered(api: Api, target: _Target, arguments: Mapping[str, Any]) -> ToolAnswer:
    scale = arguments.get("scale", 1.0)
    if arguments.get("format", "svg") == "png":
        return await _png(api, target, scale, as_data=arguments.get("asData", False))
    unmet = [said for name, said in _FOR_PNG.items() if name in arguments]
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
    link = ResourceLink(uri=uri, name=f"{scene_id}.svg", mime_type=SVG_TYPE, description="The full picture.")
    return _Target(path, request, f"The full picture: dsp_export_scene, or the resource {uri}.", link, scene_id)


async def _svg(api: Api, target: _Target, unmet: list[str], *, whole: bool) -> ToolAnswer:
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    content = output["content"] if whole else FONT.sub("", output["content"])
    if len(content) < len(output["content"]):
        unmet = [*unmet, _FONTLESS]
    answer = ToolAnswer(
        text=f"SVG, {output['width']:g} × {output['height']:g} px. To look at it, render with format png.",
        structured={
            "mimeType": SVG_TYPE,
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
        structured={"mimeType": PNG_TYPE, **content, "scale": drawn.scale, **_rest(*sizes, drawn.diagnostics)},
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
    """The fewest first frames to fold, and the target with these folded; all frames if even then the picture is not
    legible."""
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
    """Whether an image LONG_SIDE px long has letters of _LEAST_LABEL px or more."""
    reply = await api.post(target.path, {**target.request, "format": "svg"})
    output = cast("dict[str, Any]", reply["output"])
    smallest = min(map(float, LETTERS.findall(output["content"])), default=_LEAST_LABEL)
    scale = min(LONG_SIDE / max(output["width"], output["height"]), 1.0)
    return smallest * output.get("scale", 1.0) * scale >= _LEAST_LABEL


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


# The export tool: a stored scene as a file in any format.
#
# Over stdio the file may be written below the operator's folder. Otherwise it is embedded in the answer or, if large,
# linked as a resource of this server.

OPTIONS = ("scale", "theme", "view")
MOST_EMBEDDED = 12_000
"""Characters of a file that comes with the answer: a model pays for each, and reads nothing in most."""


class ExportedFile(NamedTuple):
    """An exported file: its text, or its bytes as base64; `size` in words, empty for a format without dimensions."""

    form: Format
    text: str
    diagnostics: list[dict[str, Any]]
    size: str

    @property
    def content(self) -> bytes:
        """The file's bytes."""
        return base64.b64decode(self.text) if self.form.binary else self.text.encode("utf-8")


async def exported(api: Api, scene_id: str, name: str, options: Mapping[str, Any]) -> ExportedFile:
    """A stored scene in a format. Raises Refusal."""
    form = FORMATS[name]
    reply = await api.post(f"/v1/scenes/{scene_id}/render", {"format": name, **options})
    output = cast("dict[str, Any]", reply["output"])
    content: Any = output["contentBase64"] if form.binary else output["content"]
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return ExportedFile(
        form, text, cast("list[dict[str, Any]]", reply.get("diagnostics") or []), _size(output, options)
    )


def _size(output: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Width and height of a picture in px, and the requested scale."""
    if not {"width", "height"} <= output.keys():
        return ""
    scale = f" at scale {options['scale']:g}" if "scale" in options else ""
    return f", {output['width']:g} × {output['height']:g} px{scale}"


async def export_scene(api: Api, arguments: Mapping[str, Any]) -> ToolAnswer:
    """A file: written to a path, with the answer, or linked."""
    scene_id, name, path = arguments["sceneId"], arguments["format"], arguments.get("path")
    place = None if path is None else place_of(api.export_dir, path, FORMATS[name])
    options = {option: arguments[option] for option in OPTIONS if option in arguments}
    file = await exported(api, scene_id, name, options)
    structured: dict[str, Any] = {"mimeType": file.form.media_type, "bytes": len(file.content)}
    uri = _address(api.resource(scene_id), name, options)
    files: tuple[ContentBlock, ...] = ()
    if place is not None:
        write_new(place, file.content)
        structured["path"] = str(place)
        said = f"Wrote {place}"
    elif len(file.text) <= MOST_EMBEDDED:
        said, files = f"{scene_id}{file.form.suffix} comes as a resource", (_embedded(uri, file),)
    else:
        link = ResourceLink(uri=uri, name=f"{scene_id}{file.form.suffix}", mime_type=file.form.media_type)
        said, files = f"Give the user this link: {uri}", (link,)
    return ToolAnswer(
        text=f"{said}: {file.form.title} {len(file.content)} bytes{file.size}.",
        structured={**structured, "diagnostics": file.diagnostics},
        remarks=[*_unmet(FORMATS[name], options), *remark_lines(file.diagnostics)],
        files=files,
    )


def _address(scene: str, name: str, options: Mapping[str, Any]) -> str:
    """The address of the file as a resource: the scene's address, the format, then the options."""
    parts = [f"{scene}/export/{name}"]
    if options:
        parts.append(f"{options.get('scale', 1.0):g}")
    rest = {option: value for option, value in options.items() if option != "scale"}
    return "/".join([*parts, quote(json.dumps(rest), safe="")] if rest else parts)


def _unmet(form: Format, options: Mapping[str, Any]) -> list[str]:
    """What of the options the format cannot have."""
    unmet: list[str] = []
    if "scale" in options and "scale" not in form.reads:
        unmet.append(f"scale is for {readers_of('scale')}: {form.name} has one size. For more pixels export a png.")
    if "theme" in options and not form.is_themed:
        unmet.append(f"theme shows in pictures: {form.name} has no colours. For the theme export svg, png or pdf.")
    return unmet


def _embedded(uri: str, file: ExportedFile) -> EmbeddedResource:
    kind = file.form.media_type
    if file.form.binary:
        return EmbeddedResource(resource=BlobResourceContents(uri=uri, blob=file.text, mime_type=kind))
    return EmbeddedResource(resource=TextResourceContents(uri=uri, text=file.text, mime_type=kind))


class ExportTarget(NamedTuple):
    """The target of a file: below `folder`, whose links the operator's settings resolved, at `parts`."""

    folder: Path
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.folder.joinpath(*self.parts))


def place_of(folder: Path | None, path: str, form: Format) -> ExportTarget:
    """The target for a path. Raises Wrong for a path outside the folder."""
    if folder is None:
        raise Wrong("path needs a folder to write to: the user sets EXPORT_DIR, over stdio only. Leave path out.")
    if not OPENS_WITHIN_FOLDERS:
        raise Wrong("path cannot be kept from leading through links on this system. Leave path out.")
    parts = PurePosixPath(path.replace("\\", "/"))
    sound = parts.parts and not parts.is_absolute() and ".." not in parts.parts and ":" not in path
    if not sound or not path.isprintable():
        raise Wrong(f"path must be relative to {folder}, without .. in it.")
    if parts.suffix != form.suffix:
        raise Wrong(f"path must end in {form.suffix}, as the format {form.name} does.")
    return ExportTarget(folder, parts.parts)


def write_new(place: ExportTarget, content: bytes) -> None:
    """Write a new file, whole or not at all, with missing parent folders. Raises Wrong on failure."""
    try:
        place.folder.mkdir(parents=True, exist_ok=True)
        with _folder_of(place) as within:
            _fill(within, place.parts[-1], content)
    except FileExistsError as there:
        raise Wrong(f"{place} is there already; choose another path. Nothing is overwritten.") from there
    except OSError as failed:
        linked = failed.errno in {errno.ELOOP, errno.ENOTDIR}
        why = "is reached through a link or a file" if linked else f"cannot be written: {failed.strerror}"
        raise Wrong(f"{place} {why}; nothing was written.") from failed


@contextmanager
def _folder_of(place: ExportTarget) -> Generator[int]:
    """A descriptor of the new file's folder. Each folder on the path is made and opened relative to its parent, never
    through a link: no path component can be exchanged between check and use. Raises OSError."""
    within = os.open(place.folder, os.O_DIRECTORY)
    try:
        for folder in place.parts[:-1]:
            with suppress(FileExistsError):
                os.mkdir(folder, dir_fd=within)
            inner = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
            os.close(within)
            within = inner
        yield within
    finally:
        os.close(within)


def _fill(within: int, name: str, content: bytes) -> None:
    """Write and sync a temporary file, then give it the name unless taken. Raises OSError."""
    beside = f".scenograph-{secrets.token_hex(8)}"
    try:
        with os.fdopen(_opened_new(within, beside), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, name, src_dir_fd=within, dst_dir_fd=within)
        except FileExistsError:
            raise
        except OSError:  # a file system without second names: an empty file keeps the name until then
            os.close(_opened_new(within, name))
            os.replace(beside, name, src_dir_fd=within, dst_dir_fd=within)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=within)


def _opened_new(within: int, name: str) -> int:
    """A descriptor of a newly created file. Raises OSError for an existing file."""
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=within)
